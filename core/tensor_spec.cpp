#include <fulgurite/core/tensor_spec.h>

#include <fulgurite/core/errors.h>

namespace fulgurite {

namespace {
void check_shape(const Shape& shape) {
    for (const std::int64_t size : shape) {
        if (size < 0)
            fail<ShapeError>("TensorSpec", "expected sizes of at least 0, got shape " + to_string(shape));
    }
    numel_of(shape);
}
}  // namespace

TensorSpec::TensorSpec(Shape shape_, DType dtype_, Device device_)
    : shape(shape_), dtype(dtype_), device(device_) {
    check_shape(shape);
    strides = contiguous_strides(shape);
}

TensorSpec::TensorSpec(Shape shape_, DType dtype_, Device device_, Strides strides_)
    : shape(shape_), dtype(dtype_), device(device_), strides(strides_) {
    check_shape(shape);
    if (strides.size() != shape.size()) {
        fail<ShapeError>("TensorSpec", "expected as many strides as sizes, got shape " + to_string(shape) +
                                           " with strides " + to_string(strides));
    }
}

std::string to_string(const TensorSpec& spec) {
    std::string text = std::string(name_of(spec.dtype)) + to_string(spec.shape);
    if (!spec.is_contiguous()) text += " strides " + to_string(spec.strides);
    if (spec.device != cpu) text += " " + to_string(spec.device);
    if (spec.weak) text += " weak";
    return text;
}

void Promotion::Class::add(DType other) {
    dtype = any ? promote_types(dtype, other) : other;
    any = true;
}

void Promotion::add(DType dtype, int rank, bool weak) {
    // A C++ floating number is float64 only for want of another host type: it never widens a tensor.
    if (weak)
        weak_.add(dtype == DType::float64 ? default_dtype() : dtype);
    else if (rank == 0)
        zero_dim_.add(dtype);
    else
        dimensioned_.add(dtype);
}

void Promotion::add(const TensorSpec& spec) { add(spec.dtype, spec.rank(), spec.weak); }

DType Promotion::result() const {
    const auto combine = [](const Class& higher, const Class& lower) -> Class {
        if (!higher.any) return lower;
        if (!lower.any || category_of(higher.dtype) >= category_of(lower.dtype)) return higher;
        return {true, promote_types(higher.dtype, lower.dtype)};
    };
    return combine(dimensioned_, combine(zero_dim_, weak_)).dtype;
}

}  // namespace fulgurite
