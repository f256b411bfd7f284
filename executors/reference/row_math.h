#pragma once

#include <cstdint>

/// The functions behind pointwise prims that the standard library lacks, or has only one element at a time.
/// For the files that are compiled once for each instruction set.
namespace fulgurite::reference {

/// Throws the ValueError for an integer division by zero; in a file of its own, compiled for any processor.
[[noreturn]] void throw_division_by_zero(const char* op);

namespace {

/// The compiler's own functions, overloaded: those of <cmath> are inline functions, of which the linker keeps
/// one copy.
namespace math {
#define FULGURITE_UNARY(name)                                     \
    inline float name(float x) { return __builtin_##name##f(x); } \
    inline double name(double x) { return __builtin_##name(x); }
#define FULGURITE_BINARY(name)                                                \
    inline float name(float x, float y) { return __builtin_##name##f(x, y); } \
    inline double name(double x, double y) { return __builtin_##name(x, y); }
FULGURITE_UNARY(fabs)
FULGURITE_UNARY(floor)
FULGURITE_UNARY(ceil)
FULGURITE_UNARY(trunc)
FULGURITE_UNARY(rint)
FULGURITE_UNARY(exp)
FULGURITE_UNARY(expm1)
FULGURITE_UNARY(log)
FULGURITE_UNARY(log1p)
FULGURITE_UNARY(sin)
FULGURITE_UNARY(cos)
FULGURITE_UNARY(tan)
FULGURITE_UNARY(tanh)
FULGURITE_UNARY(sqrt)
FULGURITE_UNARY(erf)
FULGURITE_BINARY(pow)
FULGURITE_BINARY(fmod)
#undef FULGURITE_UNARY
#undef FULGURITE_BINARY
}  // namespace math

template <class To, class From>
constexpr To bit_cast_to(From value) {
    return __builtin_bit_cast(To, value);
}

/// e^x within 1 ulp, branch-free so that loops over it become vectors (Cephes' polynomial; two steps of
/// scaling, so that results may be subnormal). NaN stays NaN.
[[gnu::always_inline]] inline float exp_of(float given) {
    constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
    constexpr float shifter =
        12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, kept in the lowest bits
    float x = given < -104.0f ? -104.0f : given;
    x = x > 89.0f ? 89.0f : x;
    const float shifted = x * log2_e + shifter;
    const auto exponent = bit_cast_to<std::int32_t>(shifted) - bit_cast_to<std::int32_t>(shifter);
    const float whole = shifted - shifter;
    const float r = (x - whole * ln2_high) - whole * ln2_low;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = (p * (r * r) + r) + 1.0f;
    const std::int32_t half = exponent >> 1;
    const float first = bit_cast_to<float>((half + 127) << 23);
    const float second = bit_cast_to<float>((exponent - half + 127) << 23);
    return p * first * second;
}

/// tanh within 2 ulp: a polynomial near zero, else by e^2x.
[[gnu::always_inline]] inline float tanh_of(float x) {
    const float z = x * x;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    const float near = p * z * x + x;
    const float magnitude = x < 0 ? -x : x;
    const float far = 1.0f - 2.0f / (exp_of(magnitude + magnitude) + 1.0f);
    const float signed_far = x < 0 ? -far : far;
    return magnitude < 0.625f ? near : signed_far;
}

inline double exp_of(double x) { return math::exp(x); }
inline double tanh_of(double x) { return math::tanh(x); }

/// Truncating; the smallest integer divided by -1 wraps.
inline std::int64_t divide(std::int64_t x, std::int64_t y) {
    if (y == 0) {
        throw_division_by_zero("div");
    }
    if (y == -1) {
        return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x));
    }
    return x / y;
}

inline std::int64_t truncating_remainder(std::int64_t x, std::int64_t y) {
    if (y == 0) {
        throw_division_by_zero("fmod");
    }
    return y == -1 ? 0 : x % y;
}

/// Python's %: the sign of the divisor.
inline std::int64_t floor_remainder(std::int64_t x, std::int64_t y) {
    if (y == 0) {
        throw_division_by_zero("remainder");
    }
    const std::int64_t rest = y == -1 ? 0 : x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

template <class C>
C floor_remainder(C x, C y) {
    const C rest = math::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/// Modulo 2^64; a negative exponent truncates the fraction to 0, but for 1 and -1.
inline std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) {
        if (base == 1 || base == -1) {
            return exponent % 2 ? base : 1;
        }
        return 0;
    }
    std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
    for (; exponent != 0; exponent >>= 1, square *= square) {
        if (exponent & 1) {
            result *= square;
        }
    }
    return static_cast<std::int64_t>(result);
}

}  // namespace
}  // namespace fulgurite::reference
