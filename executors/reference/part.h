#pragma once

#include <cstddef>
#include <cstdint>

#include <fulgurite/executors/reference/view.h>

namespace fulgurite::reference {

/// A view with a shape and strides of its own, to cut from another one.
class Part {
public:
    explicit Part(const View& whole)
        : shape_(*whole.shape),
          strides_(*whole.strides),
          data_(static_cast<std::byte*>(whole.data)),
          dtype_(whole.dtype) {}

    /// Keeps `size` elements of a dimension, from `begin`.
    Part& narrow(int dim, std::int64_t begin, std::int64_t size) {
        move(begin * strides_[dim]);
        shape_[dim] = size;
        return *this;
    }
    Part& reverse(int dim) {
        if (shape_[dim] > 0) {
            move((shape_[dim] - 1) * strides_[dim]);
        }
        strides_[dim] = -strides_[dim];
        return *this;
    }
    Part& drop(int dim) {
        shape_.erase(dim);
        strides_.erase(dim);
        return *this;
    }
    Part& set_stride(int dim, std::int64_t stride) {
        strides_[dim] = stride;
        return *this;
    }
    Part& set_shape(const Shape& shape) {
        shape_ = shape;
        return *this;
    }

    /// Valid as long as the part is.
    View view() const { return {data_, dtype_, &shape_, &strides_}; }

private:
    void move(std::int64_t elements) {
        if (data_ != nullptr) {
            data_ += elements * size_of(dtype_);
        }
    }

    Shape shape_;
    Strides strides_;
    std::byte* data_;
    DType dtype_;
};

}  // namespace fulgurite::reference
