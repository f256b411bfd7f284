#pragma once

#include <string>
#include <string_view>

#include <fulgurite/core/trace.h>

/// Traces as text: C++ in a fixed subset, which compiles as it stands (core/text_runtime.h) and parses back.
///
///     // name: loss, after dce (0.012 ms)
///     auto x = input(float32, {2, 3}, {3, 1}, cpu);
///     auto params_w = input(float32, {3, 4}, {4, 1}, cpu);  // params.w
///     auto c0 = capture(float32, {4}, {1}, cpu);
///     auto t0 = ops::matmul(x, params_w);  // float32 {2, 4} {4, 1}  train.cpp:41  by reference
///     auto [t1, t2] = unpack<2>(ops::split(t0, {2, 2}, 1));  // float32 {2, 2} {4, 1}, float32 {2, 2} {4, 1}
///     offset 2 auto [t3, t4] = call<2>("sdpa::forward", t1, t2, 0x1p-1); return output(t3, none);
///
/// Inputs and captures say dtype, shape, strides and device; `weak` marks a run-time number. Each call is one
/// statement; a record leaves out the fields that have their defaults; numbers that are floating are written
/// in hexadecimal, so that nothing is lost. Comments tell the results' metadata and are not needed to parse.
///
/// - `ops::op(...)`, `prims::op(...)`: an op with exactly the arguments that it was recorded with.
/// - `unpack<n>(...)`: the n tensors of a result that has no fixed number of them, such as a list.
/// - `call<n>("executor::operator", ...)`: an executor's own operator, its records flattened; n results.
/// - `call<n>("executor::fusion", {a, b}, [&] {...})`: a fused region with its body.
/// - `call<n>("op", regions([&](auto a) {expect(a, float32, {2}, {1}, cpu); ...}, ...), list(x))`: an op with
/// regions.
/// - `no_grad([&] { return op(x); })`: a call recorded under no_grad.
/// - `output(shares(t1, x), shares(t2, 0), fresh(t3))`: an output that in an eager run has the storage of the
/// input x, of
///   output 0, or its own, where the views in the trace say something else.
namespace fulgurite {

struct PrintOptions {
    bool source_lines = true;  ///< the user's file and line in the comments
    bool subsymbols = false;   ///< a composite's parts, as comments
};

/// The text of a trace. Malformed traces print too.
std::string print(const Trace& trace, PrintOptions options = {});

/// The trace of a text: `parse(print(t)) == t`. Metas and decompositions run again; captures have a spec and
/// no elements; an executor's operator is looked up in the current compile context, then in the registry; a
/// fusion has no kernel. Throws ParseError, with the line and column, where the text is not in the subset or
/// an op refuses its arguments.
Trace parse(std::string_view text);

}  // namespace fulgurite
