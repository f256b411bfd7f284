#pragma once

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// What a trace has been through, which decides the symbols that it may hold.
enum class Stage : std::uint8_t {
    traced,   ///< recorded, cleaned or differentiated: no get_grad or put_grad is left
    grad,     ///< within grad: gradient symbols too
    claimed,  ///< every call has an executor, or is a view that the program makes itself
};

/// Verifies a trace, as tests and debug builds do after every pass: values are defined before use and once,
/// calls hold as many operands and results as their structures say, results have the metadata that the
/// symbol's meta gives again, a composite's results come from its parts or operands, and every symbol is
/// legal for the stage. Throws InternalError naming the trace, the pass, the op and its line.
void check(const Trace& trace, Stage stage);

}  // namespace fulgurite
