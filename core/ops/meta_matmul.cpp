#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::meta {

Tensor matmul(const Tensor& a, const Tensor& b) {
    const char* const op = "matmul";
    require_defined(op, a);
    require_defined(op, b);
    require_same_dtype(op, a, b);
    require_same_device(op, a, b);
    const Shape& left = a.shape();
    const Shape& right = b.shape();
    const int rank = left.size();
    bool fits = rank >= 2 && right.size() == rank && left[rank - 1] == right[rank - 2];
    for (int i = 0; fits && i < rank - 2; ++i) fits = left[i] == right[i];
    if (!fits) {
        fail<ShapeError>(op, "expected [batch..., m, k] and [batch..., k, n], got " + to_string(a.spec()) +
                                 " and " + to_string(b.spec()));
    }
    if (a.dtype() == bool_) fail<DTypeError>(op, "expected a numeric dtype, got " + to_string(a.spec()));
    Shape shape = left;
    shape[rank - 1] = right[rank - 1];
    return TensorSpec(shape, a.dtype(), a.device());
}

}  // namespace fulgurite::meta
