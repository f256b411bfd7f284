#pragma once

#include <optional>

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/promote.h>

/// Reductions. `dim` lists the dimensions, negative ones counted from the end; an empty list is all of them.
/// All throw IndexError for a dimension out of range and ValueError for one listed twice.
namespace fulgurite {

struct ReduceOptions {
    Dims dim = {};
    bool keepdim = false;
    std::optional<DType> dtype = {};  ///< the result's; what the elements are converted to first
};

struct DimOptions {
    Dims dim = {};
    bool keepdim = false;
};

struct VarOptions {
    Dims dim = {};
    double correction = 1;
    bool keepdim = false;
};

struct ArgOptions {
    std::optional<std::int64_t> dim = {};  ///< none: of all elements, row by row
    bool keepdim = false;
};

struct CumsumOptions {
    std::optional<DType> dtype = {};
};

/// The dimensions of a reduction, sorted and counted from the front.
Dims reduced_dims(const char* op, const Tensor& x, const Dims& dim);
/// The shape with sizes of 1 for the reduced dimensions.
Shape kept_shape(const Shape& shape, const Dims& dims);
/// A reduced tensor with its reduced dimensions back, as sizes of 1.
Tensor with_kept_dims(const Tensor& reduced, const Shape& shape, const Dims& dims);
/// A reduced tensor shown in the shape that it was reduced from.
Tensor spread(const Tensor& reduced, const Shape& shape, const Dims& dims);
/// The product of the sizes of dimensions.
std::int64_t count_along(const Shape& shape, const Dims& dims);

namespace decompose {
Tensor sum(const Tensor& x, const ReduceOptions& options);
Tensor mean(const Tensor& x, const ReduceOptions& options);
Tensor prod(const Tensor& x, const ReduceOptions& options);
Tensor amax(const Tensor& x, const DimOptions& options);
Tensor amin(const Tensor& x, const DimOptions& options);
Tensor var(const Tensor& x, const VarOptions& options);
Tensor argmax(const Tensor& x, const ArgOptions& options);
Tensor argmin(const Tensor& x, const ArgOptions& options);
Tensor all(const Tensor& x, const DimOptions& options);
Tensor any(const Tensor& x, const DimOptions& options);
Tensor cumsum(const Tensor& x, const std::int64_t& dim, const CumsumOptions& options);
}  // namespace decompose

namespace ops {
inline constexpr Composite<"sum", &decompose::sum> sum;
inline constexpr Composite<"mean", &decompose::mean> mean;
inline constexpr Composite<"prod", &decompose::prod> prod;
inline constexpr Composite<"amax", &decompose::amax> amax;
inline constexpr Composite<"amin", &decompose::amin> amin;
inline constexpr Composite<"var", &decompose::var> var;
inline constexpr Composite<"argmax", &decompose::argmax> argmax;
inline constexpr Composite<"argmin", &decompose::argmin> argmin;
inline constexpr Composite<"all", &decompose::all> all;
inline constexpr Composite<"any", &decompose::any> any;
inline constexpr Composite<"cumsum", &decompose::cumsum> cumsum;
}  // namespace ops

/// The sum; of integers and bools in int64, of low-precision floats accumulated in float32 (torch.sum).
inline Tensor sum(TensorArg x, const ReduceOptions& options = {}) {
    return detail::call(ops::sum, x, options);
}
/// The mean of floats (torch.mean). Throws DTypeError for integers without `dtype`.
inline Tensor mean(TensorArg x, const ReduceOptions& options = {}) {
    return detail::call(ops::mean, x, options);
}
/// The product, with the dtypes of sum (torch.prod).
inline Tensor prod(TensorArg x, const ReduceOptions& options = {}) {
    return detail::call(ops::prod, x, options);
}
/// The largest element; NaN where there is one (torch.amax). Throws ShapeError where there are no elements.
inline Tensor amax(TensorArg x, const DimOptions& options = {}) {
    return detail::call(ops::amax, x, options);
}
/// The smallest element; NaN where there is one (torch.amin). Throws ShapeError where there are no elements.
inline Tensor amin(TensorArg x, const DimOptions& options = {}) {
    return detail::call(ops::amin, x, options);
}
/// The variance of floats, divided by n - correction (torch.var).
inline Tensor var(TensorArg x, const VarOptions& options = {}) { return detail::call(ops::var, x, options); }
/// int64: where the first largest element (or NaN) is (torch.argmax).
inline Tensor argmax(TensorArg x, const ArgOptions& options = {}) {
    return detail::call(ops::argmax, x, options);
}
/// int64: where the first smallest element (or NaN) is (torch.argmin).
inline Tensor argmin(TensorArg x, const ArgOptions& options = {}) {
    return detail::call(ops::argmin, x, options);
}
/// bool: whether all elements are not 0 (torch.all).
inline Tensor all(TensorArg x, const DimOptions& options = {}) { return detail::call(ops::all, x, options); }
/// bool: whether some element is not 0 (torch.any).
inline Tensor any(TensorArg x, const DimOptions& options = {}) { return detail::call(ops::any, x, options); }
/// The sums of the elements up to each, with the dtypes of sum (torch.cumsum).
inline Tensor cumsum(TensorArg x, std::int64_t dim, const CumsumOptions& options = {}) {
    return detail::call(ops::cumsum, x, dim, options);
}

}  // namespace fulgurite
