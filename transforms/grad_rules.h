#pragma once

#include <fulgurite/core/gradient.h>
#include <fulgurite/core/ops/promote.h>

/// The gradient rules of the built-in ops, a file a family, and what they share. A rule computes the op again
/// (prims in low precision as they are, gradients in float32 and rounded once) and puts gradients on what
/// wants them.
namespace fulgurite::rules {

void add_pointwise(GradRules& rules);
void add_composite_pointwise(GradRules& rules);
void add_reduction(GradRules& rules);
void add_view(GradRules& rules);
void add_index(GradRules& rules);
void add_matmul(GradRules& rules);
void add_nn(GradRules& rules);

/// put_grad for a gradient that may be of another dtype, or have dimensions that `value` was broadcast along:
/// it is summed up and converted. Nothing happens where no gradient is wanted.
void put(const Operand& value, const Tensor& grad);

/// grad summed over the dimensions that a value of this shape was broadcast along.
Tensor summed_to(const Tensor& grad, const Shape& shape);

/// x in the dtype that gradients of its dtype are computed in.
inline Tensor wide(const Tensor& x) { return converted(x, compute_dtype(x.dtype())); }
inline Operand wide(const Operand& x) { return is_weak(x) ? x : Operand(wide(x.tensor())); }

}  // namespace fulgurite::rules
