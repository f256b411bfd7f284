#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::meta {

Tensor clone(const Tensor& x) {
    TensorSpec spec(x.shape(), x.dtype(), x.device());
    spec.weak = x.spec().weak;
    return spec;
}

Tensor device_put(const Tensor& x, const Device& device) { return TensorSpec(x.shape(), x.dtype(), device); }

Tensor full(const Shape& shape, const Operand& value, const DType& dtype, const Device& device) {
    require_number("full", value);
    return TensorSpec(shape, dtype, device);
}

Tensor iota(const std::int64_t& count, const Operand& start, const Operand& step, const DType& dtype,
            const Device& device) {
    const char* const op = "iota";
    require_number(op, start);
    require_number(op, step);
    if (count < 0) fail<ValueError>(op, "expected a count of at least 0, got " + std::to_string(count));
    if (dtype == bool_) fail<DTypeError>(op, "expected a numeric dtype, got bool_");
    return TensorSpec({count}, dtype, device);
}

Tensor get_grad(const Tensor& value) { return TensorSpec(value.shape(), value.dtype(), value.device()); }

void put_grad(const Tensor& value, const Tensor& grad) {
    const char* const op = "put_grad";
    require_same_dtype(op, value, grad);
    require_same_device(op, value, grad);
    if (value.shape() == grad.shape()) return;
    fail<ShapeError>(
        op, "expected a gradient of shape " + to_string(value.shape()) + ", got " + to_string(grad.spec()));
}

}  // namespace fulgurite::meta
