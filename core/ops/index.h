#pragma once

#include <optional>
#include <variant>
#include <vector>

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/view.h>

/// Picking elements by index, and putting tensors together. Indices are tensors of int64 or int32
/// (DTypeError), from 0 to the size less 1; the reference executor throws IndexError for others.
namespace fulgurite {

struct PadOptions {
    Operand value = 0;
};

namespace decompose {
Tensor cat(const std::vector<Tensor>& tensors, const std::int64_t& dim);
Tensor stack(const std::vector<Tensor>& tensors, const std::int64_t& dim);
Tensor pad(const Tensor& x, const std::vector<std::int64_t>& pad, const PadOptions& options);
Tensor flip(const Tensor& x, const Dims& dims);
Tensor take(const Tensor& x, const Tensor& index);
Tensor gather(const Tensor& x, const std::int64_t& dim, const Tensor& index);
Tensor scatter_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src);
Tensor index_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src);
Tensor index_select(const Tensor& x, const std::int64_t& dim, const Tensor& index);
Tensor embedding(const Tensor& index, const Tensor& weight);
Tensor one_hot(const Tensor& x, const std::int64_t& num_classes);
}  // namespace decompose

namespace ops {
inline constexpr Composite<"cat", &decompose::cat> cat;
inline constexpr Composite<"stack", &decompose::stack> stack;
inline constexpr Composite<"pad", &decompose::pad> pad;
inline constexpr Composite<"flip", &decompose::flip> flip;
inline constexpr Composite<"take", &decompose::take> take;
inline constexpr Composite<"gather", &decompose::gather> gather;
inline constexpr Composite<"scatter_add", &decompose::scatter_add> scatter_add;
inline constexpr Composite<"index_add", &decompose::index_add> index_add;
inline constexpr Composite<"index_select", &decompose::index_select> index_select;
inline constexpr Composite<"embedding", &decompose::embedding> embedding;
inline constexpr Composite<"one_hot", &decompose::one_hot> one_hot;
}  // namespace ops

/// Tensors one after the other along a dimension, promoted to one dtype (torch.cat). Throws ShapeError where
/// another size differs.
inline Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0,
                  std::source_location where = std::source_location::current()) {
    return detail::call_at(where, ops::cat, tensors, dim);
}
/// Tensors of one shape along a new dimension (torch.stack).
inline Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim = 0,
                    std::source_location where = std::source_location::current()) {
    return detail::call_at(where, ops::stack, tensors, dim);
}
/// A constant around x: {before, after} for the last dimension, then for the one before it, and so on;
/// negative counts crop (torch.nn.functional.pad with mode constant).
inline Tensor pad(TensorArg x, const std::vector<std::int64_t>& pad, const PadOptions& options = {}) {
    return detail::call(ops::pad, x, pad, options);
}
/// Dimensions in reverse order, copied (torch.flip).
inline Tensor flip(TensorArg x, const Dims& dims) { return detail::call(ops::flip, x, dims); }
/// Elements of x, taken for one long row, in the shape of the index (torch.take).
inline Tensor take(TensorArg x, const Tensor& index) { return detail::call(ops::take, x, index); }
/// out[i][j] = x[index[i][j]][j] for dim 0, and so on (torch.gather).
inline Tensor gather(TensorArg x, std::int64_t dim, const Tensor& index) {
    return detail::call(ops::gather, x, dim, index);
}
/// x with out[index[i][j]][j] += src[i][j] for dim 0, and so on (torch.scatter_add).
inline Tensor scatter_add(TensorArg x, std::int64_t dim, const Tensor& index, const Tensor& src) {
    return detail::call(ops::scatter_add, x, dim, index, src);
}
/// x with the slices of src added to those that a 1-dim index names (torch.index_add).
inline Tensor index_add(TensorArg x, std::int64_t dim, const Tensor& index, const Tensor& src) {
    return detail::call(ops::index_add, x, dim, index, src);
}
/// The slices of x that a 1-dim index names (torch.index_select).
inline Tensor index_select(TensorArg x, std::int64_t dim, const Tensor& index) {
    return detail::call(ops::index_select, x, dim, index);
}
/// Rows of weight[n, d] in the shape of the index, plus [d] (torch.nn.functional.embedding).
inline Tensor embedding(TensorArg index, const Tensor& weight) {
    return detail::call(ops::embedding, index, weight);
}
/// int64: ones where a last dimension of num_classes is x, zeros elsewhere (torch.nn.functional.one_hot).
inline Tensor one_hot(TensorArg x, std::int64_t num_classes) {
    return detail::call(ops::one_hot, x, num_classes);
}

/// As an index: start:end:step of Python; without a start from the beginning, without an end to the end.
struct Slice {
    std::optional<std::int64_t> start = {};
    std::optional<std::int64_t> end = {};
    std::int64_t step = 1;
};
/// As an index: as many whole dimensions as it takes (Python's ...).
inline constexpr struct EllipsisIndex {
} Ellipsis;
/// As an index: a new dimension of size 1 (NumPy's newaxis, PyTorch's None).
inline constexpr struct NewAxisIndex {
} NewAxis;

/// One of the indices of `index`: an integer, a Slice, Ellipsis, NewAxis, or a tensor of integers.
using Index = std::variant<std::int64_t, Slice, EllipsisIndex, NewAxisIndex, Tensor>;

/// x[i, j, ...] as in PyTorch: integers drop a dimension, slices keep it, and one tensor of integers takes
/// slices along it. A view, unless there is a tensor. Throws IndexError for too many indices or one out of
/// range.
Tensor index(TensorArg x, const std::vector<Index>& indices);

}  // namespace fulgurite
