#pragma once

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/promote.h>

/// Products of matrices. Operands have one dtype (DTypeError) and one device (DeviceError).
namespace fulgurite {

namespace decompose {
Tensor matmul(const Tensor& a, const Tensor& b);
Tensor bmm(const Tensor& a, const Tensor& b);
Tensor dot(const Tensor& a, const Tensor& b);
Tensor outer(const Tensor& a, const Tensor& b);
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);
}  // namespace decompose

namespace ops {
inline constexpr Composite<"matmul", &decompose::matmul> matmul;
inline constexpr Composite<"bmm", &decompose::bmm> bmm;
inline constexpr Composite<"dot", &decompose::dot> dot;
inline constexpr Composite<"outer", &decompose::outer> outer;
inline constexpr Composite<"linear", &decompose::linear> linear;
}  // namespace ops

/// The matrix product of the last two dimensions, the others broadcast; a 1-dim operand is a row on the left,
/// a column on the right, and that dimension is dropped (torch.matmul). Throws ShapeError where the inner
/// sizes differ.
inline Tensor matmul(TensorArg a, const Tensor& b) { return detail::call(ops::matmul, a, b); }
/// [b, m, k] times [b, k, n] (torch.bmm).
inline Tensor bmm(TensorArg a, const Tensor& b) { return detail::call(ops::bmm, a, b); }
/// The sum of the products of two vectors of one length (torch.dot).
inline Tensor dot(TensorArg a, const Tensor& b) { return detail::call(ops::dot, a, b); }
/// [m] times [n] to [m, n] (torch.outer).
inline Tensor outer(TensorArg a, const Tensor& b) { return detail::call(ops::outer, a, b); }
/// x[..., in] times weight[out, in] transposed, plus bias[out] if there is one (torch.nn.functional.linear).
inline Tensor linear(TensorArg x, const Tensor& weight, const Tensor& bias = {}) {
    return detail::call(ops::linear, x, weight, bias);
}

}  // namespace fulgurite
