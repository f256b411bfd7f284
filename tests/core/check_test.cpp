#include <fulgurite/core/check.h>

#include <fulgurite/core/executor.h>
#include <fulgurite/tests/core/toy_ops.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using toy::trace_of;

namespace {
const TensorSpec matrix({2, 3});

Trace small() {
    Trace trace = trace_of({matrix, matrix}, [](const auto& in) {
        const Tensor product = toy::mul(in[0], in[1]);
        return std::vector<Tensor>{toy::cube(product), toy::row(product, 1)};
    });
    trace.pass = "cse";
    return trace;
}

std::string complaint(const Trace& trace, Stage stage = Stage::traced) {
    try {
        check(trace, stage);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "no InternalError";
}

/// The trace with a changed copy of its i-th call.
template <class F>
Trace with_call(Trace trace, std::size_t i, F&& change) {
    auto call = std::make_shared<BoundSymbol>(*trace.body[i]);
    change(*call);
    trace.body[i] = std::move(call);
    return trace;
}
}  // namespace

TEST_CASE("a recorded trace passes its check", "[check]") {
    CHECK_NOTHROW(check(small(), Stage::traced));
    CHECK_NOTHROW(check(small(), Stage::grad));
}

TEST_CASE("the check names the pass, the op and the line", "[check]") {
    Trace trace = with_call(small(), 0, [](BoundSymbol& call) {
        call.where = {"train.cpp", 41};
        call.operands[0] = call.results[0];
    });
    trace.name = "loss";
    CHECK(complaint(trace) ==
          "[check] train.cpp:41: after pass 'cse' of 'loss': toy::mul uses value 2 as operand before "
          "it is defined");
}

TEST_CASE("values are defined before they are used, and once", "[check]") {
    Trace reversed = small();
    std::swap(reversed.body[0], reversed.body[1]);
    CHECK_THAT(complaint(reversed), ContainsSubstring("before it is defined"));

    Trace twice = small();
    twice.body.push_back(twice.body[0]);
    CHECK_THAT(complaint(twice), ContainsSubstring("a second time"));

    Trace output = small();
    output.body.pop_back();
    CHECK_THAT(complaint(output), ContainsSubstring("the trace uses value"));

    Trace input = small();
    input.inputs.push_back(input.inputs[0]);
    CHECK_THAT(complaint(input), ContainsSubstring("as an input a second time"));

    Trace inner = small();
    inner.outputs.push_back(inner.body[1]->subsymbols[0]->results[0]);
    CHECK_THAT(complaint(inner), ContainsSubstring("before it is defined"));

    CHECK_THAT(complaint(with_call(small(), 0, [](BoundSymbol& call) { call.operands[0] = 1000; })),
               ContainsSubstring("not in the trace's table"));
    CHECK_THAT(complaint(with_call(small(), 0, [](BoundSymbol& call) { call.results[0] = -5; })),
               ContainsSubstring("not in the trace's table"));
}

TEST_CASE("a call has as many operands and results as its structures say", "[check]") {
    CHECK_THAT(complaint(with_call(small(), 0, [](BoundSymbol& call) { call.operands.pop_back(); })),
               ContainsSubstring("toy::mul has 1 operands, but its structure says 2"));
    CHECK_THAT(
        complaint(with_call(small(), 0, [](BoundSymbol& call) { call.results.push_back(call.results[0]); })),
        ContainsSubstring("has 2 results, but its structure says 1"));
}

TEST_CASE("results have the metadata that the meta gives", "[check]") {
    Trace trace = small();
    const ValueId product = trace.body[0]->results[0];
    TensorProxy& proxy = trace.values->at(product);
    proxy.spec.strides = {1, 2};
    CHECK_THAT(complaint(trace), ContainsSubstring("promises value 2 as float32[2, 3]") &&
                                     ContainsSubstring("but its meta gives"));
    proxy.spec = TensorSpec({2, 3}, DType::float64);
    CHECK_THAT(complaint(trace), ContainsSubstring("float64"));
    proxy.spec = TensorSpec({6});
    CHECK_THAT(complaint(trace), ContainsSubstring("its meta gives"));

    Trace view = small();
    view.values->at(view.outputs[1]).offset = 0;
    CHECK_THAT(complaint(view), ContainsSubstring("toy::row promises") && ContainsSubstring("at offset 3"));

    Trace refused = small();
    refused.values->at(refused.inputs[1]).spec = TensorSpec({5});
    CHECK_THAT(complaint(refused), ContainsSubstring("has operands that its meta refuses: [mul]"));
}

TEST_CASE("a composite's results come from its parts or operands", "[check]") {
    const Trace trace = with_call(small(), 1, [](BoundSymbol& call) { call.subsymbols.pop_back(); });
    CHECK_THAT(complaint(trace), ContainsSubstring("toy::cube has the result") &&
                                     ContainsSubstring("which none of its parts makes"));
}

TEST_CASE("symbols are legal for the stage", "[check]") {
    const Trace grad = trace_of({matrix}, [](const auto& in) {
        toy::put_grad(in[0], in[0]);
        return std::vector<Tensor>{in[0]};
    });
    CHECK_NOTHROW(check(grad, Stage::grad));
    CHECK_THAT(complaint(grad), ContainsSubstring("toy::put_grad is left"));

    Trace claimed = small();
    CHECK_THAT(complaint(claimed, Stage::claimed), ContainsSubstring("toy::mul has no executor after claim"));
    const auto executor = std::make_shared<OperatorExecutor>("anybody");
    for (const std::size_t i : {0u, 1u})
        claimed = with_call(claimed, i, [&](BoundSymbol& call) { call.executor = executor; });
    CHECK_NOTHROW(check(claimed, Stage::claimed));
}

TEST_CASE("outputs may be none, and have an alias each or none at all", "[check]") {
    Trace trace = small();
    trace.outputs.push_back(no_value);
    CHECK_NOTHROW(check(trace, Stage::traced));
    trace.output_aliases = {1, 2};
    CHECK_THAT(complaint(trace), ContainsSubstring("has 3 outputs, but aliases of 2"));
}
