#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <fulgurite/core/half.h>

namespace fulgurite {

/// The element type of a tensor. The order within the integers and within the floats is that of promotion.
enum class DType : std::uint8_t {
    bool_,
    uint8,
    int8,
    int16,
    int32,
    int64,
    float16,
    bfloat16,
    float32,
    float64
};
using enum DType;

inline constexpr int dtype_count = 10;

/// What a kernel computes in, and what a C++ number is: bool < integer < floating (PyTorch's promotion
/// categories).
enum class Category : std::uint8_t { boolean, integer, floating };

/// Bytes of one element.
constexpr std::int64_t size_of(DType dtype) {
    constexpr std::int64_t sizes[dtype_count] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8};
    return sizes[static_cast<int>(dtype)];
}

constexpr Category category_of(DType dtype) {
    if (dtype == DType::bool_) return Category::boolean;
    return dtype < DType::float16 ? Category::integer : Category::floating;
}

constexpr bool is_floating_point(DType dtype) { return category_of(dtype) == Category::floating; }

/// The name as PyTorch spells it; bool_ prints as "bool_", which is also its name in C++ and in a trace's
/// text.
constexpr std::string_view name_of(DType dtype) {
    constexpr std::string_view names[dtype_count] = {"bool_", "uint8",   "int8",     "int16",   "int32",
                                                     "int64", "float16", "bfloat16", "float32", "float64"};
    return names[static_cast<int>(dtype)];
}

/// The DType of a C++ element type; `bool`, the fixed-width integers, Half, BFloat16, float and double have
/// one.
template <class T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, bool>)
        return DType::bool_;
    else if constexpr (std::is_same_v<T, Half>)
        return DType::float16;
    else if constexpr (std::is_same_v<T, BFloat16>)
        return DType::bfloat16;
    else if constexpr (std::is_same_v<T, float>)
        return DType::float32;
    else if constexpr (std::is_same_v<T, double>)
        return DType::float64;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return DType::uint8;
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 1)
        return DType::int8;
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 2)
        return DType::int16;
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 4)
        return DType::int32;
    else {
        static_assert(std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 8,
                      "this C++ type is no tensor element type");
        return DType::int64;
    }
}

/// The dtype of the result of an operation on both (torch.promote_types).
DType promote_types(DType a, DType b);

/// float32 unless another thread-local default was set (torch.get_default_dtype); C++ numbers take it.
DType default_dtype();
/// Throws ValueError unless `dtype` is a floating dtype.
void set_default_dtype(DType dtype);

}  // namespace fulgurite
