#include <fulgurite/core/ops/meta_common.h>

namespace fulgurite::meta {

std::string describe(const Operand& operand) {
    if (operand.is_tensor()) return to_string(operand.tensor().spec());
    const Number& number = operand.number();
    if (number.category() == Category::boolean) return number.as_bool() ? "true" : "false";
    if (number.category() == Category::integer) return std::to_string(number.as_int());
    return std::to_string(number.as_double());
}

void require_defined(const char* op, const Tensor& x) {
    if (!x.defined()) fail<ValueError>(op, "expected a tensor, got an undefined one");
}

void require_index(const char* op, const Tensor& index) {
    require_defined(op, index);
    if (index.dtype() == int64 || index.dtype() == int32) return;
    fail<DTypeError>(op, "expected an index of int64 or int32, got " + to_string(index.spec()));
}

void require_floating(const char* op, const Tensor& x) {
    require_defined(op, x);
    if (is_floating_point(x.dtype())) return;
    fail<DTypeError>(op, "expected a floating dtype, got " + to_string(x.spec()));
}

void require_same_dtype(const char* op, const Tensor& a, const Tensor& b) {
    if (a.dtype() == b.dtype()) return;
    fail<DTypeError>(op, "expected one dtype, got " + to_string(a.spec()) + " and " + to_string(b.spec()));
}

void require_same_device(const char* op, const Tensor& a, const Tensor& b) {
    if (a.device() == b.device()) return;
    fail<DeviceError>(op, "expected one device, got " + to_string(a.spec()) + " on " + to_string(a.device()) +
                              " and " + to_string(b.spec()) + " on " + to_string(b.device()));
}

void require_dim(const char* op, const Tensor& x, std::int64_t dim) {
    require_defined(op, x);
    if (dim >= 0 && dim < x.dim()) return;
    fail<IndexError>(op, "expected a dimension of " + to_string(x.spec()) + ", got " + std::to_string(dim));
}

void require_dims(const char* op, const Tensor& x, const Dims& dims) {
    require_defined(op, x);
    for (int i = 0; i < dims.size(); ++i) {
        require_dim(op, x, dims[i]);
        for (int j = 0; j < i; ++j) {
            if (dims[i] == dims[j])
                fail<ValueError>(op, "expected distinct dimensions, got " + to_string(dims));
        }
    }
}

void require_rank(const char* op, const Tensor& x, const Dims& list, const char* what) {
    require_defined(op, x);
    if (list.size() == x.dim()) return;
    fail<ShapeError>(op, std::string("expected one of the ") + what + " for each dimension of " +
                             to_string(x.spec()) + ", got " + to_string(list));
}

void require_number(const char* op, const Operand& value) {
    if (!value.is_tensor() || value.tensor().dim() == 0) return;
    fail<ShapeError>(op, "expected a number or a 0-dim tensor, got " + describe(value));
}

}  // namespace fulgurite::meta
