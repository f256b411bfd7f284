#pragma once

#include <cstdint>

#include <fulgurite/core/dims.h>
#include <fulgurite/core/dtype.h>

namespace fulgurite::reference {

/// A tensor as the kernels see it: `data` points at its first element, strides count elements and may be
/// anything.
struct View {
    void* data = nullptr;
    DType dtype = DType::float32;
    const Shape* shape = nullptr;
    const Strides* strides = nullptr;

    int rank() const { return shape->size(); }
    std::int64_t size(int dim) const { return (*shape)[dim]; }
    std::int64_t stride(int dim) const { return (*strides)[dim]; }
    template <class T>
    T* as() const {
        return static_cast<T*>(data);
    }
};

}  // namespace fulgurite::reference
