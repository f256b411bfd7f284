#pragma once

#include <functional>
#include <string>
#include <vector>

#include <fulgurite/core/tensor.h>

namespace fulgurite {

struct CheckGradOptions {
    double step = 1e-6;  ///< of the central difference
    double atol = 1e-5;
    double rtol = 1e-3;
};

/// Compares the gradient of `function` (float64 tensors in, one float64 element out) at `inputs` with central
/// finite differences, element by element. Returns an empty string where they agree, else the first
/// disagreement in words. Throws DTypeError for inputs that are not float64. (torch.autograd.gradcheck)
std::string check_grad(const std::function<Tensor(const std::vector<Tensor>&)>& function,
                       const std::vector<Tensor>& inputs, CheckGradOptions options = {});

}  // namespace fulgurite
