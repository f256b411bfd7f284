#include <cmath>

#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Operand;
using fg::Tensor;

// What Thunder's extend module offers, run: tests/core/registry_test.cpp has the registry itself.

namespace {

/// An executor that leaves the registry with the test.
class Registered {
public:
    explicit Registered(const char* name, fg::ExecutorOptions options = {.add_to_default = false})
        : name_(name), executor_(fg::register_executor(name, std::move(options))) {}
    ~Registered() { fg::deregister_executor(name_); }
    fg::OperatorExecutor* operator->() const { return &executor_; }

private:
    const char* name_;
    fg::OperatorExecutor& executor_;
};

fg::TensorSpec same(const Tensor& x) { return x.spec(); }

/// A kernel that fills the result by f of each element of a float64 tensor.
template <class F>
auto each(F f) {
    return [f](fg::Out<Tensor>& out, const Tensor& x) {
        const auto from = x.span<double>();
        const auto to = out->mutable_span<double>();
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = f(from[i]);
    };
}

std::pair<Tensor, Tensor> two_products(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
    return {fg::prims::mul(a, b),
            fg::prims::mul(c, d)};  // not `*`, which the test gives to this very executor
}
std::pair<fg::TensorSpec, fg::TensorSpec> two_specs(const Tensor& a, const Tensor&, const Tensor& c,
                                                    const Tensor&) {
    return {a.spec(), c.spec()};
}

Tensor mlp_parts(const Tensor& a, const Tensor& b, const Tensor& c) { return fg::relu(fg::matmul(a, b) + c); }
inline constexpr fg::Composite<"executor_test::mlp", &mlp_parts> mlp;

fg::Trace last(const auto& jitted) { return fg::last_traces(jitted).back(); }

const Tensor one = fg::tensor({1.0, 2.0});

}  // namespace

TEST_CASE("an operator is callable eagerly, in traces, and within a gradient that it takes no part in") {
    const Registered ex("extend_call");
    const auto twice = ex->register_operator("twice", &same, each([](double x) { return 2 * x; }));
    CHECK(values(twice(one)) == List{2, 4});
    auto f = fg::jit([&](Tensor x) { return twice(x + 1) + 1; });
    CHECK(values(f(one)) == List{5, 7});
    CHECK(count_calls(last(f), "extend_call::twice") == 1);
    auto g = fg::jit(fg::grad([&](Tensor x) { return fg::sum(x * twice(fg::stop_gradient(x))); }));
    CHECK(values(g(one)) == List{2, 4});
    CHECK_THAT(thrown<fg::ValueError>([&] { fg::grad([&](Tensor x) { return fg::sum(twice(x)); })(one); }),
               ContainsSubstring("extend_call::twice") && ContainsSubstring("gradient rule"));
}

TEST_CASE("an operator may have several results, numbers, options and lists among its arguments") {
    const Registered ex("extend_many");
    struct Options {
        double by = 1;
        std::optional<int> skip = {};
    };
    const auto op = ex->register_operator(
        "many",
        [](const std::vector<Tensor>& list, const Operand&, const Options&) {
            return std::tuple(list.at(0).spec(),
                              std::vector<fg::TensorSpec>(list.size(), fg::TensorSpec({}, fg::float64)));
        },
        [](const std::vector<Tensor>& list, const Operand& number, const Options& options) {
            std::vector<Tensor> sums;
            for (const Tensor& x : list) sums.push_back(fg::sum(x) * options.by);
            return std::tuple(list.at(0) * number * options.skip.value_or(1), sums);
        });
    auto f = fg::jit([&](Tensor x) { return op({x, x + 1}, 3.0, {.by = 10}); });
    const auto [product, sums] = f(one);
    CHECK(values(product) == List{3, 6});
    CHECK(values(sums.at(1)) == List{50});
    CHECK(values(std::get<0>(op({one}, 2.0, {.skip = 4}))) == List{8, 16});
    CHECK_THAT(fg::to_string(last(f)), ContainsSubstring("extend_many::many"));
}

TEST_CASE("an operator like an op decomposes and differentiates like that op") {
    const Registered ex("extend_like");
    int ran = 0;
    const auto op = ex->register_operator_like("gelu", fg::ops::gelu,
                                               [&](const Operand& x, const fg::GeluOptions& options) {
                                                   ++ran;
                                                   return fg::gelu(x.tensor(), options);
                                               });
    const auto plain = [](Tensor x) { return fg::sum(fg::gelu(x)); };
    const auto ours = [&](Tensor x) { return fg::sum(op(x, {})); };
    CHECK(values(op(one, {})) == values(fg::gelu(one)));
    CHECK(ran == 1);
    auto f = fg::jit(ours);
    CHECK(f(one).item<double>() == plain(one).item<double>());
    CHECK(ran == 2);
    CHECK(count_calls(last(f), "extend_like::gelu") == 1);
    const List expected = values(fg::grad(plain)(one)), got = values(fg::jit(fg::grad(ours))(one));
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]));
}

TEST_CASE("Thunder's multimul: checker, execution transform and gradient by one call of it") {
    const Registered ex("multimul", {.add_to_default = true});
    const auto op = ex->register_operator("multimul", &two_specs, &two_products);
    const auto tensors = [](const Operand& a, const Operand& b) {
        return a.is_tensor() && b.is_tensor() && a.tensor().spec() == b.tensor().spec() &&
               a.tensor().device() == fg::cpu;
    };
    ex->register_implementation(fg::ops::mul,
                                {.checker = tensors,
                                 .execution_transform =
                                     [=](const Operand& a, const Operand& b) {
                                         return op(a.tensor(), b.tensor(), a.tensor(), b.tensor()).first;
                                     },
                                 .grad_transform =
                                     [=](const Operand& a, const Operand& b) {
                                         const Tensor result = fg::prims::mul(a, b);
                                         const Tensor grad = fg::get_grad(result);
                                         const auto [to_a, to_b] = op(b.tensor(), grad, a.tensor(), grad);
                                         fg::put_grad(a, to_a);
                                         fg::put_grad(b, to_b);
                                         return result;
                                     }});
    const Tensor other = fg::tensor({3.0, 5.0});
    const auto [first, second] = op(one, other, other, other);
    CHECK(values(first) == List{3, 10});
    CHECK(values(second) == List{9, 25});

    auto product = fg::jit([](Tensor a, Tensor b) { return a * b; });
    CHECK(values(product(one, other)) == List{3, 10});
    CHECK(count_calls(last(product), "multimul::multimul") == 1);
    CHECK(values(product(one, fg::tensor({2.0f, 2.0f}))) == List{2, 4});
    CHECK(count_calls(last(product), "multimul::multimul") == 0);

    auto gradient = fg::jit(fg::grad<0, 1>([](Tensor a, Tensor b) { return fg::sum(a * b); }));
    const auto [to_a, to_b] = gradient(one, other);
    CHECK(values(to_a) == List{3, 5});
    CHECK(values(to_b) == List{1, 2});
    CHECK(count_calls(last(gradient), "multimul::multimul") == 1);
}

TEST_CASE("an executor's gradient rule applies at the outermost differentiation, the table within") {
    const Registered ex("extend_outer", {.add_to_default = true});
    int used = 0;
    ex->register_implementation(fg::ops::sin,
                                {.checker = [](const Operand&) { return true; },
                                 .execution_transform = [](const Operand& x) { return fg::prims::sin(x); },
                                 .grad_transform =
                                     [&](const Operand& x) {
                                         ++used;
                                         const Tensor y = fg::prims::sin(x);
                                         fg::put_grad(x, fg::get_grad(y) * fg::cos(x.tensor()));
                                         return y;
                                     }});
    const Tensor x = fg::tensor(0.5);
    const auto sine = [](Tensor y) { return fg::sin(y); };
    CHECK(fg::jit(fg::grad(sine))(x).item<double>() == Approx(std::cos(0.5)));
    CHECK(used == 1);
    used = 0;
    CHECK(fg::jit(fg::grad(fg::grad(sine)))(x).item<double>() == Approx(-std::sin(0.5)));
    CHECK(used <= 1);
}

TEST_CASE("what an operator replaces is recorded as that operator while its executor is listed") {
    const Registered first("extend_first"), second("extend_second");
    const auto count = [](int* calls, double by) {
        return [calls, by](const Operand& x) {
            ++*calls;
            return x.tensor() * by;
        };
    };
    int firsts = 0, seconds = 0;
    const auto meta = [](const Operand& x) { return x.tensor().spec(); };
    const std::vector<const fg::Symbol*> both{&fg::ops::exp.symbol(), &fg::ops::log.symbol()};
    first->register_operator("mine", meta, count(&firsts, 10), {.replaces = both});
    second->register_operator("mine", meta, count(&seconds, 100), {.replaces = both});
    const auto f = [](Tensor x) { return fg::exp(x) + fg::log(x); };
    CHECK(values(fg::jit(f, {.executors = {"extend_first", "extend_second"}})(one)) == List{20, 40});
    CHECK(firsts == 1);  // both ops became the same call, which cse merges
    CHECK(seconds == 0);
    CHECK(values(fg::jit(f, {.executors = {"extend_second", "extend_first"}})(one)) == List{200, 400});
    auto plain = fg::jit(f);
    plain(one);
    CHECK(count_calls(last(plain), "prims::exp") == 1);
    CHECK(seconds == 1);
}

TEST_CASE("a replacing operator may itself be claimed by another executor, with a gradient") {
    const Registered mine("extend_custom"), other("extend_taker");
    const auto meta = [](const Operand& x) { return x.tensor().spec(); };
    const auto plus = [](const Operand& x) { return x.tensor() + 1; };
    const auto my_add = mine->register_operator("add1", meta, plus, {.replaces = {&fg::ops::exp.symbol()}});
    const auto their_add = other->register_operator("add1", meta, plus);
    mine->register_implementation(my_add,
                                  {.execution_transform = [=](const Operand& x) { return their_add(x); },
                                   .grad_transform =
                                       [=](const Operand& x) {
                                           const Tensor y = their_add(x);
                                           fg::put_grad(x, fg::get_grad(y));
                                           return y;
                                       }});
    const auto f = [](Tensor x) { return fg::sum(fg::exp(x)); };
    auto forward = fg::jit(f, {.executors = {"extend_custom"}});
    auto backward = fg::jit(fg::grad(f), {.executors = {"extend_custom"}});
    CHECK(forward(one).item<double>() == 5);
    CHECK(values(backward(one)) == List{1, 1});
    CHECK(count_calls(last(forward), "extend_custom::add1") == 0);
    CHECK(count_calls(last(forward), "extend_taker::add1") == 1);
}

TEST_CASE("a composite is taken whole, by executor object or by name, until it is deregistered") {
    const Tensor a = fg::tensor({{1.0, -2.0}}), b = fg::tensor({{3.0}, {4.0}}), c = fg::tensor({{6.0}});
    const auto f = [](Tensor x, Tensor y, Tensor z) { return mlp(x, y, z); };
    {
        const Registered ex("extend_mlp");
        ex->register_kernel(
            mlp, [](const Tensor& x, const Tensor& y, const Tensor& z) { return mlp_parts(x, y, z); });
        for (const fg::ExecutorRef& ref :
             {fg::ExecutorRef("extend_mlp"), fg::ExecutorRef(fg::get_executor("extend_mlp"))}) {
            auto jitted = fg::jit(f, {.executors = {ref}});
            CHECK(values(jitted(a, b, c)) == List{1});
            REQUIRE(last(jitted).body.size() == 1);
            CHECK(last(jitted).body[0]->symbol->name == "executor_test::mlp");
            CHECK(last(jitted).body[0]->executor->name() == "extend_mlp");
            CHECK_THAT(fg::explain(jitted), ContainsSubstring("extend_mlp runs executor_test::mlp"));
        }
    }
    auto plain = fg::jit(f);
    CHECK(values(plain(a, b, c)) == List{1});
    CHECK(last(plain).body.size() > 1);
    CHECK_THROWS_AS(fg::jit(f, {.executors = {"extend_mlp"}}), fg::ValueError);
}

TEST_CASE("a program holds its executor: deregistered, it still runs") {
    const auto keep = [](Tensor x) { return fg::exp(x); };
    auto f = fg::jit(keep);
    fg::Trace trace;
    {
        const Registered ex("extend_gone");
        ex->register_kernel(fg::prims::exp, [](const Operand& x) { return x.tensor() * 7; });
        f = fg::jit(keep, {.executors = {fg::get_executor("extend_gone")}});
        CHECK(values(f(one)) == List{7, 14});
    }
    CHECK(values(f(one)) == List{7, 14});
}

TEST_CASE("a temporary executor belongs to one jit") {
    const auto ex = fg::temporary_executor();
    const auto op = ex->register_operator("half", &same, each([](double x) { return x / 2; }));
    ex->register_kernel(fg::prims::exp, [](const Operand& x) { return x.tensor() * 3; });
    auto with = fg::jit([&](Tensor x) { return fg::exp(op(x)); }, {.executors = {fg::ExecutorPtr(ex)}});
    auto without = fg::jit([](Tensor x) { return fg::exp(x); });
    CHECK(values(with(one)) == List{1.5, 3});
    CHECK(values(without(fg::tensor({0.0}))) == List{1});
    CHECK_THROWS_AS(fg::get_executor(ex->name()), fg::ValueError);
}

TEST_CASE("the default list is asked where jit is given none, and the always list last") {
    const Registered ex("extend_default", {.add_to_default = true});
    ex->register_kernel(fg::prims::exp, [](const Operand& x) { return x.tensor() * 3; });
    auto f = fg::jit([](Tensor x) { return fg::exp(x); });
    CHECK(values(f(one)) == List{3, 6});
    fg::remove_default_executor("extend_default");
    CHECK(values(f(one))[0] == Approx(2.718281828));
    fg::add_always_executor(fg::get_executor("extend_default"));
    CHECK(values(f(one)) == List{3, 6});
    fg::remove_always_executor("extend_default");
    CHECK(values(f(fg::tensor({0.0}))) == List{1});
}

TEST_CASE("eager ops go through the same claim") {
    const Registered ex("extend_eager", {.add_to_default = true});
    ex->register_kernel(fg::prims::exp, [](const Operand& x) { return x.tensor() * 3; });
    CHECK(values(fg::exp(one)) == List{3, 6});
    fg::remove_default_executor("extend_eager");
    CHECK(values(fg::exp(fg::tensor({0.0}))) == List{1});
}

TEST_CASE("an implementation that calls its own op is an error that names it") {
    {
        const Registered ex("extend_endless", {.add_to_default = true});
        ex->register_kernel(fg::prims::exp, [](const Operand& x) { return fg::exp(x.tensor() - 1); });
        CHECK_THAT(thrown<fg::ClaimError>([] { fg::exp(one); }), ContainsSubstring("within exp"));
        fg::remove_default_executor("extend_endless");
    }
    CHECK(values(fg::exp(fg::tensor({0.0}))) == List{1});
}

TEST_CASE("without the reference executor a prim has nobody, and says so") {
    const auto always = fg::get_always_executors();
    fg::set_always_executors({});
    auto f = fg::jit([](Tensor x) { return fg::exp(x); });
    const std::string jitted = thrown<fg::ClaimError>([&] { f(one); });
    const std::string eager = thrown<fg::ClaimError>([&] { fg::exp(one); });
    fg::set_always_executors(always);
    CHECK_THAT(jitted, StartsWith("[prims::exp]") && ContainsSubstring("float64[2]"));
    CHECK_THAT(eager, StartsWith("[prims::exp]"));
    CHECK(values(f(fg::tensor({0.0}))) == List{1});
    CHECK(values(fg::exp(fg::tensor({0.0}))) == List{1});
}

TEST_CASE("an implementation with a plan needs a checker that makes it") {
    struct Plan {
        int tile;
    };
    const Registered ex("extend_plan");
    CHECK_THROWS_AS((ex->register_implementation<Plan>(
                        fg::prims::exp,
                        {.execution_transform = [](const Plan&, const Operand& x) { return x.tensor(); }})),
                    fg::ValueError);
}

TEST_CASE("a wrong gradient of an executor's is an InternalError that says what is expected") {
    const Registered ex("extend_wrong", {.add_to_default = true});
    ex->register_implementation(fg::ops::exp,
                                {.execution_transform = [](const Operand& x) { return fg::prims::exp(x); },
                                 .grad_transform =
                                     [](const Operand& x) {
                                         const Tensor y = fg::prims::exp(x);
                                         fg::put_grad(x, fg::sum(fg::get_grad(y)));
                                         return y;
                                     }});
    CHECK_THAT(
        thrown<fg::InternalError>([&] { fg::grad([](Tensor x) { return fg::sum(fg::exp(x)); })(one); }),
        ContainsSubstring("put_grad") && ContainsSubstring("float64[2]"));
}
