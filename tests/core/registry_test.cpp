#include <fulgurite/core/registry.h>

#include <algorithm>
#include <thread>

#include <fulgurite/core/executor.h>
#include <fulgurite/tests/core/toy_ops.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using toy::trace_of;

namespace {

std::vector<std::string> names(const std::vector<ExecutorPtr>& executors) {
    std::vector<std::string> out;
    for (const ExecutorPtr& executor : executors) out.push_back(executor->name());
    return out;
}

bool contains(const std::vector<ExecutorPtr>& executors, const std::string& name) {
    const std::vector<std::string> all = names(executors);
    return std::find(all.begin(), all.end(), name) != all.end();
}

/// Puts the lists back as they were, and forgets the executors that a test registered.
class Restore {
public:
    ~Restore() {
        for (const ExecutorPtr& executor : get_all_executors()) {
            if (!contains(all_, executor->name())) deregister_executor(executor->name());
        }
        set_default_executors(defaults_);
        set_always_executors(always_);
    }

private:
    std::vector<ExecutorPtr> all_ = get_all_executors(), defaults_ = get_default_executors(),
                             always_ = get_always_executors();
};

template <class F>
std::string complaint(F&& f) {
    try {
        f();
    } catch (const ValueError& error) {
        return error.what();
    }
    return "no ValueError";
}

Tensor same(const Tensor& x) { return x; }
TensorSpec same_spec(const Tensor& x) { return x.spec(); }

}  // namespace

TEST_CASE("an executor is registered, found by its name, and deregistered", "[registry]") {
    const Restore restore;
    OperatorExecutor& executor = register_executor("mine", {.version = "0.1"});
    CHECK(executor.name() == "mine");
    CHECK(executor.version() == "0.1");
    CHECK(get_executor("mine").get() == &executor);
    CHECK(contains(get_all_executors(), "mine"));
    CHECK(names(get_default_executors())[0] == "mine");
    deregister_executor("mine");
    CHECK_FALSE(contains(get_all_executors(), "mine"));
    CHECK_FALSE(contains(get_default_executors(), "mine"));
    CHECK_THAT(complaint([] { get_executor("mine"); }),
               StartsWith("[get_executor] no executor 'mine'; there are "));
    CHECK_THAT(complaint([] { deregister_executor("mine"); }),
               StartsWith("[deregister_executor] no executor 'mine'"));
}

TEST_CASE("an executor may be registered without being a default", "[registry]") {
    const Restore restore;
    register_executor("quiet", {.add_to_default = false});
    CHECK(contains(get_all_executors(), "quiet"));
    CHECK_FALSE(contains(get_default_executors(), "quiet"));
    CHECK_THROWS_AS(register_executor(ExecutorPtr()), ValueError);
    CHECK_THROWS_AS(register_executor(""), ValueError);
}

TEST_CASE("an executor of the same name replaces the earlier one, in the lists too", "[registry]") {
    const Restore restore;
    register_executor("twin");
    register_executor("other");
    const auto second = std::make_shared<OperatorExecutor>("twin", "2");
    register_executor(ExecutorPtr(second));
    CHECK(get_executor("twin") == second);
    CHECK(names(get_default_executors())[0] == "other");
    CHECK(get_default_executors()[1] == second);
}

TEST_CASE("an executor added to a list stands in front of it, once", "[registry]") {
    const Restore restore;
    const auto a = std::make_shared<OperatorExecutor>("a"), b = std::make_shared<OperatorExecutor>("b");
    set_default_executors({a, b, a});
    CHECK(names(get_default_executors()) == std::vector<std::string>{"b", "a"});
    add_default_executor(a);
    CHECK(names(get_default_executors()) == std::vector<std::string>{"a", "b"});
    remove_default_executor("a");
    remove_default_executor("absent");
    CHECK(names(get_default_executors()) == std::vector<std::string>{"b"});
    set_always_executors({});
    add_always_executor(b);
    add_always_executor(a);
    CHECK(names(get_always_executors()) == std::vector<std::string>{"a", "b"});
    CHECK(names(resolve_executors({})) == std::vector<std::string>{"b", "a"});
    remove_always_executor("a");
    CHECK(names(get_always_executors()) == std::vector<std::string>{"b"});
    CHECK_THROWS_AS(add_default_executor(nullptr), ValueError);
    CHECK_THROWS_AS(set_always_executors({a, nullptr}), ValueError);
}

TEST_CASE("executors resolve from objects, names and both, and unknown names are named", "[registry]") {
    const Restore restore;
    register_executor("x");
    register_executor("y");
    const ExecutorPtr x = get_executor("x"), y = get_executor("y");
    CHECK(resolve_executors({x, y}) == std::vector<ExecutorPtr>{x, y});
    CHECK(resolve_executors({"y", "x"}) == std::vector<ExecutorPtr>{y, x});
    const auto temporary = temporary_executor();
    CHECK(resolve_executors({x, "y", ExecutorPtr(temporary)}) == std::vector<ExecutorPtr>{x, y, temporary});
    const std::string text = complaint([] { resolve_executors({"x", "nope", "y", "neither"}); });
    CHECK_THAT(text, ContainsSubstring("unknown executors 'nope', 'neither'"));
    CHECK_THAT(text, ContainsSubstring("'x', 'y'"));
}

TEST_CASE("temporary executors have names of their own and stay out of the registry", "[registry]") {
    const auto a = temporary_executor(), b = temporary_executor();
    CHECK(a->name() != b->name());
    CHECK_FALSE(contains(get_all_executors(), a->name()));
    const auto op = a->register_operator("same", same_spec, same);
    CHECK(op.symbol().name == a->name() + "::same");
    CHECK(op.symbol().executor == a.get());
}

TEST_CASE("the generation changes with the registry, its lists and what executors offer", "[registry]") {
    const Restore restore;
    std::uint64_t last = registry_generation();
    const auto changed = [&] { return std::exchange(last, registry_generation()) != last; };
    CHECK_FALSE(changed());
    OperatorExecutor& executor = register_executor("generation");
    CHECK(changed());
    const auto op = executor.register_operator_like("cube", toy::cube, same);
    CHECK(changed());
    executor.register_implementation(toy::cube, {.op = op});
    CHECK(changed());
    executor.register_kernel(toy::cube, same);
    CHECK(changed());
    remove_default_executor("generation");
    CHECK(changed());
    add_always_executor(get_executor("generation"));
    CHECK(changed());
    deregister_executor("generation");
    CHECK(changed());
    CHECK_FALSE(changed());
}

TEST_CASE("an operator has the executor's name, a meta and a kernel", "[registry]") {
    const auto executor = temporary_executor();
    const auto op = executor->register_operator(
        "scale", [](const Tensor& x, const double&) { return x.spec(); },
        [](const Tensor& x, const double&) { return x; }, {.tags = Tag::random});
    CHECK(op.symbol().is_prim);
    CHECK(op.symbol().has(Tag::random));
    CHECK(executor->find_operator("scale") == &op.symbol());
    CHECK(executor->find_operator("other") == nullptr);
    CHECK(executor->operators() == std::vector<const Symbol*>{&op.symbol()});
    REQUIRE(executor->kernel(op.symbol()));
    CHECK(executor->kernel(op.symbol())->returns);
    CHECK_THAT(complaint([&] { executor->register_operator("scale", same_spec, same); }),
               ContainsSubstring("'scale', which executor '" + executor->name() + "' has already"));
    const Trace trace =
        trace_of({TensorSpec({2})}, [&](const auto& in) { return std::vector<Tensor>{op(in[0], 2.0)}; });
    REQUIRE(trace.body.size() == 1);
    CHECK(trace.body[0]->symbol == &op.symbol());
}

TEST_CASE("an operator like another op decomposes as that one", "[registry]") {
    const auto executor = temporary_executor();
    const auto op = executor->register_operator_like("cube", toy::cube, same);
    CHECK_FALSE(op.symbol().is_prim);
    const Trace trace =
        trace_of({TensorSpec({2})}, [&](const auto& in) { return std::vector<Tensor>{op(in[0])}; });
    REQUIRE(trace.body.size() == 1);
    CHECK(trace.body[0]->symbol->name == executor->name() + "::cube");
    CHECK(trace.body[0]->subsymbols.size() == 2);
}

TEST_CASE("what an operator replaces is recorded as that operator", "[registry]") {
    const auto executor = temporary_executor();
    const auto op =
        executor->register_operator_like("cube", toy::cube, same, {.replaces = {&toy::cube.symbol()}});
    CHECK(executor->replacements() == Replacements{{&toy::cube.symbol(), &op.symbol()}});
}

TEST_CASE("a later implementation replaces the earlier, which stays valid for those who hold it",
          "[registry]") {
    const auto executor = temporary_executor();
    CHECK(executor->implementation(toy::cube.symbol()) == nullptr);
    executor->register_implementation(toy::cube, {.checker = [](const Tensor&) { return false; }});
    const ErasedImplementation* first = executor->implementation(toy::cube.symbol());
    executor->register_implementation(toy::cube, {.checker = [](const Tensor&) { return true; }});
    const Flat arguments = tree_flatten(Tensor(TensorSpec({2})));
    CHECK(executor->implementation(toy::cube.symbol())
              ->check(arguments.statics, arguments.tensors.data())
              .accepted);
    CHECK_FALSE(first->check(arguments.statics, arguments.tensors.data()).accepted);
}

TEST_CASE("a checker accepts, refuses with a reason, or throws", "[registry]") {
    const Flat arguments = tree_flatten(Tensor(TensorSpec({2})));
    const auto answer = [&](Implementation<Tensor(Tensor)> implementation) {
        return erase(std::move(implementation)).check(arguments.statics, arguments.tensors.data());
    };
    CHECK(answer({}).accepted);
    CHECK(answer({.checker = [](const Tensor& x) { return x.dim() == 1; }}).accepted);
    const ClaimResult refused = answer({.checker = [](const Tensor&) { return refuse("head_dim 72"); }});
    CHECK_FALSE(refused.accepted);
    CHECK(refused.reason == "head_dim 72");
    const ClaimResult thrown =
        answer({.checker = [](const Tensor&) -> bool { fail<ShapeError>("sdpa", "expected 4 dims"); }});
    CHECK_FALSE(thrown.accepted);
    CHECK(thrown.reason == "[sdpa] expected 4 dims");
    CHECK_THROWS_AS(answer({.checker = [](const Tensor&) -> bool { throw std::bad_alloc(); }}),
                    std::bad_alloc);
}

TEST_CASE("checkers run with no trace active", "[registry]") {
    const TraceScope scope;
    const Flat arguments = tree_flatten(Tensor(TensorSpec({2})));
    const ErasedImplementation implementation =
        erase(Implementation<Tensor(Tensor)>{.checker = [](const Tensor&) { return !is_tracing(); }});
    CHECK(implementation.check(arguments.statics, arguments.tensors.data()).accepted);
    CHECK(is_tracing());
}

TEST_CASE("a plan goes from the checker to the transforms", "[registry]") {
    struct Plan {
        int block = 0;
    };
    const Flat arguments = tree_flatten(Tensor(TensorSpec({2})));
    int seen = 0;
    const ErasedImplementation implementation = erase(Implementation<Tensor(Tensor), Plan>{
        .checker = [](const Tensor&) { return Plan{64}; },
        .execution_transform =
            [&](const Plan& plan, const Tensor& x) {
                seen = plan.block;
                return x;
            },
    });
    const ClaimResult answer = implementation.check(arguments.statics, arguments.tensors.data());
    REQUIRE(answer.accepted);
    implementation.execution_transform(answer, arguments.statics, arguments.tensors.data());
    CHECK(seen == 64);
    const auto executor = temporary_executor();
    CHECK_THAT(
        complaint([&] { executor->register_implementation<Plan>(toy::cube, {.execution_transform = same}); }),
        ContainsSubstring("a plan and without a checker"));
}

namespace {
class Fuser : public FusionExecutor {
public:
    using FusionExecutor::FusionExecutor;
    ClaimResult can_fuse(const BoundSymbol&, const Trace&) const override { return {true, {}, {}}; }
    Trace fuse(const Trace& trace) override {
        Trace fused = trace;
        if (take_fuel()) fused.body = {make_fusion("fusion0", trace.inputs, trace.outputs, trace.body, {})};
        return fused;
    }
};
}  // namespace

TEST_CASE("a fusion is one call that stands for its body", "[registry]") {
    const auto fuser = std::make_shared<Fuser>("fuser");
    const Trace trace =
        trace_of({TensorSpec({2})}, [](const auto& in) { return std::vector<Tensor>{toy::cube(in[0])}; });
    const Trace fused = fuser->fuse(trace);
    REQUIRE(fused.body.size() == 1);
    const BoundSymbol& fusion = *fused.body[0];
    CHECK(fusion.symbol->name == "fuser::fusion0");
    CHECK(fusion.symbol == fusion.owned_symbol.get());
    CHECK(fusion.owned_kernel);
    CHECK(fusion.executor == fuser);
    CHECK(fusion.operands == trace.inputs);
    CHECK(fusion.results == trace.outputs);
    CHECK(fusion.subsymbols == trace.body);
    CHECK(fusion.result_structure.atoms == std::vector<Atom>{Atom::begin(1), Atom::tensor()});
}

TEST_CASE("fuel bounds how many fusions are made", "[registry]") {
    FusionExecutor::set_fuel(2);
    CHECK(FusionExecutor::take_fuel());
    CHECK(FusionExecutor::take_fuel());
    CHECK_FALSE(FusionExecutor::take_fuel());
    CHECK_FALSE(FusionExecutor::take_fuel());
    FusionExecutor::set_fuel(-1);
    for (int i = 0; i < 100; ++i) CHECK(FusionExecutor::take_fuel());
}

TEST_CASE("an executor's operator is found by its full name", "[registry]") {
    const Restore restore;
    OperatorExecutor& executor = register_executor("finder");
    const auto op = executor.register_operator("op", same_spec, same);
    CHECK(find_executor_operator("finder::op") == &op.symbol());
    CHECK(find_executor_operator("finder::other") == nullptr);
    CHECK(find_executor_operator("nobody::op") == nullptr);
    CHECK(find_executor_operator("op") == nullptr);
    CHECK(find_executor_operator("") == nullptr);
}

TEST_CASE("built-in symbols are found by name and listed in order", "[registry]") {
    CHECK(find_symbol("toy::cube") == &toy::cube.symbol());
    CHECK(find_symbol("toy::none") == nullptr);
    const std::vector<const Symbol*> all = all_symbols();
    CHECK(std::is_sorted(all.begin(), all.end(),
                         [](const Symbol* a, const Symbol* b) { return a->name < b->name; }));
    CHECK(std::find(all.begin(), all.end(), &toy::mul.symbol()) != all.end());
    const auto clash = [] {
        Symbol symbol = toy::mul.symbol();
        symbol.tags = Tag::view;
        detail::keep_symbol(std::move(symbol));
    };
    CHECK_THROWS_AS(clash(), InternalError);
}

TEST_CASE("the registry may be used from many threads", "[registry]") {
    const Restore restore;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            const std::string name = "thread_" + std::to_string(t);
            for (int i = 0; i < 100; ++i) {
                OperatorExecutor& executor = register_executor(name);
                executor.register_operator("same", same_spec, same);
                executor.register_implementation(toy::cube, {});
                get_default_executors();
                resolve_executors({name});
                find_executor_operator(name + "::same");
                deregister_executor(name);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_FALSE(contains(get_all_executors(), "thread_0"));
}
