#pragma once

#include <string>
#include <vector>

#include <fulgurite/core/flat.h>
#include <fulgurite/core/schema.h>

namespace fulgurite::detail {

/// Texts of single static values, as the text form of a trace writes them.
std::string text_of(double value);
std::string text_of(std::int64_t value);
std::string text_of(const Dims& dims);
std::string text_of(Device device);
std::string quoted(const std::string& text);
/// "float32, {2, 3}, {3, 1}, cpu", with ", weak" for a run-time number.
std::string text_of(const TensorSpec& spec);
/// A C++ type's name as the text writes it: without "fulgurite::".
std::string_view text_of_type(std::string_view type);

/// The atom after the value of this schema that begins at atom `at`. Throws InternalError where they do not
/// fit.
std::size_t end_of_value(const Schema& schema, const Statics& statics, std::size_t at);

/// Whether two values, given as ranges of atoms, are equal and hold no tensors.
bool same_statics(const Statics& a, std::size_t a_begin, std::size_t a_end, const Statics& b,
                  std::size_t b_begin, std::size_t b_end);

/// Prints flattened arguments by their schema.
class ValuePrinter {
public:
    ValuePrinter(const Statics& statics, std::vector<std::string> operands)
        : statics_(statics), operands_(std::move(operands)) {}

    /// "x, {2, 3}, {.keepdim = true}".
    std::string arguments(const Schema& tuple);
    /// The same for call<n>: each argument names its type, records and tuples are flattened, nothing is left
    /// out.
    std::string flat_arguments(const Schema& tuple);

private:
    const Atom& next();
    std::string operand();
    std::string value(const Schema& schema, bool names_type);
    std::string leaf(const Schema& schema, const Atom& atom);
    std::string number(const Atom& atom);
    std::string enumerator(const Schema& schema, std::int64_t value);
    std::string dims(const Atom& begin);
    std::string children(const Schema& schema, std::int64_t count);
    std::string record(const Schema& schema, bool names_type);
    void flat_value(const Schema& schema, std::vector<std::string>& out);
    std::string flat_list(const Schema& schema, std::int64_t count);

    const Statics& statics_;
    std::vector<std::string> operands_;
    std::size_t at_ = 0;
    std::size_t next_operand_ = 0;
};

}  // namespace fulgurite::detail
