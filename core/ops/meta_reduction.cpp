#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::meta {

namespace {
Shape without(const Shape& shape, const Dims& dims) {
    Shape out;
    for (int i = 0; i < shape.size(); ++i) {
        if (!dims.contains(i)) out.push_back(shape[i]);
    }
    return out;
}

void require_elements(const char* op, const Tensor& x, const Dims& dims) {
    for (const std::int64_t dim : dims) {
        if (x.shape()[static_cast<int>(dim)] != 0) continue;
        fail<ShapeError>(
            op, "expected elements along dimension " + std::to_string(dim) + ", got " + to_string(x.spec()));
    }
}
}  // namespace

Tensor reduction(const char* op, const Tensor& x, const Dims& dims) {
    require_dims(op, x, dims);
    return TensorSpec(without(x.shape(), dims), x.dtype(), x.device());
}

Tensor extremum(const char* op, const Tensor& x, const Dims& dims) {
    require_dims(op, x, dims);
    require_elements(op, x, dims);
    return reduction(op, x, dims);
}

Tensor arg_extremum(const char* op, const Tensor& x, const std::int64_t& dim) {
    require_dim(op, x, dim);
    require_elements(op, x, {dim});
    return TensorSpec(without(x.shape(), {dim}), int64, x.device());
}

Tensor cumsum(const Tensor& x, const std::int64_t& dim) {
    require_dim("cumsum", x, dim);
    return TensorSpec(x.shape(), x.dtype(), x.device());
}

}  // namespace fulgurite::meta
