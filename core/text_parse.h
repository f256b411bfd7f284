#pragma once

#include <functional>
#include <string_view>

#include <fulgurite/core/flat.h>
#include <fulgurite/core/schema.h>
#include <fulgurite/core/text_lexer.h>

namespace fulgurite::detail {

/// Reads argument values by their schema: the inverse of ValuePrinter.
class ValueParser {
public:
    /// `find` gives the tensor of a name, or an undefined one.
    using Find = std::function<Tensor(std::string_view name)>;
    ValueParser(Lexer& lexer, Find find) : lexer_(lexer), find_(std::move(find)) {}

    /// "x, {2, 3}, {.keepdim = true}", up to the closing parenthesis.
    Flat arguments(const Schema& tuple);
    /// The arguments of call<n> after its name: ", x, Dims{2, 3}, list(a, b)".
    Flat flat_arguments(const Schema& tuple);

    /// "float32, {2, 3}, {3, 1}, cpu", with or without ", weak".
    TensorSpec spec();
    Tensor tensor();

private:
    void value(const Schema& schema);
    void leaf(const Schema& schema);
    void tensor_or_none();
    void operand();
    double floating();
    DType dtype();
    Device device();
    std::int64_t enumerator(const Schema& schema);
    void dims_atoms();
    Dims dims();
    void children(const Schema& schema);
    void record(const Schema& schema);
    void add_default(const Schema& record, std::size_t begin, std::size_t end);
    void flat_value(const Schema& schema, bool& first);
    void flat_list(const Schema& schema);
    void add(Atom atom) { out_.statics.atoms.push_back(atom); }

    Lexer& lexer_;
    Find find_;
    Flat out_;
};

}  // namespace fulgurite::detail
