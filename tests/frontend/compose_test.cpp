#include <cmath>

#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {

Tensor sum_of_cubes(Tensor x) { return fg::sum(x * x * x); }

struct Linear {
    Tensor weight, bias;
};

Tensor linear_loss(const Linear& p, Tensor x, Tensor y) {
    return fg::mean(fg::square(fg::linear(x, p.weight, p.bias) - y));
}

Linear zero_linear() { return {fg::zeros({1, 1}), fg::zeros({1})}; }
const Tensor line_x = fg::tensor({{0.0f}, {1.0f}, {2.0f}, {3.0f}});
const Tensor line_y = fg::tensor({{1.0f}, {3.0f}, {5.0f}, {7.0f}});

}  // namespace

TEST_CASE("grad gives the derivative, outside and inside of jit") {
    const Tensor x = fg::tensor({1.0, 2.0, 3.0});
    const List expected{3, 12, 27};
    CHECK(values(fg::grad(&sum_of_cubes)(x)) == expected);
    CHECK(values(fg::jit(fg::grad(&sum_of_cubes))(x)) == expected);
    CHECK(values(fg::grad(fg::jit(&sum_of_cubes))(x)) == expected);
    CHECK(values(fg::jit(fg::grad(fg::jit(&sum_of_cubes)))(x)) == expected);
}

TEST_CASE("gradients of gradients go as deep as one likes") {
    const auto fourth_power = [](Tensor x) { return x * x * x * x; };
    const Tensor x = fg::tensor(2.0);
    CHECK(fg::grad(fourth_power)(x).item<double>() == 32);
    CHECK(fg::jit(fg::grad(fg::grad(fourth_power)))(x).item<double>() == 48);
    CHECK(fg::grad(fg::grad(fourth_power))(x).item<double>() == 48);
    CHECK(fg::jit(fg::grad(fg::grad(fg::grad(fourth_power))))(x).item<double>() == 48);
    CHECK(fg::grad(fg::jit(fg::grad(fg::jit(fg::grad(fg::grad(fourth_power))))))(x).item<double>() == 24);
}

TEST_CASE("a gradient of a gradient of transcendental functions") {
    const auto f = [](Tensor x) { return fg::sin(x) * fg::exp(x); };
    auto second = fg::jit(fg::grad(fg::grad(f)));
    for (const double x : {-1.0, 0.0, 0.5, 2.0}) {
        CHECK(second(fg::tensor(x)).item<double>() == Approx(2 * std::cos(x) * std::exp(x)));
    }
}

TEST_CASE("value_and_grad gives both") {
    auto [value, gradient] = fg::value_and_grad(&sum_of_cubes)(fg::tensor({1.0, 2.0}));
    CHECK(value.item<double>() == 9);
    CHECK(values(gradient) == List{3, 12});
    auto [jitted_value, jitted_gradient] = fg::jit(fg::value_and_grad(&sum_of_cubes))(fg::tensor({1.0, 2.0}));
    CHECK(jitted_value.item<double>() == 9);
    CHECK(values(jitted_gradient) == List{3, 12});
}

TEST_CASE("argnums choose the arguments that are differentiated") {
    const auto f = [](Tensor a, Tensor b, Tensor c) { return fg::sum(a * b + c * c * a); };
    const Tensor a = fg::tensor({2.0}), b = fg::tensor({3.0}), c = fg::tensor({5.0});
    CHECK(values(fg::grad(f)(a, b, c)) == List{28});
    CHECK(values(fg::grad<1>(f)(a, b, c)) == List{2});
    const auto [to_c, to_a] = fg::grad<2, 0>(f)(a, b, c);
    CHECK(values(to_c) == List{20});
    CHECK(values(to_a) == List{28});
    const auto [value, gradients] = fg::jit(fg::value_and_grad<0, 1, 2>(f))(a, b, c);
    CHECK(value.item<double>() == 56);
    CHECK(values(std::get<0>(gradients)) == List{28});
    CHECK(values(std::get<1>(gradients)) == List{2});
    CHECK(values(std::get<2>(gradients)) == List{20});
}

TEST_CASE("has_aux passes anything along beside the loss") {
    struct Aux {
        Tensor doubled;
        int count;
    };
    const auto f = [](Tensor x) { return std::pair(fg::sum(x * x), Aux{x * 2, 7}); };
    const Tensor x = fg::tensor({1.0, 4.0});
    const auto [gradient, aux] = fg::grad(f, fg::has_aux)(x);
    CHECK(values(gradient) == List{2, 8});
    CHECK(values(aux.doubled) == List{2, 8});
    CHECK(aux.count == 7);
    const auto [value, gradient2] = fg::jit(fg::value_and_grad(f, fg::has_aux))(x);
    CHECK(value.first.item<double>() == 17);
    CHECK(values(value.second.doubled) == List{2, 8});
    CHECK(value.second.count == 7);
    CHECK(values(gradient2) == List{2, 8});
}

TEST_CASE("no gradient flows through stop_gradient") {
    const auto f = [](Tensor x) { return fg::sum(x * fg::stop_gradient(x)); };
    CHECK(values(fg::grad(f)(fg::tensor({3.0, 4.0}))) == List{3, 4});
    CHECK(values(fg::jit(fg::grad(f))(fg::tensor({3.0, 4.0}))) == List{3, 4});
    CHECK(values(fg::jit(f)(fg::tensor({3.0, 4.0}))) == List{25});
}

TEST_CASE("what no_grad computed carries no gradient, what follows does") {
    const auto held = fg::no_grad([](Tensor x) { return x * 5; });
    const auto f = [&](Tensor x) { return fg::sum(held(x) + x); };
    CHECK(values(fg::grad(f)(fg::tensor({1.0, 2.0}))) == List{1, 1});
    CHECK(values(fg::jit(fg::grad(f))(fg::tensor({1.0, 2.0}))) == List{1, 1});
    CHECK(fg::jit(f)(fg::tensor({1.0, 2.0})).item<double>() == 18);
    CHECK(fg::is_grad_enabled());
}

TEST_CASE("NoGradGuard is no_grad for a block, also when the block throws") {
    const auto f = [](Tensor x) {
        Tensor held;
        {
            const fg::NoGradGuard guard;
            held = x * 5;
        }
        return fg::sum(held * x);
    };
    CHECK(values(fg::grad(f)(fg::tensor({1.0, 2.0}))) == List{5, 10});
    const auto bad = fg::no_grad([](Tensor x) -> Tensor {
        throw std::runtime_error("half-way");
        return x;
    });
    CHECK_THROWS_AS(fg::jit(bad)(fg::tensor(1.0)), std::runtime_error);
    CHECK(fg::is_grad_enabled());
}

TEST_CASE("custom_vjp replaces the rule and not the value") {
    const auto squared =
        fg::custom_vjp([](Tensor x) { return x * x; }, [](Tensor x) { return std::pair(x * x, x); },
                       [](const Tensor& x, const Tensor& cotangent) { return x * 10 * cotangent; });
    const auto f = [&](Tensor x) { return fg::sum(squared(x) * 3); };
    const Tensor x = fg::tensor({1.0, 2.0});
    CHECK(values(squared(x)) == List{1, 4});
    CHECK(values(fg::jit(squared)(x)) == List{1, 4});
    CHECK(fg::jit(f)(x).item<double>() == 15);
    CHECK(values(fg::grad(f)(x)) == List{30, 60});
    CHECK(values(fg::jit(fg::grad(f))(x)) == List{30, 60});
    SECTION("and is differentiated through its backward") {
        const auto once = [&](Tensor y) { return squared(y); };
        CHECK(fg::jit(fg::grad(fg::grad(once)))(fg::tensor(2.0)).item<double>() == 10);
    }
}

TEST_CASE("custom_vjp takes and gives pytrees, and undefined gradients") {
    const auto f =
        fg::custom_vjp([](const Linear& p, Tensor x) { return p.weight * x + p.bias; },
                       [](const Linear& p, Tensor x) { return std::pair(p.weight * x + p.bias, x); },
                       [](const Tensor& x, const Tensor& cotangent) {
                           return std::tuple(Linear{x * cotangent * 100, Tensor()}, Tensor());
                       });
    const auto loss = [&](const Linear& p, Tensor x) { return fg::sum(f(p, x)); };
    const Linear p{fg::tensor({2.0, 3.0}), fg::tensor({1.0, 1.0})};
    const Linear gradient = fg::jit(fg::grad(loss))(p, fg::tensor({5.0, 7.0}));
    CHECK(values(gradient.weight) == List{500, 700});
    CHECK(values(gradient.bias) == List{0, 0});
    CHECK(values(fg::grad<1>(loss)(p, fg::tensor({5.0, 7.0}))) == List{0, 0});
}

TEST_CASE("a backward of custom_vjp with too few gradients is an error that counts them") {
    const auto f = fg::custom_vjp([](Tensor a, Tensor b) { return a * b; },
                                  [](Tensor a, Tensor b) { return std::pair(a * b, a); },
                                  [](const Tensor& a, const Tensor& cotangent) { return a * cotangent; });
    auto wrong = fg::jit(fg::grad([&](Tensor a, Tensor b) { return fg::sum(f(a, b)); }));
    const std::string text = thrown<fg::ValueError>([&] { wrong(fg::tensor({1.0}), fg::tensor({1.0})); });
    CHECK_THAT(text, ContainsSubstring("2 gradients") && ContainsSubstring("got 1"));
}

TEST_CASE("eval_shape computes nothing and needs no device") {
    const auto f = [](const Linear& p, Tensor x) {
        return std::pair(fg::linear(x, p.weight, p.bias), x.t());
    };
    const fg::TensorSpec x({5, 3}, fg::float32, fg::cuda(1));
    const Linear p{fg::TensorSpec({4, 3}, fg::float32, fg::cuda(1)),
                   fg::TensorSpec({4}, fg::float32, fg::cuda(1))};
    const auto [y, transposed] = fg::eval_shape(f, p, x);
    CHECK(y.is_abstract());
    CHECK(y.spec() == fg::TensorSpec({5, 4}, fg::float32, fg::cuda(1)));
    CHECK(transposed.spec() == fg::TensorSpec({3, 5}, fg::float32, fg::cuda(1), {1, 3}));
    const Tensor gradient = fg::eval_shape(fg::grad(&sum_of_cubes), fg::TensorSpec({7}, fg::float64));
    CHECK(gradient.spec() == fg::TensorSpec({7}, fg::float64));
}

TEST_CASE("trace records without running, on cuda too, and through the transforms") {
    const fg::Trace trace = fg::trace(&sum_of_cubes, fg::TensorSpec({4}, fg::float32, fg::cuda()));
    CHECK(count_calls(trace, "mul") == 2);
    CHECK(count_calls(trace, "sum") == 1);
    CHECK(trace.inputs.size() == 1);
    CHECK(trace[trace.outputs.at(0)].spec == fg::TensorSpec({}, fg::float32, fg::cuda()));
    const fg::Trace joint = fg::trace(fg::value_and_grad(&sum_of_cubes), fg::TensorSpec({4}));
    CHECK(joint.outputs.size() == 2);
    CHECK(joint[joint.outputs[1]].spec == fg::TensorSpec({4}));
    CHECK_FALSE(fg::is_tracing());
}

TEST_CASE("a jitted step may call value_and_grad and an optimiser") {
    auto step = fg::jit([](Linear& p, Linear& momentum, fg::Scalar<double> rate, Tensor x, Tensor y) {
        auto [value, gradient] = fg::value_and_grad(&linear_loss)(p, x, y);
        momentum = fg::tree_map([](Tensor m, Tensor g) { return 0.5 * m + g; }, momentum, gradient);
        p = fg::tree_map([&](Tensor w, Tensor m) { return w - rate * m; }, p, momentum);
        return value;
    });
    Linear p = zero_linear(), momentum = zero_linear();
    double first = 0, last = 0;
    for (int i = 0; i < 200; ++i) {
        last = step(p, momentum, i < 100 ? 0.1 : 0.05, line_x, line_y).item<double>();
        if (i == 0) first = last;
    }
    CHECK(first == 21);
    CHECK(last < 1e-4);
    CHECK(p.weight.item<double>() == Approx(2).margin(0.02));
    CHECK(p.bias.item<double>() == Approx(1).margin(0.05));
    CHECK(fg::cache_misses(step) == 1);
}

TEST_CASE("the step with the optimiser outside of jit learns the same") {
    auto step = fg::jit(fg::value_and_grad(&linear_loss));
    Linear jitted = zero_linear(), eager = zero_linear();
    for (int i = 0; i < 5; ++i) {
        const auto update = [](Tensor w, Tensor g) { return w - 0.1 * g; };
        jitted = fg::tree_map(update, jitted, step(jitted, line_x, line_y).second);
        eager = fg::tree_map(update, eager, fg::value_and_grad(&linear_loss)(eager, line_x, line_y).second);
    }
    CHECK(values(jitted.weight) == values(eager.weight));
    CHECK(values(jitted.bias) == values(eager.bias));
}

TEST_CASE("a jitted function within a jitted function is part of it") {
    auto inner = fg::jit([](Tensor x) { return x * 2; });
    auto outer = fg::jit([&](Tensor x) { return inner(x) + inner(x + 1); });
    CHECK(values(outer(fg::tensor({1.0, 2.0}))) == List{6, 10});
    CHECK(fg::cache_misses(inner) == 0);
    CHECK(fg::cache_misses(outer) == 1);
    CHECK(values(inner(fg::tensor({1.0}))) == List{2});
    CHECK(fg::cache_misses(inner) == 1);
}

TEST_CASE("a transform called outside of jit reuses the program of an equal trace") {
    const auto gradient = fg::grad([](Tensor x) { return fg::sum(fg::exp(x)); });
    for (int i = 0; i < 3; ++i) CHECK(values(gradient(fg::tensor({0.0}))) == List{1});
    const Tensor scale = fg::tensor({3.0}), other = fg::tensor({5.0});
    const auto scaled = [](const Tensor& by) { return fg::grad([&](Tensor x) { return fg::sum(x * by); }); };
    CHECK(values(scaled(scale)(fg::tensor({0.0}))) == List{3});
    CHECK(values(scaled(other)(fg::tensor({0.0}))) == List{5});
}

TEST_CASE("grad refuses a function that returns more than one element, or an integer") {
    const auto vector = [](Tensor x) { return x * 2; };
    const auto integer = [](Tensor x) { return fg::argmax(x); };
    CHECK_THAT(thrown<fg::ValueError>([&] { fg::grad(vector)(fg::tensor({1.0, 2.0})); }),
               ContainsSubstring("one element") && ContainsSubstring("float64[2]"));
    CHECK_THAT(thrown<fg::ValueError>([&] { fg::jit(fg::grad(integer))(fg::tensor({1.0, 2.0})); }),
               ContainsSubstring("floating") && ContainsSubstring("int64"));
}

TEST_CASE("integer and undefined leaves have undefined gradients, untouched ones zeros") {
    struct Mixed {
        Tensor weight, index, missing, untouched;
        int classes;
    };
    const auto f = [](const Mixed& m) { return fg::sum(m.weight * m.index); };
    const Mixed m{fg::tensor({2.0, 3.0}), fg::tensor({4, 5}), Tensor(), fg::tensor({1.0f}), 9};
    for (const Mixed& gradient : {fg::grad(f)(m), fg::jit(fg::grad(f))(m)}) {
        CHECK(values(gradient.weight) == List{4, 5});
        CHECK_FALSE(gradient.index.defined());
        CHECK_FALSE(gradient.missing.defined());
        CHECK(values(gradient.untouched) == List{0});
        CHECK(gradient.untouched.dtype() == fg::float32);
        CHECK(gradient.classes == 9);
    }
}

TEST_CASE("check_grad agrees with a right rule and names a wrong one") {
    const auto right = [](const std::vector<Tensor>& x) { return fg::sum(fg::tanh(x[0]) * x[1]); };
    const std::vector<Tensor> inputs{fg::tensor({0.5, -1.0}), fg::tensor({2.0, 3.0})};
    CHECK(fg::check_grad(right, inputs).empty());
    const auto wrong =
        fg::custom_vjp([](Tensor x) { return x * x; }, [](Tensor x) { return std::pair(x * x, x); },
                       [](const Tensor& x, const Tensor& cotangent) { return x * cotangent; });
    const std::string said = fg::check_grad(
        [&](const std::vector<Tensor>& x) { return fg::sum(wrong(x[0])); }, {fg::tensor({1.0, 2.0})});
    CHECK_FALSE(said.empty());
    CHECK_THROWS_AS(fg::check_grad(right, {fg::tensor({0.5f}), fg::tensor({0.5f})}), fg::DTypeError);
}
