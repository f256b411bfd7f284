#include <cmath>

#include <fulgurite/tests/support/tensors.h>

// The programs of docs/*.md, run: readme_test.cpp holds the pages against this file.

using namespace fulgurite::tests;
namespace fg = fulgurite;

namespace how_a_call_runs {
struct Params {
    fg::Tensor weight, bias;
};

TEST_CASE("docs: how a call runs", "[docs]") {
    // clang-format off
    auto loss = [](const Params& p, fg::Tensor x, fg::Tensor y) { return fg::mse_loss(fg::linear(x, p.weight, p.bias), y); };
    auto step = fg::jit(fg::value_and_grad(loss));
    // clang-format on
    const Params params{fg::tensor({{2.0}}), fg::tensor({1.0})};
    const fg::Tensor x = fg::tensor({{0.0}, {1.0}}), y = fg::tensor({{1.0}, {5.0}});
    auto [value, gradient] = step(params, x, y);
    CHECK(value.item<double>() == 2);
    CHECK(values(gradient.weight) == List{-2});
    CHECK(values(gradient.bias) == List{-2});
}
}  // namespace how_a_call_runs

namespace fulgurite {
Tensor sin_rule(const Operand& x) {
    const Tensor y = prims::sin(x);
    if (needs_grad(x)) put_grad(x, get_grad(y) * cos(x.tensor()));
    return y;
}
}  // namespace fulgurite

TEST_CASE("docs: the gradient rule of add an op", "[docs]") {
    const auto ex = fg::temporary_executor();
    int used = 0;
    ex->register_implementation(fg::prims::sin, {.grad_transform = [&](const fg::Operand& x) {
                                    ++used;
                                    return fg::sin_rule(x);
                                }});
    auto f = fg::jit(fg::grad([](fg::Tensor x) { return fg::sum(fg::sin(x)); }),
                     {.executors = {fg::ExecutorPtr(ex)}});
    CHECK(values(f(fg::tensor({0.0, 1.0}))) == List{1, std::cos(1.0)});
    CHECK(used == 1);
}

namespace {
fg::TensorSpec meta(const fg::Tensor& x) { return {x.shape(), x.dtype(), x.device()}; }
fg::TensorSpec backward_meta(const fg::Tensor& x, const fg::Tensor&) { return meta(x); }

// Not the gelu: an operator that tells itself apart from every other.
fg::Tensor implementation(const fg::Tensor& x) { return x * 3; }
fg::Tensor backward_implementation(const fg::Tensor&, const fg::Tensor& gradient) { return gradient * 3; }
}  // namespace

TEST_CASE("docs: write an executor", "[docs]") {
    // clang-format off
    fg::OperatorExecutor& quick = fg::register_executor("quick", {.version = "0.1"});
    auto forward = quick.register_operator("gelu", &meta, &implementation);   // callable: forward(x), also by users
    auto backward = quick.register_operator("gelu_backward", &backward_meta, &backward_implementation);
    quick.register_implementation(fg::ops::gelu, {
        .checker = [](const fg::Operand& x, const fg::GeluOptions&) -> fg::Claim<> {
            if (x.tensor().dtype() != fg::float32) return fg::refuse("quick takes float32");
            return true;
        },
        .execution_transform = [=](const fg::Operand& x, const fg::GeluOptions&) { return forward(x.tensor()); },
        .grad_transform = [=](const fg::Operand& x, const fg::GeluOptions&) {
            const fg::Tensor y = forward(x.tensor());
            if (fg::needs_grad(x)) fg::put_grad(x, backward(x.tensor(), fg::get_grad(y)));
            return y;
        },
    });
    // clang-format on
    const fg::Tensor x = fg::tensor({1.0f, 2.0f});
    CHECK(values(forward(x)) == List{3, 6});
    auto f = fg::jit([](fg::Tensor a) { return fg::gelu(a); }, {.executors = {"quick"}});
    auto g = fg::jit(fg::grad([](fg::Tensor a) { return fg::sum(fg::gelu(a)); }), {.executors = {"quick"}});
    CHECK(values(f(x)) == List{3, 6});
    CHECK(values(g(x)) == List{3, 3});
    CHECK(values(f(x.to(fg::float64)))[0] != 3);
    CHECK_THAT(fg::explain(f), ContainsSubstring("quick takes float32"));
    fg::deregister_executor("quick");
}
