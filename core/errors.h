#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace fulgurite {

/// A place in the user's source; trivially copyable, file is a literal that lives for ever.
struct SourceLocation {
    const char* file = "";
    unsigned line = 0;
    constexpr SourceLocation() = default;
    constexpr SourceLocation(const char* file_name, unsigned line_number)
        : file(file_name), line(line_number) {}
    constexpr SourceLocation(const std::source_location& where)
        : file(where.file_name()), line(where.line()) {}
    constexpr bool known() const { return line != 0; }
};

/// The file's name without its folders, and the line: "train.cpp:41".
std::string to_string(SourceLocation where);

/// Base of what Fulgurite throws for a user's mistake: `[op] file:line: what was expected, what came`.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class ShapeError : public Error {
    using Error::Error;
};  ///< sizes, ranks, strides, overflow
class DTypeError : public Error {
    using Error::Error;
};  ///< a dtype an op does not take
class DeviceError : public Error {
    using Error::Error;
};  ///< a device an op does not take, or two that differ
class IndexError : public Error {
    using Error::Error;
};  ///< a dimension or an index out of range
class ValueError : public Error {
    using Error::Error;
};  ///< any other value out of its documented range
class TraceError : public Error {
    using Error::Error;
};  ///< a traced value used where only a concrete one can be
class ClaimError : public Error {
    using Error::Error;
};  ///< no executor takes an operation
class ParseError : public Error {
    using Error::Error;
};  ///< the text of a trace is not in the subset

/// Fulgurite broke one of its own promises: please report it.
class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The line that errors and recorded operations are attributed to: that of the outermost operation being
/// called.
class LocationScope {
public:
    explicit LocationScope(SourceLocation where);
    ~LocationScope();
    LocationScope(const LocationScope&) = delete;
    LocationScope& operator=(const LocationScope&) = delete;

private:
    bool outermost_;
};
SourceLocation current_location();

/// Users' mistakes are told in the name of the outermost operation being called, not in that of its parts.
class OpScope {
public:
    /// The name lives as long as the scope.
    explicit OpScope(std::string_view name);
    ~OpScope();
    OpScope(const OpScope&) = delete;
    OpScope& operator=(const OpScope&) = delete;

private:
    bool outermost_;
};
/// The name of the outermost operation being called, or `op` outside of calls.
std::string_view outermost_op(std::string_view op);

/// "[op] file:line: message" with the current location, or "[op] message" where none is known.
std::string error_text(std::string_view op, std::string_view message);

template <class E = Error>
[[noreturn]] void fail(std::string_view op, std::string_view message) {
    // What cannot be claimed or traced is a part, and has to be named.
    constexpr bool is_about_parts = std::is_same_v<E, ClaimError> || std::is_same_v<E, TraceError>;
    throw E(error_text(is_about_parts ? op : outermost_op(op), message));
}

}  // namespace fulgurite
