// What executors may do with ops, after Thunder's tests of its extend module.

#include <algorithm>

#include <fulgurite/core/executor.h>
#include <fulgurite/tests/core/toy_ops.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/transforms/claim.h>

using namespace fulgurite;
using toy::trace_of;

namespace {

const TensorSpec matrix({2, 3});

Tensor same(const Tensor& x) { return x; }

Trace cube_trace() {
    return trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::cube(in[0])}; });
}

struct Claimed {
    Trace trace;
    std::vector<ClaimRecord> records;

    std::vector<std::string> calls() const {
        std::vector<std::string> names;
        for (const BoundSymbolPtr& symbol : trace.body) names.push_back(symbol->symbol->name);
        return names;
    }
};

Claimed claimed_by(const std::vector<ExecutorPtr>& executors, const Trace& trace) {
    Claimed out;
    out.trace = claim(trace, executors, out.records, {.allow_unclaimed = true});
    return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an executor's operator takes the place of the op that it implements", "[extend]") {
    const auto executor = temporary_executor();
    const auto op = executor->register_operator_like("cube", toy::cube, same);
    executor->register_implementation(toy::cube, {.op = op});
    const Claimed claimed = claimed_by({executor}, cube_trace());
    CHECK(claimed.calls() == Names{executor->name() + "::cube"});
    CHECK(claimed.trace.body[0]->executor == executor);
    REQUIRE(claimed.records.size() >= 1);
    CHECK(claimed_by({}, cube_trace()).calls() == Names{"toy::mul", "toy::mul"});
}

TEST_CASE("an execution transform may record several operators, and other ops", "[extend]") {
    const auto executor = temporary_executor();
    const auto one = executor->register_operator("one", [](const Tensor& x) { return x.spec(); }, same);
    executor->register_implementation(
        toy::cube, {.execution_transform = [&](const Tensor& x) { return toy::mul(one(x), one(x)); }});
    const Claimed claimed = claimed_by({executor}, cube_trace());
    const std::string name = executor->name() + "::one";
    CHECK(claimed.calls() == Names{name, name, "toy::mul"});
}

TEST_CASE("a refused composite decomposes, and the reason is kept", "[extend]") {
    const auto executor = temporary_executor();
    const auto op = executor->register_operator_like("cube", toy::cube, same);
    executor->register_implementation(
        toy::cube, {.checker = [](const Tensor&) { return refuse("not today"); }, .op = op});
    const Claimed claimed = claimed_by({executor}, cube_trace());
    CHECK(claimed.calls() == Names{"toy::mul", "toy::mul"});
    const bool said =
        std::any_of(claimed.records.begin(), claimed.records.end(), [](const ClaimRecord& record) {
            return record.symbol == "toy::cube" && record.refusals.size() == 1 &&
                   record.refusals[0].reason == "not today";
        });
    CHECK(said);
}

TEST_CASE("the first executor of the list that accepts takes the call", "[extend]") {
    const auto never = temporary_executor(), first = temporary_executor(), second = temporary_executor();
    never->register_kernel(toy::cube, same, [](const Tensor&) { return false; });
    for (const auto& executor : {first, second}) executor->register_kernel(toy::cube, same);
    const Claimed claimed = claimed_by({never, first, second}, cube_trace());
    REQUIRE(claimed.calls() == Names{"toy::cube"});
    CHECK(claimed.trace.body[0]->executor == first);
    CHECK(claimed_by({second, first}, cube_trace()).trace.body[0]->executor == second);
}

TEST_CASE("what an operator replaces is recorded as it while its executor is listed", "[extend]") {
    const auto executor = temporary_executor(), later = temporary_executor();
    const auto op =
        executor->register_operator_like("cube", toy::cube, same, {.replaces = {&toy::cube.symbol()}});
    later->register_operator_like("cube", toy::cube, same, {.replaces = {&toy::cube.symbol()}});
    const Replacements replacements = replacements_of({executor, later});
    const auto record = [&](const Replacements* active) {
        return trace_of({matrix}, [&](const auto& in) {
            TraceScope::current()->root().replacements = active;
            return std::vector<Tensor>{toy::cube(in[0])};
        });
    };
    CHECK(record(&replacements).body[0]->symbol == &op.symbol());
    CHECK(record(nullptr).body[0]->symbol == &toy::cube.symbol());
    CHECK(claimed_by({executor}, record(&replacements)).calls() == Names{executor->name() + "::cube"});
}

TEST_CASE("an implementation of an operator that replaced an op may put another in its place", "[extend]") {
    const auto executor = temporary_executor();
    const auto first =
        executor->register_operator_like("first", toy::cube, same, {.replaces = {&toy::cube.symbol()}});
    const auto second = executor->register_operator_like("second", toy::cube, same);
    executor->register_implementation(first,
                                      {.execution_transform = [&](const Tensor& x) { return second(x); }});
    const Replacements replacements = replacements_of({executor});
    const Trace trace = trace_of({matrix}, [&](const auto& in) {
        TraceScope::current()->root().replacements = &replacements;
        return std::vector<Tensor>{toy::cube(in[0])};
    });
    CHECK(trace.body[0]->symbol == &first.symbol());
    CHECK(claimed_by({executor}, trace).calls() == Names{executor->name() + "::second"});
}

TEST_CASE("executors in a list are given by name, by object, or both", "[extend]") {
    OperatorExecutor& named = register_executor("extend_named", {.add_to_default = false});
    const auto op = named.register_operator_like("cube", toy::cube, same);
    named.register_implementation(toy::cube, {.op = op});
    const auto object = temporary_executor();
    CHECK(claimed_by(resolve_executors({"extend_named"}), cube_trace()).calls() ==
          Names{"extend_named::cube"});
    CHECK(claimed_by(resolve_executors({ExecutorPtr(object), "extend_named"}), cube_trace()).calls() ==
          Names{"extend_named::cube"});
    deregister_executor("extend_named");
    CHECK_THROWS_AS(resolve_executors({"extend_named"}), ValueError);
}
