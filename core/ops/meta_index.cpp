#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::meta {

namespace {
void require_like(const char* op, const Tensor& x, const Tensor& other) {
    require_defined(op, other);
    require_same_dtype(op, x, other);
    require_same_device(op, x, other);
}

/// The other dimensions of `small` are no larger than those of `large`.
void require_within(const char* op, const Tensor& small, const Tensor& large, std::int64_t except) {
    bool fits = small.dim() == large.dim();
    for (int i = 0; fits && i < small.dim(); ++i) fits = i == except || small.shape()[i] <= large.shape()[i];
    if (fits) return;
    fail<ShapeError>(op,
                     "expected an index of the rank and at most the sizes of " + to_string(large.spec()) +
                         (except >= 0 ? " (dimension " + std::to_string(except) + " aside)" : std::string()) +
                         ", got " + to_string(small.spec()));
}
}  // namespace

Tensor cat(const std::vector<Tensor>& tensors, const std::int64_t& dim) {
    const char* const op = "cat";
    if (tensors.empty()) fail<ValueError>(op, "expected at least one tensor, got none");
    const Tensor& first = tensors[0];
    require_dim(op, first, dim);
    const int at = static_cast<int>(dim);
    Shape shape = first.shape();
    shape[at] = 0;
    for (const Tensor& tensor : tensors) {
        require_like(op, first, tensor);
        bool fits = tensor.dim() == first.dim();
        for (int i = 0; fits && i < shape.size(); ++i) fits = i == at || tensor.shape()[i] == shape[i];
        if (!fits) {
            fail<ShapeError>(op, "expected equal sizes but along dimension " + std::to_string(dim) +
                                     ", got " + to_string(first.spec()) + " and " + to_string(tensor.spec()));
        }
        shape[at] = checked_add(shape[at], tensor.shape()[at]);
    }
    return TensorSpec(shape, first.dtype(), first.device());
}

Tensor pad(const Tensor& x, const Dims& low, const Dims& high, const Operand& value) {
    const char* const op = "pad";
    require_rank(op, x, low, "paddings");
    require_rank(op, x, high, "paddings");
    require_number(op, value);
    Shape shape = x.shape();
    for (int i = 0; i < shape.size(); ++i) {
        shape[i] = checked_add(shape[i], checked_add(low[i], high[i]));
        if (shape[i] >= 0 && shape[i] - low[i] >= 0 && shape[i] - high[i] >= 0) continue;
        fail<ShapeError>(op, "expected to crop no more than there is, got low " + to_string(low) +
                                 " and high " + to_string(high) + " for " + to_string(x.spec()));
    }
    return TensorSpec(shape, x.dtype(), x.device());
}

Tensor flip(const Tensor& x, const Dims& dims) {
    require_dims("flip", x, dims);
    return TensorSpec(x.shape(), x.dtype(), x.device());
}

Tensor take(const Tensor& x, const Tensor& index, const std::int64_t& dim) {
    const char* const op = "take";
    require_dim(op, x, dim);
    require_index(op, index);
    require_same_device(op, x, index);
    Shape shape;
    for (int i = 0; i < x.dim(); ++i) {
        if (i != dim) {
            shape.push_back(x.shape()[i]);
            continue;
        }
        for (const std::int64_t size : index.shape()) shape.push_back(size);
    }
    return TensorSpec(shape, x.dtype(), x.device());
}

Tensor gather(const Tensor& x, const std::int64_t& dim, const Tensor& index) {
    const char* const op = "gather";
    require_dim(op, x, dim);
    require_index(op, index);
    require_same_device(op, x, index);
    require_within(op, index, x, dim);
    return TensorSpec(index.shape(), x.dtype(), x.device());
}

Tensor scatter_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src) {
    const char* const op = "scatter_add";
    require_dim(op, x, dim);
    require_index(op, index);
    require_same_device(op, x, index);
    require_like(op, x, src);
    require_within(op, index, x, dim);
    require_within(op, index, src, -1);
    return TensorSpec(x.shape(), x.dtype(), x.device());
}

Tensor index_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src) {
    const char* const op = "index_add";
    require_dim(op, x, dim);
    require_index(op, index);
    require_same_device(op, x, index);
    require_like(op, x, src);
    Shape expected = x.shape();
    if (index.dim() == 1) expected[static_cast<int>(dim)] = index.shape()[0];
    if (index.dim() == 1 && src.shape() == expected) return TensorSpec(x.shape(), x.dtype(), x.device());
    fail<ShapeError>(op, "expected a 1-dim index and a source of shape " + to_string(expected) + ", got " +
                             to_string(index.spec()) + " and " + to_string(src.spec()));
}

}  // namespace fulgurite::meta
