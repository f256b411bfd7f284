#include <fulgurite/core/ops/reduction.h>

#include <algorithm>

#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite {

Dims reduced_dims(const char* op, const Tensor& x, const Dims& dim) {
    Dims dims;
    if (dim.empty()) {
        for (int i = 0; i < x.dim(); ++i) dims.push_back(i);
        return dims;
    }
    for (const std::int64_t d : dim) {
        const int at = wrap_dim(d, x.dim(), op);
        if (dims.contains(at)) fail<ValueError>(op, "expected distinct dimensions, got " + to_string(dim));
        if (x.dim() > 0) dims.push_back(at);
    }
    std::sort(dims.begin(), dims.end());
    return dims;
}

Shape kept_shape(const Shape& shape, const Dims& dims) {
    Shape kept = shape;
    for (const std::int64_t dim : dims) kept[static_cast<int>(dim)] = 1;
    return kept;
}

Tensor with_kept_dims(const Tensor& reduced, const Shape& shape, const Dims& dims) {
    return reshaped(reduced, kept_shape(shape, dims));
}

Tensor spread(const Tensor& reduced, const Shape& shape, const Dims& dims) {
    return expanded(with_kept_dims(reduced, shape, dims), shape);
}

std::int64_t count_along(const Shape& shape, const Dims& dims) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) count = checked_mul(count, shape[static_cast<int>(dim)]);
    return count;
}

namespace decompose {

namespace {
/// A reduction by a prim, with elements converted to `compute` before and to `result` after.
template <class P>
Tensor reduced(const P& prim, const Tensor& x, const Dims& dims, bool keepdim, DType compute, DType result) {
    const Tensor out = converted(prim(converted(x, compute), dims), result);
    return keepdim ? with_kept_dims(out, x.shape(), dims) : out;
}

/// The dtype of a sum: what was asked for, or int64 for integers and bools.
DType sum_dtype(const Tensor& x, const std::optional<DType>& asked) {
    if (asked) return *asked;
    return is_floating_point(x.dtype()) ? x.dtype() : int64;
}

template <class P>
Tensor accumulated(const P& prim, const char* op, const Tensor& x, const ReduceOptions& options) {
    const DType dtype = sum_dtype(x, options.dtype);
    return reduced(prim, x, reduced_dims(op, x, options.dim), options.keepdim, compute_dtype(dtype), dtype);
}

template <class P>
Tensor extreme(const P& prim, const char* op, const Tensor& x, const DimOptions& options) {
    return reduced(prim, x, reduced_dims(op, x, options.dim), options.keepdim, x.dtype(), x.dtype());
}

template <class P>
Tensor arg_extreme(const P& prim, const char* op, const Tensor& x, const ArgOptions& options) {
    if (!options.dim || x.dim() == 0) {
        const Tensor flat = prim(reshaped(x, {x.numel()}), 0);
        return options.keepdim ? reshaped(flat, Shape::filled(x.dim(), 1)) : flat;
    }
    const int dim = wrap_dim(*options.dim, x.dim(), op);
    const Tensor out = prim(x, dim);
    return options.keepdim ? with_kept_dims(out, x.shape(), {dim}) : out;
}

/// all and any: an extremum of bools; `empty` where there is nothing to reduce.
template <class P>
Tensor quantified(const P& prim, const char* op, const Tensor& x, const DimOptions& options, bool empty) {
    const Dims dims = reduced_dims(op, x, options.dim);
    const Tensor truth = converted(x, bool_);
    if (count_along(x.shape(), dims) > 0) return reduced(prim, truth, dims, options.keepdim, bool_, bool_);
    const Tensor none = prims::sum(truth, dims);
    const Tensor out = prims::full(none.shape(), empty, bool_, x.device());
    return options.keepdim ? with_kept_dims(out, x.shape(), dims) : out;
}
}  // namespace

Tensor sum(const Tensor& x, const ReduceOptions& options) {
    return accumulated(prims::sum, "sum", x, options);
}

Tensor prod(const Tensor& x, const ReduceOptions& options) {
    return accumulated(prims::prod, "prod", x, options);
}

Tensor mean(const Tensor& x, const ReduceOptions& options) {
    const DType dtype = options.dtype.value_or(x.dtype());
    if (!is_floating_point(dtype)) {
        fail<DTypeError>("mean", "expected a floating dtype, got " + to_string(x.spec()) + ": give .dtype");
    }
    const Dims dims = reduced_dims("mean", x, options.dim);
    const DType compute = compute_dtype(dtype);
    const Tensor total = reduced(prims::sum, x, dims, options.keepdim, compute, compute);
    return converted(prims::div(total, static_cast<double>(count_along(x.shape(), dims))), dtype);
}

Tensor amax(const Tensor& x, const DimOptions& options) { return extreme(prims::amax, "amax", x, options); }

Tensor amin(const Tensor& x, const DimOptions& options) { return extreme(prims::amin, "amin", x, options); }

Tensor var(const Tensor& x, const VarOptions& options) {
    meta::require_floating("var", x);
    const Dims dims = reduced_dims("var", x, options.dim);
    const Tensor y = converted(x, compute_dtype(x.dtype()));
    const auto count = static_cast<double>(count_along(x.shape(), dims));
    const Tensor mean = prims::div(prims::sum(y, dims), count);
    const Tensor deviation = prims::sub(y, spread(mean, x.shape(), dims));
    const Tensor squares = prims::sum(prims::mul(deviation, deviation), dims);
    const Tensor out = converted(prims::div(squares, std::max(count - options.correction, 0.0)), x.dtype());
    return options.keepdim ? with_kept_dims(out, x.shape(), dims) : out;
}

Tensor argmax(const Tensor& x, const ArgOptions& options) {
    return arg_extreme(prims::argmax, "argmax", x, options);
}

Tensor argmin(const Tensor& x, const ArgOptions& options) {
    return arg_extreme(prims::argmin, "argmin", x, options);
}

Tensor all(const Tensor& x, const DimOptions& options) {
    return quantified(prims::amin, "all", x, options, true);
}

Tensor any(const Tensor& x, const DimOptions& options) {
    return quantified(prims::amax, "any", x, options, false);
}

Tensor cumsum(const Tensor& x, const std::int64_t& dim, const CumsumOptions& options) {
    const DType dtype = sum_dtype(x, options.dtype);
    const int at = wrap_dim(dim, x.dim(), "cumsum");
    const Tensor y = converted(x, compute_dtype(dtype));
    if (x.dim() == 0) return converted(y, dtype);
    return converted(prims::cumsum(y, at), dtype);
}

}  // namespace decompose
}  // namespace fulgurite
