// An executor of one's own: it has an operator of its own, takes gelu where it can, says why where it cannot,
// and brings its own gradient rule.

#include <cmath>
#include <iostream>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

namespace {

// x * sigmoid(1.702 x): the quick approximation of GELU (Hendrycks and Gimpel, 2016, section 2).
constexpr float slope = 1.702f;
float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

fg::TensorSpec same_as_input(const fg::Tensor& x) { return {x.shape(), x.dtype(), x.device()}; }
fg::TensorSpec same_as_inputs(const fg::Tensor& x, const fg::Tensor&) { return same_as_input(x); }

void quick_gelu(fg::Out<fg::Tensor>& out, const fg::Tensor& x) {
    const auto from = x.span<float>();
    const auto to = out->mutable_span<float>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] * sigmoid(slope * from[i]);
}

void quick_gelu_backward(fg::Out<fg::Tensor>& out, const fg::Tensor& x, const fg::Tensor& gradient) {
    const auto from = x.span<float>(), g = gradient.span<float>();
    const auto to = out->mutable_span<float>();
    for (std::size_t i = 0; i < from.size(); ++i) {
        const float s = sigmoid(slope * from[i]);
        to[i] = g[i] * (s + slope * from[i] * s * (1 - s));
    }
}

fg::Claim<> check(const fg::Operand& x, const fg::GeluOptions&) {
    if (!x.is_tensor()) return fg::refuse("quick_gelu takes tensors");
    const fg::Tensor& t = x.tensor();
    if (t.dtype() != fg::float32)
        return fg::refuse("quick_gelu takes float32, not " + std::string(name_of(t.dtype())));
    if (!t.is_contiguous()) return fg::refuse("quick_gelu takes contiguous tensors");
    return t.device() == fg::cpu;
}

}  // namespace

int main() {
    fg::OperatorExecutor& quick = fg::register_executor("quick", {.version = "0.1"});
    const auto forward = quick.register_operator("gelu", &same_as_input, &quick_gelu);
    const auto backward = quick.register_operator("gelu_backward", &same_as_inputs, &quick_gelu_backward);
    quick.register_implementation(
        fg::ops::gelu, {.checker = &check,
                        .execution_transform = [=](const fg::Operand& x,
                                                   const fg::GeluOptions&) { return forward(x.tensor()); },
                        .grad_transform =
                            [=](const fg::Operand& x, const fg::GeluOptions&) {
                                const fg::Tensor y = forward(x.tensor());
                                fg::put_grad(x, backward(x.tensor(), fg::get_grad(y).contiguous()));
                                return y;
                            }});

    auto step = fg::jit(fg::value_and_grad([](fg::Tensor x) { return fg::sum(fg::gelu(x)); }),
                        {.name = "sum of gelu"});

    const fg::Tensor x = fg::tensor({-1.0f, 0.0f, 1.0f, 2.0f});
    auto [value, gradient] = step(x);
    std::cout << "taken:\n"
              << fg::last_traces(step).back() << "\nvalue " << value << "\ngradient " << gradient << "\n\n";

    step(x.to(fg::float64));
    std::cout << "refused for float64:\n" << fg::explain(step);
}
