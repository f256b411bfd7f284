#include <algorithm>

#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::meta {

namespace {

/// Collects the operands of a pointwise prim: tensors of one shape, dtype and device; numbers and weak values
/// aside.
class Operands {
public:
    explicit Operands(const char* op) : op_(op) {}

    void add(const Operand& operand) {
        if (operand.is_tensor() && !operand.tensor().spec().weak) {
            const TensorSpec& spec = operand.tensor().spec();
            if (strong_ && strong_->dtype != spec.dtype) mismatch<DTypeError>("dtype", *strong_, spec);
            strong_ = &spec;
            add_shape(spec);
        } else {
            const Category category =
                operand.is_tensor() ? category_of(operand.tensor().dtype()) : operand.number().category();
            weak_ = std::max(weak_, category);
        }
    }

    /// An operand whose dtype has nothing to do with the result's.
    void add_condition(const Tensor& condition) {
        if (!condition.spec().weak) add_shape(condition.spec());
    }

    /// What the operands are computed in.
    DType dtype() const {
        if (!strong_) {
            if (shaped_) {
                fail<DTypeError>(
                    op_, "expected a tensor among the values, got numbers only: use full for one of them");
            }
            return detail::weak_dtype(weak_);
        }
        if (weak_ > category_of(strong_->dtype)) {
            fail<DTypeError>(
                op_, "expected a dtype that holds the number, got " + to_string(*strong_) +
                         (weak_ == Category::floating ? " with a floating number" : " with an integer"));
        }
        return strong_->dtype;
    }

    Tensor result(DType dtype) const {
        if (!shaped_) {
            TensorSpec spec({}, dtype);
            spec.weak = true;
            return spec;
        }
        const Strides strides = one_layout_ ? preserved_strides(shaped_->shape, shaped_->strides)
                                            : contiguous_strides(shaped_->shape);
        return TensorSpec(shaped_->shape, dtype, shaped_->device, strides);
    }

private:
    void add_shape(const TensorSpec& spec) {
        if (!shaped_) {
            shaped_ = &spec;
            return;
        }
        if (shaped_->shape != spec.shape) mismatch<ShapeError>("shape", *shaped_, spec);
        if (shaped_->device != spec.device) mismatch<DeviceError>("device", *shaped_, spec);
        one_layout_ = one_layout_ && same_layout(spec.shape, shaped_->strides, spec.strides);
    }

    template <class E>
    [[noreturn]] void mismatch(const char* what, const TensorSpec& a, const TensorSpec& b) const {
        fail<E>(op_, std::string("expected tensors of one ") + what + ", got " + to_string(a) + " and " +
                         to_string(b));
    }

    const char* op_;
    const TensorSpec* strong_ = nullptr;
    const TensorSpec* shaped_ = nullptr;
    bool one_layout_ = true;
    Category weak_ = Category::boolean;
};

DType weakened(const Operand& x) {
    return x.is_tensor() ? x.tensor().dtype() : detail::weak_dtype(x.number().category());
}

[[noreturn]] void refuse_dtype(const char* op, const char* expected, const Operand& got) {
    fail<DTypeError>(op, std::string("expected ") + expected + ", got " + describe(got));
}

Operands both(const char* op, const Operand& a, const Operand& b) {
    Operands operands(op);
    operands.add(a);
    operands.add(b);
    return operands;
}

Operands one(const char* op, const Operand& x) {
    Operands operands(op);
    operands.add(x);
    return operands;
}

}  // namespace

Tensor same(const char* op, const Operand& x) {
    if (weakened(x) == bool_) refuse_dtype(op, "a numeric dtype", x);
    const Operands operands = one(op, x);
    return operands.result(operands.dtype());
}

Tensor floating(const char* op, const Operand& x) {
    const bool is_weak = !x.is_tensor() || x.tensor().spec().weak;
    if (!is_weak && !is_floating_point(x.tensor().dtype())) refuse_dtype(op, "a floating dtype", x);
    return one(op, x).result(is_weak ? float64 : x.tensor().dtype());
}

Tensor predicate(const char* op, const Operand& x) { return one(op, x).result(bool_); }

Tensor bitwise_unary(const char* op, const Operand& x) {
    if (is_floating_point(weakened(x))) refuse_dtype(op, "an integer or bool dtype", x);
    const Operands operands = one(op, x);
    return operands.result(operands.dtype());
}

Tensor arithmetic(const char* op, const Operand& a, const Operand& b) {
    const Operands operands = both(op, a, b);
    return operands.result(operands.dtype());
}

Tensor number_arithmetic(const char* op, const Operand& a, const Operand& b) {
    const Operands operands = both(op, a, b);
    if (operands.dtype() == bool_) refuse_dtype(op, "a numeric dtype", a);
    return operands.result(operands.dtype());
}

Tensor comparison(const char* op, const Operand& a, const Operand& b) {
    const Operands operands = both(op, a, b);
    static_cast<void>(operands.dtype());
    return operands.result(bool_);
}

Tensor bitwise(const char* op, const Operand& a, const Operand& b) {
    const Operands operands = both(op, a, b);
    if (is_floating_point(operands.dtype()))
        refuse_dtype(op, "an integer or bool dtype", is_floating_point(weakened(a)) ? a : b);
    return operands.result(operands.dtype());
}

Tensor where(const Tensor& condition, const Operand& a, const Operand& b) {
    const char* const op = "where";
    require_defined(op, condition);
    if (condition.dtype() != bool_) refuse_dtype(op, "a bool condition", condition);
    Operands operands = both(op, a, b);
    operands.add_condition(condition);
    return operands.result(operands.dtype());
}

Tensor convert(const Tensor& x, const DType& dtype) {
    require_defined("convert", x);
    return TensorSpec(x.shape(), dtype, x.device(), preserved_strides(x.shape(), x.strides()));
}

}  // namespace fulgurite::meta
