#include <fulgurite/core/text.h>

#include <fulgurite/core/text_runtime.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/text/printed.h>
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
