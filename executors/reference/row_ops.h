#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <fulgurite/executors/reference/row_math.h>

/// What each pointwise prim computes on one element, as a struct of its name with `of`; a struct whose `of`
/// does not take integers (or floats) is not defined for them. For the files that are compiled once for each
/// instruction set.
namespace fulgurite::reference {
namespace {
namespace ops {

using std::int64_t;
using std::uint64_t;

template <class C>
concept Floating = std::is_floating_point_v<C>;

constexpr int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }
constexpr uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }

template <bool value>
constexpr bool constant(int64_t) {
    return value;
}

#define FULGURITE_ANY(name, parameters, float_result, integer_result) \
    struct name {                                                     \
        template <Floating C>                                         \
        static auto of parameters(C) {                                \
            return float_result;                                      \
        }                                                             \
        static auto of parameters(int64_t) { return integer_result; } \
    };
#define FULGURITE_FLOAT(name, parameters, result) \
    struct name {                                 \
        template <Floating C>                     \
        static C of parameters(C) {               \
            return result;                        \
        }                                         \
    };
#define FULGURITE_INTEGER(name, parameters, result) \
    struct name {                                   \
        template <std::same_as<int64_t> C>          \
        static int64_t of parameters(C) {           \
            return result;                          \
        }                                           \
    };
#define X(C) (C x)
#define XY(C) (C x, C y)

FULGURITE_ANY(neg, X, -x, wrap(0 - bits(x)))
FULGURITE_ANY(abs, X, math::fabs(x), x < 0 ? wrap(0 - bits(x)) : x)
FULGURITE_ANY(sign, X, C(x > 0) - C(x < 0), int64_t(x > 0) - int64_t(x < 0))
FULGURITE_ANY(floor, X, math::floor(x), x)
FULGURITE_ANY(ceil, X, math::ceil(x), x)
FULGURITE_ANY(trunc, X, math::trunc(x), x)
FULGURITE_ANY(round, X, math::rint(x), x)
FULGURITE_FLOAT(exp, X, exp_of(x))
FULGURITE_FLOAT(expm1, X, math::expm1(x))
FULGURITE_FLOAT(log, X, math::log(x))
FULGURITE_FLOAT(log1p, X, math::log1p(x))
FULGURITE_FLOAT(sin, X, math::sin(x))
FULGURITE_FLOAT(cos, X, math::cos(x))
FULGURITE_FLOAT(tan, X, math::tan(x))
FULGURITE_FLOAT(tanh, X, tanh_of(x))
FULGURITE_FLOAT(sqrt, X, math::sqrt(x))
FULGURITE_FLOAT(rsqrt, X, 1 / math::sqrt(x))
FULGURITE_FLOAT(reciprocal, X, 1 / x)
FULGURITE_FLOAT(erf, X, math::erf(x))
FULGURITE_ANY(logical_not, X, x == 0, x == 0)
FULGURITE_INTEGER(bitwise_not, X, ~x)
FULGURITE_ANY(isnan, X, x != x, constant<false>(x))
FULGURITE_ANY(isfinite, X, math::fabs(x) <= std::numeric_limits<C>::max(), constant<true>(x))

FULGURITE_ANY(add, XY, x + y, wrap(bits(x) + bits(y)))
FULGURITE_ANY(sub, XY, x - y, wrap(bits(x) - bits(y)))
FULGURITE_ANY(mul, XY, (x * y), wrap(bits(x) * bits(y)))
FULGURITE_ANY(div, XY, x / y, divide(x, y))
FULGURITE_ANY(pow, XY, math::pow(x, y), integer_power(x, y))
FULGURITE_ANY(maximum, XY, x > y || x != x ? x : y, x > y ? x : y)
FULGURITE_ANY(minimum, XY, x < y || x != x ? x : y, x < y ? x : y)
FULGURITE_ANY(remainder, XY, floor_remainder(x, y), floor_remainder(x, y))
FULGURITE_ANY(fmod, XY, math::fmod(x, y), truncating_remainder(x, y))
FULGURITE_ANY(eq, XY, x == y, x == y)
FULGURITE_ANY(ne, XY, x != y, x != y)
FULGURITE_ANY(lt, XY, x < y, x < y)
FULGURITE_ANY(le, XY, x <= y, x <= y)
FULGURITE_ANY(gt, XY, x > y, x > y)
FULGURITE_ANY(ge, XY, x >= y, x >= y)
FULGURITE_ANY(logical_and, XY, bool((x != 0) & (y != 0)), bool((x != 0) & (y != 0)))
FULGURITE_ANY(logical_or, XY, bool((x != 0) | (y != 0)), bool((x != 0) | (y != 0)))
FULGURITE_ANY(logical_xor, XY, (x != 0) != (y != 0), (x != 0) != (y != 0))
FULGURITE_INTEGER(bitwise_and, XY, x& y)
FULGURITE_INTEGER(bitwise_or, XY, x | y)
FULGURITE_INTEGER(bitwise_xor, XY, x ^ y)

#undef X
#undef XY
#undef FULGURITE_ANY
#undef FULGURITE_FLOAT
#undef FULGURITE_INTEGER

}  // namespace ops
}  // namespace
}  // namespace fulgurite::reference
