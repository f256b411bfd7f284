#include <fulgurite/tests/text/printed.h>

#include <cmath>

#include <fulgurite/core/evaluator.h>
#include <fulgurite/core/ops/ops.h>
#include <fulgurite/core/text.h>
#include <fulgurite/core/text_runtime.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/text/traces.h>

using namespace fulgurite;

namespace {

/// What the compiled text of a trace records, given inputs like the trace's.
Trace retraced(const tests::NamedTrace& named) {
    TraceScope scope;
    Trace trace;
    std::vector<Tensor> inputs;
    for (const ValueId id : named.trace.inputs) {
        inputs.push_back(scope.add_input(named.trace[id].spec));
        trace.inputs.push_back(scope.value_of(inputs.back()));
    }
    const text::Feed feed(inputs);
    for (const Tensor& output : tests::printed().at(named.name)()) {
        trace.outputs.push_back(output.defined() ? scope.value_of(output) : no_value);
    }
    trace.values = scope.root().values;
    trace.captures = scope.root().captures;
    trace.body = std::move(scope.body());
    return trace;
}

/// A tensor of a contiguous spec, with elements between 0 and 2 that differ with `seed`.
Tensor sample(const TensorSpec& spec, int seed) {
    const Tensor numbers = arange(spec.numel(), {.dtype = DType::float32});
    return to(reshape(mul(add(numbers, 0.5 + seed), 0.125), spec.shape), spec.dtype);
}

std::vector<double> elements(const Tensor& tensor) {
    const Tensor numbers = contiguous(to(tensor, DType::float64));
    const std::span<const double> all = numbers.span<double>();
    return {all.begin(), all.end()};
}

void check_equal(const Tensor& got, const Tensor& expected) {
    REQUIRE(got.defined() == expected.defined());
    if (!got.defined()) return;
    CHECK(got.shape() == expected.shape());
    CHECK(got.dtype() == expected.dtype());
    const std::vector<double> a = elements(got), b = elements(expected);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool equal = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
        CHECK((equal || std::abs(a[i] - b[i]) <= 1e-5 * std::abs(b[i])));
    }
}

}  // namespace

TEST_CASE("every trace is what its text parses to", "[text]") {
    for (const tests::NamedTrace& named : tests::text_traces()) {
        const std::string text = print(named.trace);
        INFO(text);
        const Trace again = parse(text);
        CHECK(again == named.trace);
        CHECK(hash_of(again) == hash_of(named.trace));
    }
}

TEST_CASE("the text of every trace compiles as C++, and records the same trace", "[text]") {
    for (const tests::NamedTrace& named : tests::text_traces()) {
        INFO(named.name << "\n" << print(named.trace));
        const Trace again = retraced(named);
        INFO(print(again));
        CHECK(again.outputs.size() == named.trace.outputs.size());
        if (named.keeps_calls) CHECK(again == named.trace);
    }
}

TEST_CASE("the compiled text of a trace run eagerly gives what the trace's program gives", "[text]") {
    for (const tests::NamedTrace& named : tests::text_traces()) {
        if (!named.runs) continue;
        INFO(named.name << "\n" << print(named.trace));
        std::vector<Tensor> inputs;
        for (const ValueId id : named.trace.inputs)
            inputs.push_back(sample(named.trace[id].spec, static_cast<int>(inputs.size())));
        const std::vector<Tensor> expected = evaluator().run_trace(named.trace, inputs);
        const text::Feed feed(inputs);
        const std::vector<Tensor> got = tests::printed().at(named.name)();
        REQUIRE(got.size() == expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) check_equal(got[i], expected[i]);
    }
}
