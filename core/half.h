#pragma once

#include <bit>
#include <cstdint>

namespace fulgurite {

namespace detail {

/// IEEE binary32 to binary16 bits, round to nearest even, infinities and NaN kept.
constexpr std::uint16_t float_to_half_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // >= 65536
    if (magnitude < 0x38800000u) {  // below the smallest normal half: let the FPU round at 2^-24
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
    }
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

constexpr float half_bits_to_float(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
    if (magnitude < 0x400u) {  // zero or subnormal: magnitude * 2^-24
        const float value = static_cast<float>(magnitude) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
    }
    return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
}

/// IEEE binary32 to bfloat16 bits, round to nearest even, NaN kept quiet.
constexpr std::uint16_t float_to_bfloat16_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float bfloat16_bits_to_float(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace detail

/// IEEE binary16 storage; converts from and to float, computes nothing itself.
struct Half {
    std::uint16_t bits = 0;
    constexpr Half() = default;
    constexpr explicit Half(float value) : bits(detail::float_to_half_bits(value)) {}
    constexpr operator float() const { return detail::half_bits_to_float(bits); }
};

/// bfloat16 storage: the upper half of a float.
struct BFloat16 {
    std::uint16_t bits = 0;
    constexpr BFloat16() = default;
    constexpr explicit BFloat16(float value) : bits(detail::float_to_bfloat16_bits(value)) {}
    constexpr operator float() const { return detail::bfloat16_bits_to_float(bits); }
};

}  // namespace fulgurite
