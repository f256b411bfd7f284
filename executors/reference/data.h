#pragma once

#include <cstdint>
#include <span>

#include <fulgurite/core/number.h>
#include <fulgurite/executors/reference/view.h>

/// Prims that move elements. `out` overlaps no input. Dimensions are counted from the front, and shapes are
/// those that the prims' metas gave.
namespace fulgurite::reference {

/// Elements of one dtype from any strides to any strides; `x` broadcasts.
void copy(const View& out, const View& x);

/// The number in every element.
void full(const View& out, const Number& value);

/// start + i * step in a 1-dim tensor, computed in int64 where both are integers and in float64 otherwise.
void iota(const View& out, const Number& start, const Number& step);

/// One after the other along `dim`; all have the dtype of `out`.
void cat(const View& out, std::span<const View> tensors, int dim);

/// `low` and `high` new elements before and after each dimension; negative counts crop.
void pad(const View& out, const View& x, const Dims& low, const Dims& high, const Number& value);

/// Reverses the given dimensions.
void flip(const View& out, const View& x, const Dims& dims);

/// out[a..., i..., b...] = x[a..., index[i...], b...]. Throws IndexError for an index out of range, negative
/// ones included; so do the others below. Indices are int32 or int64.
void take(const View& out, const View& x, const View& index, int dim);

/// out[i][j] = x[index[i][j]][j] for dim 0; out has the shape of the index.
void gather(const View& out, const View& x, int dim, const View& index);

/// out = x, then out[index[i][j]][j] += src[i][j] for dim 0, in the order of the index.
void scatter_add(const View& out, const View& x, int dim, const View& index, const View& src);

/// out = x, then the slice index[i] of out along dim += slice i of src; the index is 1-dim.
void index_add(const View& out, const View& x, int dim, const View& index, const View& src);

/// Running sums along dim, in float64 for floats.
void cumsum(const View& out, const View& x, int dim);

/// Sorts along dim; equal elements keep their order, NaN is the greatest. `values` has the dtype of x,
/// `indices` is int64, and either may be null.
void sort(const View* values, const View* indices, const View& x, int dim, bool descending);

}  // namespace fulgurite::reference
