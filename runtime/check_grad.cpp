#include <fulgurite/runtime/check_grad.h>

#include <cmath>

#include <fulgurite/transforms/value_and_grad.h>

namespace fulgurite {

namespace {
void require_float64(const std::vector<Tensor>& inputs) {
    for (const Tensor& input : inputs) {
        if (input.dtype() == float64) continue;
        fail<DTypeError>("check_grad", "expected float64 inputs, got " + to_string(input.spec()));
    }
}

/// The function's value with one element of one input moved by `delta`.
double value_at(const std::function<Tensor(const std::vector<Tensor>&)>& function, std::vector<Tensor> inputs,
                std::size_t which, std::size_t element, double delta) {
    inputs[which] = inputs[which].clone();
    inputs[which].mutable_span<double>()[element] += delta;
    return function(inputs).item<double>();
}
}  // namespace

std::string check_grad(const std::function<Tensor(const std::vector<Tensor>&)>& function,
                       const std::vector<Tensor>& inputs, CheckGradOptions options) {
    require_float64(inputs);
    std::vector<Tensor> dense;
    for (const Tensor& input : inputs) dense.push_back(input.clone());
    const std::vector<Tensor> gradients = grad(function)(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor gradient = gradients[i].clone();
        for (std::size_t e = 0; e < static_cast<std::size_t>(dense[i].numel()); ++e) {
            const double numeric = (value_at(function, dense, i, e, options.step) -
                                    value_at(function, dense, i, e, -options.step)) /
                                   (2 * options.step);
            const double analytic = gradient.span<double>()[e];
            if (std::abs(analytic - numeric) <= options.atol + options.rtol * std::abs(numeric)) continue;
            return "input " + std::to_string(i) + ", element " + std::to_string(e) + ": the gradient is " +
                   std::to_string(analytic) + ", finite differences give " + std::to_string(numeric);
        }
    }
    return {};
}

}  // namespace fulgurite
