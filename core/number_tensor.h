#pragma once

#include <fulgurite/core/tensor.h>

namespace fulgurite {

/// A number as a concrete weak 0-dim host tensor: how run-time numbers enter programs.
Tensor number_tensor(const Number& number);

}  // namespace fulgurite
