#include <fulgurite/core/half.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;

namespace {

/// What a 16-bit float of the given layout means, from the definition.
double meaning(std::uint16_t bits, int exponent_bits, int mantissa_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    const int mantissa = bits & ((1 << mantissa_bits) - 1);
    const double sign = bits & 0x8000 ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1) {
        return mantissa ? std::nan("") : sign * INFINITY;
    }
    if (exponent == 0) {
        return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
    }
    return sign * std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
}

bool same(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) {
        return std::isnan(a) && std::isnan(b);
    }
    return a == b && std::signbit(a) == std::signbit(b);
}

/// All patterns convert exactly and back, and the floats between two neighbours round to the nearest, ties to
/// even.
template <class T>
void check_every_pattern(int exponent_bits, int mantissa_bits) {
    const int infinity = ((1 << exponent_bits) - 1) << mantissa_bits;
    for (int pattern = 0; pattern < 65536; ++pattern) {
        T value;
        value.bits = static_cast<std::uint16_t>(pattern);
        const float wide = value;
        const bool exact = same(wide, meaning(value.bits, exponent_bits, mantissa_bits));
        const T back(wide);
        const bool round_trip = std::isnan(wide) ? std::isnan(float(back)) : back.bits == value.bits;
        const int magnitude = pattern & 0x7fff;
        bool rounds = true;
        if (magnitude + 1 < infinity) {
            T next;
            next.bits = static_cast<std::uint16_t>(pattern + 1);
            const float middle = static_cast<float>((double(wide) + double(float(next))) / 2);
            const std::uint16_t even = pattern % 2 ? next.bits : value.bits;
            rounds = T(middle).bits == even && T(std::nextafter(middle, wide)).bits == value.bits &&
                     T(std::nextafter(middle, float(next))).bits == next.bits;
        }
        if (!exact || !round_trip || !rounds) {
            FAIL("pattern " << pattern << " is " << wide << ": " << exact << round_trip << rounds);
        }
    }
    SUCCEED();
}

}  // namespace

TEST_CASE("every half converts exactly and rounds to even", "[half]") { check_every_pattern<Half>(5, 10); }

TEST_CASE("every bfloat16 converts exactly and rounds to even", "[half]") {
    check_every_pattern<BFloat16>(8, 7);
}

TEST_CASE("the ends of half's range", "[half]") {
    CHECK(Half(65504.0f).bits == 0x7bff);
    CHECK(Half(65519.996f).bits == 0x7bff);
    CHECK(Half(65520.0f).bits == 0x7c00);
    CHECK(Half(-1e30f).bits == 0xfc00);
    CHECK(Half(0x1p-25f).bits == 0);
    CHECK(Half(0x1.000002p-25f).bits == 1);
    CHECK(Half(-0x1p-26f).bits == 0x8000);
    CHECK(Half(std::numeric_limits<float>::denorm_min()).bits == 0);
    CHECK(std::isnan(float(Half(std::numeric_limits<float>::quiet_NaN()))));
    CHECK(float(Half(std::numeric_limits<float>::infinity())) == std::numeric_limits<float>::infinity());
}

TEST_CASE("the ends of bfloat16's range", "[half]") {
    CHECK(BFloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
    CHECK(BFloat16(-std::numeric_limits<float>::max()).bits == 0xff80);
    CHECK(std::isnan(float(BFloat16(std::bit_cast<float>(0x7f800001u)))));
    CHECK(std::isnan(float(BFloat16(std::bit_cast<float>(0xffffffffu)))));
    CHECK(BFloat16(std::numeric_limits<float>::denorm_min()).bits == 0);
}
