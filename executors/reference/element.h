#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <fulgurite/core/half.h>

namespace fulgurite::reference {

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// One element of any type as one of any other: truncation towards zero, wrap-around, "not 0".
template <class To, class From>
constexpr To element_cast(From value) {
    if constexpr (is_small_float<From>) {
        return element_cast<To>(static_cast<float>(value));
    } else if constexpr (std::is_same_v<To, bool>) {
        return value != From{0};
    } else if constexpr (is_small_float<To>) {
        return To(static_cast<float>(value));
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        const bool fits = value >= From(-0x1p63) && value < From(0x1p63);
        return static_cast<To>(fits ? static_cast<std::int64_t>(value)
                                    : std::numeric_limits<std::int64_t>::min());
    } else {
        return static_cast<To>(value);
    }
}

}  // namespace fulgurite::reference
