#pragma once

#include <optional>

#include <fulgurite/core/tensor_spec.h>

namespace fulgurite {

/// Whether strides reach each of a dense block's elements exactly once (any order of dimensions, sizes of 1
/// aside).
bool is_dense(const Shape& shape, const Strides& strides);

/// The strides of a fresh tensor that keeps the order of a dense layout; row-major for any other (PyTorch's
/// preserve_format).
Strides preserved_strides(const Shape& shape, const Strides& strides);

/// Whether two layouts of one shape reach the same elements: strides of sizes of 1 do not count.
bool same_layout(const Shape& shape, const Strides& a, const Strides& b);

/// The strides that show the elements of `spec` as `shape` without a copy, or nothing where there are none
/// (Tensor.view). The shapes have the same number of elements.
std::optional<Strides> view_strides(const TensorSpec& spec, const Shape& shape);

}  // namespace fulgurite
