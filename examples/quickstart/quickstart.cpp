// Trains one linear layer to follow y = 2 x + 1: trace a lambda, differentiate it, compile it, run it.

#include <iostream>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Params {  // any plain struct: no macro, no base class
    fg::Tensor weight, bias;
};

int main() {
    const auto loss = [](const Params& p, fg::Tensor x, fg::Tensor y) {
        return fg::mse_loss(fg::linear(x, p.weight, p.bias), y);
    };
    auto step = fg::jit(fg::value_and_grad(loss));  // keeps the lambda's own parameters

    const fg::Tensor x = fg::tensor({{0.0f}, {1.0f}, {2.0f}, {3.0f}});
    const fg::Tensor y = fg::tensor({{1.0f}, {3.0f}, {5.0f}, {7.0f}});
    Params p{fg::zeros({1, 1}), fg::zeros({1})};
    for (int i = 0; i < 500; ++i) {
        auto [value, gradient] = step(p, x, y);  // the first call compiles, later ones only run
        p = fg::tree_map([](fg::Tensor w, fg::Tensor g) { return w - 0.1 * g; }, p, gradient);
        if (i % 100 == 0) std::cout << "step " << i << "  loss " << value.item<float>() << '\n';
    }
    std::cout << "weight " << p.weight.item<float>() << "  bias " << p.bias.item<float>() << "\n\n";

    std::cout << fg::last_traces(step).back() << '\n' << fg::explain(step);
}
