#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/promote.h>

/// Other shapes and parts of the same elements. Results share the operand's storage, except where said.
/// All throw IndexError for a dimension out of range; negative dimensions count from the end.
namespace fulgurite {

/// The end of a slice that goes to the end.
inline constexpr std::int64_t to_end = std::numeric_limits<std::int64_t>::max();

struct ToOptions {
    std::optional<DType> dtype = {};
    std::optional<Device> device = {};
};

namespace decompose {
Tensor reshape(const Tensor& x, const Shape& shape);
Tensor view(const Tensor& x, const Shape& shape);
Tensor permute(const Tensor& x, const Dims& dims);
Tensor transpose(const Tensor& x, const std::int64_t& dim0, const std::int64_t& dim1);
Tensor t(const Tensor& x);
Tensor movedim(const Tensor& x, const Dims& source, const Dims& destination);
Tensor expand(const char* op, const Tensor& x, const Shape& shape);
Tensor squeeze(const Tensor& x, const Dims& dim);
Tensor unsqueeze(const Tensor& x, const std::int64_t& dim);
Tensor flatten(const Tensor& x, const std::int64_t& start_dim, const std::int64_t& end_dim);
Tensor slice(const Tensor& x, const std::int64_t& dim, const std::int64_t& start, const std::int64_t& end,
             const std::int64_t& step);
Tensor select(const Tensor& x, const std::int64_t& dim, const std::int64_t& index);
Tensor narrow(const Tensor& x, const std::int64_t& dim, const std::int64_t& start,
              const std::int64_t& length);
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, const std::int64_t& dim);
Tensor contiguous(const Tensor& x);
Tensor clone(const Tensor& x);
Tensor to(const Tensor& x, const ToOptions& options);
Tensor stop_gradient(const Tensor& x);
}  // namespace decompose

namespace ops {
inline constexpr Composite<"reshape", &decompose::reshape> reshape;
inline constexpr Composite<"view", &decompose::view> view;
inline constexpr Composite<"permute", &decompose::permute> permute;
inline constexpr Composite<"transpose", &decompose::transpose> transpose;
inline constexpr Composite<"t", &decompose::t> t;
inline constexpr Composite<"movedim", &decompose::movedim> movedim;
inline constexpr NamedComposite<"expand", &decompose::expand> expand;
inline constexpr NamedComposite<"broadcast_to", &decompose::expand> broadcast_to;
inline constexpr Composite<"squeeze", &decompose::squeeze> squeeze;
inline constexpr Composite<"unsqueeze", &decompose::unsqueeze> unsqueeze;
inline constexpr Composite<"flatten", &decompose::flatten> flatten;
inline constexpr Composite<"slice", &decompose::slice> slice;
inline constexpr Composite<"select", &decompose::select> select;
inline constexpr Composite<"narrow", &decompose::narrow> narrow;
inline constexpr Composite<"split", &decompose::split> split;
inline constexpr Composite<"contiguous", &decompose::contiguous> contiguous;
inline constexpr Composite<"clone", &decompose::clone> clone;
inline constexpr Composite<"to", &decompose::to> to;
inline constexpr Composite<"stop_gradient", &decompose::stop_gradient> stop_gradient;
}  // namespace ops

/// x in another shape; one size may be -1. A view where the strides allow it, else a copy (torch.reshape).
/// Throws ShapeError for another number of elements.
inline Tensor reshape(TensorArg x, const Shape& shape) { return detail::call_view(ops::reshape, x, shape); }
/// As reshape, but throws ShapeError where it would copy (Tensor.view).
inline Tensor view(TensorArg x, const Shape& shape) { return detail::call_view(ops::view, x, shape); }
/// The dimensions in another order (torch.permute).
inline Tensor permute(TensorArg x, const Dims& dims) { return detail::call_view(ops::permute, x, dims); }
/// Two dimensions swapped (torch.transpose).
inline Tensor transpose(TensorArg x, std::int64_t dim0, std::int64_t dim1) {
    return detail::call_view(ops::transpose, x, dim0, dim1);
}
/// A matrix transposed; 0- and 1-dim tensors as they are (torch.t). Throws ShapeError for more dimensions.
inline Tensor t(TensorArg x) { return detail::call_view(ops::t, x); }
/// Dimensions moved to other places, the rest in order (torch.movedim).
inline Tensor movedim(TensorArg x, const Dims& source, const Dims& destination) {
    return detail::call_view(ops::movedim, x, source, destination);
}
/// Sizes of 1 repeated, new dimensions in front; -1 keeps a size (Tensor.expand).
inline Tensor expand(TensorArg x, const Shape& shape) { return detail::call_view(ops::expand, x, shape); }
/// The same by its other name (torch.broadcast_to).
inline Tensor broadcast_to(TensorArg x, const Shape& shape) {
    return detail::call_view(ops::broadcast_to, x, shape);
}
/// Without the listed dimensions of size 1, or without all of them (torch.squeeze).
inline Tensor squeeze(TensorArg x, const Dims& dim = {}) { return detail::call_view(ops::squeeze, x, dim); }
/// With a dimension of size 1 put in (torch.unsqueeze).
inline Tensor unsqueeze(TensorArg x, std::int64_t dim) { return detail::call_view(ops::unsqueeze, x, dim); }
/// A run of dimensions made one; copies where strides do not allow a view (torch.flatten).
inline Tensor flatten(TensorArg x, std::int64_t start_dim = 0, std::int64_t end_dim = -1) {
    return detail::call_view(ops::flatten, x, start_dim, end_dim);
}
/// x[start:end:step] along a dimension, with Python's rules for negative and too large bounds.
/// Throws ValueError for a step below 1.
inline Tensor slice(TensorArg x, std::int64_t dim, std::int64_t start = 0, std::int64_t end = to_end,
                    std::int64_t step = 1) {
    return detail::call_view(ops::slice, x, dim, start, end, step);
}
/// One index of a dimension, which is dropped (torch.select).
inline Tensor select(TensorArg x, std::int64_t dim, std::int64_t index) {
    return detail::call_view(ops::select, x, dim, index);
}
/// `length` elements of a dimension from `start` (torch.narrow). Throws IndexError where there are fewer.
inline Tensor narrow(TensorArg x, std::int64_t dim, std::int64_t start, std::int64_t length) {
    return detail::call_view(ops::narrow, x, dim, start, length);
}
/// Parts of the given sizes along a dimension (torch.split). Throws ShapeError unless they sum up to it.
inline std::vector<Tensor> split(TensorArg x, const std::vector<std::int64_t>& sizes, std::int64_t dim = 0) {
    return detail::call_view(ops::split, x, sizes, dim);
}
/// Parts of one size, the last perhaps smaller (torch.split).
std::vector<Tensor> split(TensorArg x, std::int64_t size, std::int64_t dim = 0);
/// At most so many equal parts (torch.chunk).
std::vector<Tensor> chunk(TensorArg x, std::int64_t chunks, std::int64_t dim = 0);

/// x itself if it is row-major, else a copy (Tensor.contiguous).
inline Tensor contiguous(TensorArg x) { return detail::call_view(ops::contiguous, x); }
/// A row-major copy (torch.clone with torch.contiguous_format).
inline Tensor clone(TensorArg x) { return detail::call(ops::clone, x); }
/// x with another dtype, device or both; x itself where it has them (Tensor.to).
inline Tensor to(TensorArg x, const ToOptions& options) { return detail::call_view(ops::to, x, options); }
inline Tensor to(TensorArg x, DType dtype) { return to(x, ToOptions{.dtype = dtype}); }
inline Tensor to(TensorArg x, Device device) { return to(x, ToOptions{.device = device}); }
/// x, but no gradient flows through (jax.lax.stop_gradient, Tensor.detach).
inline Tensor stop_gradient(TensorArg x) { return detail::call_view(ops::stop_gradient, x); }

}  // namespace fulgurite
