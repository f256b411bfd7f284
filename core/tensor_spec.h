#pragma once

#include <initializer_list>
#include <string>

#include <fulgurite/core/device.h>
#include <fulgurite/core/dims.h>
#include <fulgurite/core/dtype.h>

namespace fulgurite {

/// What is known of a tensor without its elements. Strides count elements, not bytes.
/// `weak`: a 0-dim host value that stands for a C++ number and promotes like one.
struct TensorSpec {
    Shape shape;
    DType dtype = DType::float32;
    Device device;
    Strides strides;
    bool weak = false;

    TensorSpec() = default;
    /// Row-major.
    TensorSpec(Shape shape_, DType dtype_ = DType::float32, Device device_ = cpu);
    TensorSpec(std::initializer_list<std::int64_t> shape_, DType dtype_ = DType::float32,
               Device device_ = cpu)
        : TensorSpec(Shape(shape_), dtype_, device_) {}
    TensorSpec(Shape shape_, DType dtype_, Device device_, Strides strides_);

    int rank() const { return shape.size(); }
    std::int64_t numel() const { return numel_of(shape); }
    bool is_contiguous() const { return fulgurite::is_contiguous(shape, strides); }

    friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// "float32[2, 3]", with strides where they are not row-major and the device where it is not the CPU.
std::string to_string(const TensorSpec& spec);

/// The dtype that operands of these specs promote to (torch.result_type): tensors with dimensions first, then
/// 0-dim tensors, then weak ones; a lower class decides only by a higher category.
class Promotion {
public:
    void add(const TensorSpec& spec);
    void add(DType dtype, int rank, bool weak);
    DType result() const;

private:
    struct Class {
        bool any = false;
        DType dtype = DType::bool_;
        void add(DType other);
    };
    Class dimensioned_, zero_dim_, weak_;
};

}  // namespace fulgurite
