#pragma once

#include <fulgurite/executors/reference/row_kernels.h>
#include <fulgurite/executors/reference/view.h>

/// Pointwise prims. Inputs broadcast to the shape of `out` (a view of rank 0 is a scalar); `out` may be one
/// of the inputs, if it has the same strides. Throws DTypeError for a dtype that the prim does not take.
namespace fulgurite::reference {

void unary(UnaryOp op, const View& out, const View& x);

/// Both inputs have one dtype, or two that are computed in one type (bfloat16 and float32). Comparisons and
/// logical prims give bool_; integer division by zero throws ValueError.
void binary(BinaryOp op, const View& out, const View& x, const View& y);

/// To the dtype of `out`: floats to integers truncate, anything to bool_ is "not 0", integers wrap.
void convert(const View& out, const View& x);

/// `condition` is bool_; `x`, `y` and `out` have one dtype.
void where(const View& out, const View& condition, const View& x, const View& y);

#define FULGURITE_UNARY(name) \
    inline void name(const View& out, const View& x) { unary(UnaryOp::name, out, x); }
#define FULGURITE_BINARY(name) \
    inline void name(const View& out, const View& x, const View& y) { binary(BinaryOp::name, out, x, y); }
FULGURITE_UNARY_OPS(FULGURITE_UNARY)
FULGURITE_BINARY_OPS(FULGURITE_BINARY)
#undef FULGURITE_UNARY
#undef FULGURITE_BINARY

}  // namespace fulgurite::reference
