#pragma once

#include <cstdint>

#include <fulgurite/core/dtype.h>

namespace fulgurite::reference {

template <class T>
struct Type {
    using type = T;
};

/// Calls f(Type<T>{}) with the C++ type of the elements.
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
    switch (dtype) {
        case DType::bool_:
            return f(Type<bool>{});
        case DType::uint8:
            return f(Type<std::uint8_t>{});
        case DType::int8:
            return f(Type<std::int8_t>{});
        case DType::int16:
            return f(Type<std::int16_t>{});
        case DType::int32:
            return f(Type<std::int32_t>{});
        case DType::int64:
            return f(Type<std::int64_t>{});
        case DType::float16:
            return f(Type<Half>{});
        case DType::bfloat16:
            return f(Type<BFloat16>{});
        case DType::float32:
            return f(Type<float>{});
        case DType::float64:
            return f(Type<double>{});
    }
    __builtin_unreachable();
}

/// Calls f(Type<T>{}) with an unsigned type of the elements' size, for kernels that only move them.
template <class F>
decltype(auto) dispatch_size(DType dtype, F&& f) {
    switch (size_of(dtype)) {
        case 1:
            return f(Type<std::uint8_t>{});
        case 2:
            return f(Type<std::uint16_t>{});
        case 4:
            return f(Type<std::uint32_t>{});
        default:
            return f(Type<std::uint64_t>{});
    }
}

}  // namespace fulgurite::reference
