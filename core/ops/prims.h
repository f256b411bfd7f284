#pragma once

#include <vector>

#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/tensor.h>

/// The closed set of primitive operations: what every fusing executor must understand. All else is composed
/// of them.
///
/// Pointwise prims take tensors of one shape, dtype and device; C++ numbers and weak 0-dim host values stand
/// for themselves: they take the dtype that the others are computed in (float32 for float16 and bfloat16, as
/// in PyTorch), and the dtype of the others where they are compared or chosen. Where no operand is anything
/// else the result is weak too. Results keep the layout that all tensor operands have, if it is dense, and
/// are row-major otherwise. Promotion, broadcasting and negative dimensions belong to the composites.
namespace fulgurite {

namespace meta {
// Pointwise (meta_pointwise.cpp)
Tensor same(const char* op, const Operand& x);           ///< any dtype but bool
Tensor floating(const char* op, const Operand& x);       ///< floating; weak integers become weak floats
Tensor predicate(const char* op, const Operand& x);      ///< to bool
Tensor bitwise_unary(const char* op, const Operand& x);  ///< integers and bool
Tensor arithmetic(const char* op, const Operand& a, const Operand& b);         ///< any dtype
Tensor number_arithmetic(const char* op, const Operand& a, const Operand& b);  ///< any dtype but bool
Tensor comparison(const char* op, const Operand& a, const Operand& b);         ///< to bool
Tensor bitwise(const char* op, const Operand& a, const Operand& b);            ///< integers and bool
Tensor where(const Tensor& condition, const Operand& a, const Operand& b);
Tensor convert(const Tensor& x, const DType& dtype);

// Reductions (meta_reduction.cpp)
Tensor reduction(const char* op, const Tensor& x, const Dims& dims);
Tensor extremum(const char* op, const Tensor& x, const Dims& dims);  ///< no reduction over nothing
Tensor arg_extremum(const char* op, const Tensor& x, const std::int64_t& dim);
Tensor cumsum(const Tensor& x, const std::int64_t& dim);

// Views (meta_view.cpp)
Tensor expand(const Tensor& x, const Shape& shape);
Tensor view(const Tensor& x, const Shape& shape);
Tensor permute(const Tensor& x, const Dims& dims);
Tensor slice(const Tensor& x, const Dims& starts, const Dims& ends, const Dims& steps);
Tensor alias(const Tensor& x);

// Creation and copies (meta_create.cpp)
Tensor clone(const Tensor& x);
Tensor device_put(const Tensor& x, const Device& device);
Tensor full(const Shape& shape, const Operand& value, const DType& dtype, const Device& device);
Tensor iota(const std::int64_t& count, const Operand& start, const Operand& step, const DType& dtype,
            const Device& device);

// Indexing (meta_index.cpp)
Tensor cat(const std::vector<Tensor>& tensors, const std::int64_t& dim);
Tensor pad(const Tensor& x, const Dims& low, const Dims& high, const Operand& value);
Tensor flip(const Tensor& x, const Dims& dims);
Tensor take(const Tensor& x, const Tensor& index, const std::int64_t& dim);
Tensor gather(const Tensor& x, const std::int64_t& dim, const Tensor& index);
Tensor scatter_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src);
Tensor index_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src);

// Matrices (meta_matmul.cpp)
Tensor matmul(const Tensor& a, const Tensor& b);

// Gradients (meta_create.cpp)
Tensor get_grad(const Tensor& value);
void put_grad(const Tensor& value, const Tensor& grad);
}  // namespace meta

namespace prims {

inline constexpr NamedPrim<"prims::neg", &meta::same, Tag::pointwise> neg;
inline constexpr NamedPrim<"prims::abs", &meta::same, Tag::pointwise> abs;
inline constexpr NamedPrim<"prims::sign", &meta::same, Tag::pointwise> sign;
inline constexpr NamedPrim<"prims::floor", &meta::same, Tag::pointwise> floor;
inline constexpr NamedPrim<"prims::ceil", &meta::same, Tag::pointwise> ceil;
inline constexpr NamedPrim<"prims::trunc", &meta::same, Tag::pointwise> trunc;
/// Halves go to the even neighbour.
inline constexpr NamedPrim<"prims::round", &meta::same, Tag::pointwise> round;
inline constexpr NamedPrim<"prims::exp", &meta::floating, Tag::pointwise> exp;
inline constexpr NamedPrim<"prims::expm1", &meta::floating, Tag::pointwise> expm1;
inline constexpr NamedPrim<"prims::log", &meta::floating, Tag::pointwise> log;
inline constexpr NamedPrim<"prims::log1p", &meta::floating, Tag::pointwise> log1p;
inline constexpr NamedPrim<"prims::sin", &meta::floating, Tag::pointwise> sin;
inline constexpr NamedPrim<"prims::cos", &meta::floating, Tag::pointwise> cos;
inline constexpr NamedPrim<"prims::tan", &meta::floating, Tag::pointwise> tan;
inline constexpr NamedPrim<"prims::tanh", &meta::floating, Tag::pointwise> tanh;
inline constexpr NamedPrim<"prims::sqrt", &meta::floating, Tag::pointwise> sqrt;
inline constexpr NamedPrim<"prims::rsqrt", &meta::floating, Tag::pointwise> rsqrt;
inline constexpr NamedPrim<"prims::reciprocal", &meta::floating, Tag::pointwise> reciprocal;
inline constexpr NamedPrim<"prims::erf", &meta::floating, Tag::pointwise> erf;
inline constexpr NamedPrim<"prims::logical_not", &meta::predicate, Tag::pointwise> logical_not;
inline constexpr NamedPrim<"prims::isnan", &meta::predicate, Tag::pointwise> isnan;
inline constexpr NamedPrim<"prims::isfinite", &meta::predicate, Tag::pointwise> isfinite;
inline constexpr NamedPrim<"prims::bitwise_not", &meta::bitwise_unary, Tag::pointwise> bitwise_not;
/// To another dtype, as C++ converts (to bool: not zero); the result is never weak.
inline constexpr Prim<"prims::convert", &meta::convert, Tag::pointwise> convert;

/// Of bools: or.
inline constexpr NamedPrim<"prims::add", &meta::arithmetic, Tag::pointwise> add;
inline constexpr NamedPrim<"prims::sub", &meta::number_arithmetic, Tag::pointwise> sub;
/// Of bools: and.
inline constexpr NamedPrim<"prims::mul", &meta::arithmetic, Tag::pointwise> mul;
/// True division of floats; integers truncate toward zero.
inline constexpr NamedPrim<"prims::div", &meta::number_arithmetic, Tag::pointwise> div;
inline constexpr NamedPrim<"prims::pow", &meta::number_arithmetic, Tag::pointwise> pow;
/// NaN where either is NaN.
inline constexpr NamedPrim<"prims::maximum", &meta::arithmetic, Tag::pointwise> maximum;
inline constexpr NamedPrim<"prims::minimum", &meta::arithmetic, Tag::pointwise> minimum;
/// With the sign of the divisor (Python's %).
inline constexpr NamedPrim<"prims::remainder", &meta::number_arithmetic, Tag::pointwise> remainder;
/// With the sign of the dividend (C's fmod and %).
inline constexpr NamedPrim<"prims::fmod", &meta::number_arithmetic, Tag::pointwise> fmod;
inline constexpr NamedPrim<"prims::eq", &meta::comparison, Tag::pointwise> eq;
inline constexpr NamedPrim<"prims::ne", &meta::comparison, Tag::pointwise> ne;
inline constexpr NamedPrim<"prims::lt", &meta::comparison, Tag::pointwise> lt;
inline constexpr NamedPrim<"prims::le", &meta::comparison, Tag::pointwise> le;
inline constexpr NamedPrim<"prims::gt", &meta::comparison, Tag::pointwise> gt;
inline constexpr NamedPrim<"prims::ge", &meta::comparison, Tag::pointwise> ge;
inline constexpr NamedPrim<"prims::logical_and", &meta::comparison, Tag::pointwise> logical_and;
inline constexpr NamedPrim<"prims::logical_or", &meta::comparison, Tag::pointwise> logical_or;
inline constexpr NamedPrim<"prims::logical_xor", &meta::comparison, Tag::pointwise> logical_xor;
inline constexpr NamedPrim<"prims::bitwise_and", &meta::bitwise, Tag::pointwise> bitwise_and;
inline constexpr NamedPrim<"prims::bitwise_or", &meta::bitwise, Tag::pointwise> bitwise_or;
inline constexpr NamedPrim<"prims::bitwise_xor", &meta::bitwise, Tag::pointwise> bitwise_xor;
/// The condition is bool; one of a and b at least is a tensor that is not weak, unless all three are weak.
inline constexpr Prim<"prims::where", &meta::where, Tag::pointwise> where;

/// Over distinct dimensions, which the result drops. The dtype stays: composites convert.
inline constexpr NamedPrim<"prims::sum", &meta::reduction, Tag::reduction> sum;
inline constexpr NamedPrim<"prims::prod", &meta::reduction, Tag::reduction> prod;
inline constexpr NamedPrim<"prims::amax", &meta::extremum, Tag::reduction> amax;
inline constexpr NamedPrim<"prims::amin", &meta::extremum, Tag::reduction> amin;
/// int64: where the first extremum (or NaN) along the dimension is; the dimension is dropped.
inline constexpr NamedPrim<"prims::argmax", &meta::arg_extremum, Tag::reduction> argmax;
inline constexpr NamedPrim<"prims::argmin", &meta::arg_extremum, Tag::reduction> argmin;
inline constexpr Prim<"prims::cumsum", &meta::cumsum> cumsum;

/// New dimensions in front; sizes of 1 repeat with stride 0.
inline constexpr Prim<"prims::expand", &meta::expand, Tag::view> expand;
/// Another shape over the same elements; ShapeError where the strides do not allow it.
inline constexpr Prim<"prims::view", &meta::view, Tag::view> view;
inline constexpr Prim<"prims::permute", &meta::permute, Tag::view> permute;
/// One start, end and step for each dimension, 0 <= start <= end <= size, step >= 1.
inline constexpr Prim<"prims::slice", &meta::slice, Tag::view> slice;
/// The same elements, with no gradient.
inline constexpr Prim<"prims::stop_gradient", &meta::alias, Tag::view | Tag::no_grad> stop_gradient;
/// The same elements as another value.
inline constexpr Prim<"prims::alias", &meta::alias, Tag::view> alias;

/// A row-major copy.
inline constexpr Prim<"prims::clone", &meta::clone> clone;
/// A row-major copy on another device.
inline constexpr Prim<"prims::device_put", &meta::device_put> device_put;
/// One number in every element: a C++ number or a 0-dim value.
inline constexpr Prim<"prims::full", &meta::full, Tag::creation> full;
/// start + i * step, for i from 0 to count - 1.
inline constexpr Prim<"prims::iota", &meta::iota, Tag::creation> iota;

inline constexpr Prim<"prims::cat", &meta::cat> cat;
/// Elements before and after each dimension; negative counts crop.
inline constexpr Prim<"prims::pad", &meta::pad> pad;
inline constexpr Prim<"prims::flip", &meta::flip> flip;
/// x[..., index, ...]: the index's dimensions in the place of `dim` (jax.numpy.take).
inline constexpr Prim<"prims::take", &meta::take> take;
/// out[i][j] = x[index[i][j]][j] for dim 0 (torch.gather).
inline constexpr Prim<"prims::gather", &meta::gather> gather;
/// x with out[index[i][j]][j] += src[i][j] for dim 0 (torch.scatter_add).
inline constexpr Prim<"prims::scatter_add", &meta::scatter_add> scatter_add;
/// x with the slices of src added at the places that a 1-dim index names (torch.index_add).
inline constexpr Prim<"prims::index_add", &meta::index_add> index_add;

/// [B..., m, k] times [B..., k, n], equal B.
inline constexpr Prim<"prims::matmul", &meta::matmul, Tag::matmul> matmul;

/// The gradient of a value, row-major; only within gradient rules.
inline constexpr Prim<"prims::get_grad", &meta::get_grad, Tag::gradient> get_grad;
inline constexpr Prim<"prims::put_grad", &meta::put_grad, Tag::gradient | Tag::effect> put_grad;

}  // namespace prims
}  // namespace fulgurite
