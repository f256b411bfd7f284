#pragma once

#include <optional>

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/prims.h>
#include <fulgurite/core/ops/promote.h>

/// Elementwise operations. Each takes tensors and numbers, promotes and broadcasts them as PyTorch does, and
/// throws ShapeError for shapes that do not broadcast, DTypeError for a dtype it does not take, DeviceError
/// for two devices.
namespace fulgurite {

enum class RoundingMode { none, trunc, floor };

struct DivOptions {
    RoundingMode rounding_mode = RoundingMode::none;
};

struct ClampOptions {
    std::optional<Operand> min = {};
    std::optional<Operand> max = {};
};

enum class GeluApproximation { none, tanh };

struct GeluOptions {
    GeluApproximation approximate = GeluApproximation::none;
};

namespace decompose {

template <const auto& prim, PromotionKind kind = PromotionKind::keep>
Tensor unary(const char* op, const Operand& x) {
    return prim(promoted(op, kind, x)[0]);
}

template <const auto& prim, PromotionKind kind = PromotionKind::keep>
Tensor binary(const char* op, const Operand& a, const Operand& b) {
    const auto [x, y] = promoted(op, kind, a, b);
    return prim(x, y);
}

/// A numeric function of one operand that is its own identity on integers.
template <const auto& prim>
Tensor rounding(const char* op, const Operand& x) {
    if (x.is_tensor() && !is_weak(x) && category_of(x.tensor().dtype()) == Category::integer)
        return x.tensor();
    return unary<prim, PromotionKind::no_bool>(op, x);
}

Tensor div(const Operand& a, const Operand& b, const DivOptions& options);
Tensor floor_divide(const Operand& a, const Operand& b);
Tensor pow(const Operand& a, const Operand& b);
Tensor square(const Operand& x);
Tensor sigmoid(const Operand& x);
Tensor relu(const Operand& x);
Tensor gelu(const Operand& x, const GeluOptions& options);
Tensor silu(const Operand& x);
Tensor isinf(const Operand& x);
Tensor where(const Operand& condition, const Operand& a, const Operand& b);
Tensor clamp(const Operand& x, const ClampOptions& options);
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Operand& value);

}  // namespace decompose

namespace ops {
using enum PromotionKind;

inline constexpr NamedComposite<"neg", &decompose::unary<prims::neg, no_bool>> neg;
inline constexpr NamedComposite<"abs", &decompose::unary<prims::abs, no_bool>> abs;
inline constexpr NamedComposite<"sign", &decompose::unary<prims::sign, no_bool>> sign;
inline constexpr NamedComposite<"floor", &decompose::rounding<prims::floor>> floor;
inline constexpr NamedComposite<"ceil", &decompose::rounding<prims::ceil>> ceil;
inline constexpr NamedComposite<"trunc", &decompose::rounding<prims::trunc>> trunc;
inline constexpr NamedComposite<"round", &decompose::rounding<prims::round>> round;
inline constexpr NamedComposite<"exp", &decompose::unary<prims::exp, int_to_float>> exp;
inline constexpr NamedComposite<"expm1", &decompose::unary<prims::expm1, int_to_float>> expm1;
inline constexpr NamedComposite<"log", &decompose::unary<prims::log, int_to_float>> log;
inline constexpr NamedComposite<"log1p", &decompose::unary<prims::log1p, int_to_float>> log1p;
inline constexpr NamedComposite<"sin", &decompose::unary<prims::sin, int_to_float>> sin;
inline constexpr NamedComposite<"cos", &decompose::unary<prims::cos, int_to_float>> cos;
inline constexpr NamedComposite<"tan", &decompose::unary<prims::tan, int_to_float>> tan;
inline constexpr NamedComposite<"tanh", &decompose::unary<prims::tanh, int_to_float>> tanh;
inline constexpr NamedComposite<"sqrt", &decompose::unary<prims::sqrt, int_to_float>> sqrt;
inline constexpr NamedComposite<"rsqrt", &decompose::unary<prims::rsqrt, int_to_float>> rsqrt;
inline constexpr NamedComposite<"reciprocal", &decompose::unary<prims::reciprocal, int_to_float>> reciprocal;
inline constexpr NamedComposite<"erf", &decompose::unary<prims::erf, int_to_float>> erf;
inline constexpr NamedComposite<"logical_not", &decompose::unary<prims::logical_not>> logical_not;
inline constexpr NamedComposite<"isnan", &decompose::unary<prims::isnan>> isnan;
inline constexpr NamedComposite<"isfinite", &decompose::unary<prims::isfinite>> isfinite;
inline constexpr NamedComposite<"bitwise_not", &decompose::unary<prims::bitwise_not>> bitwise_not;
inline constexpr Composite<"isinf", &decompose::isinf> isinf;
inline constexpr Composite<"square", &decompose::square> square;
inline constexpr Composite<"sigmoid", &decompose::sigmoid> sigmoid;
inline constexpr Composite<"relu", &decompose::relu> relu;
inline constexpr Composite<"gelu", &decompose::gelu> gelu;
inline constexpr Composite<"silu", &decompose::silu> silu;

inline constexpr NamedComposite<"add", &decompose::binary<prims::add>> add;
inline constexpr NamedComposite<"sub", &decompose::binary<prims::sub, no_bool>> sub;
inline constexpr NamedComposite<"mul", &decompose::binary<prims::mul>> mul;
inline constexpr Composite<"div", &decompose::div> div;
inline constexpr Composite<"floor_divide", &decompose::floor_divide> floor_divide;
inline constexpr NamedComposite<"remainder", &decompose::binary<prims::remainder, no_bool>> remainder;
inline constexpr NamedComposite<"fmod", &decompose::binary<prims::fmod, no_bool>> fmod;
inline constexpr Composite<"pow", &decompose::pow> pow;
inline constexpr NamedComposite<"maximum", &decompose::binary<prims::maximum>> maximum;
inline constexpr NamedComposite<"minimum", &decompose::binary<prims::minimum>> minimum;
inline constexpr NamedComposite<"eq", &decompose::binary<prims::eq>> eq;
inline constexpr NamedComposite<"ne", &decompose::binary<prims::ne>> ne;
inline constexpr NamedComposite<"lt", &decompose::binary<prims::lt>> lt;
inline constexpr NamedComposite<"le", &decompose::binary<prims::le>> le;
inline constexpr NamedComposite<"gt", &decompose::binary<prims::gt>> gt;
inline constexpr NamedComposite<"ge", &decompose::binary<prims::ge>> ge;
inline constexpr NamedComposite<"logical_and", &decompose::binary<prims::logical_and>> logical_and;
inline constexpr NamedComposite<"logical_or", &decompose::binary<prims::logical_or>> logical_or;
inline constexpr NamedComposite<"logical_xor", &decompose::binary<prims::logical_xor>> logical_xor;
inline constexpr NamedComposite<"bitwise_and", &decompose::binary<prims::bitwise_and>> bitwise_and;
inline constexpr NamedComposite<"bitwise_or", &decompose::binary<prims::bitwise_or>> bitwise_or;
inline constexpr NamedComposite<"bitwise_xor", &decompose::binary<prims::bitwise_xor>> bitwise_xor;

inline constexpr Composite<"where", &decompose::where> where;
inline constexpr Composite<"clamp", &decompose::clamp> clamp;
inline constexpr Composite<"masked_fill", &decompose::masked_fill> masked_fill;
}  // namespace ops

/// -x; not of bool (torch.neg).
inline Tensor neg(Arg x) { return detail::call(ops::neg, x); }
/// |x| (torch.abs).
inline Tensor abs(Arg x) { return detail::call(ops::abs, x); }
/// -1, 0 or 1 (torch.sign).
inline Tensor sign(Arg x) { return detail::call(ops::sign, x); }
/// The next integer below; integers stay as they are (torch.floor).
inline Tensor floor(Arg x) { return detail::call(ops::floor, x); }
/// The next integer above (torch.ceil).
inline Tensor ceil(Arg x) { return detail::call(ops::ceil, x); }
/// Toward zero (torch.trunc).
inline Tensor trunc(Arg x) { return detail::call(ops::trunc, x); }
/// To the nearest integer, halves to the even one (torch.round).
inline Tensor round(Arg x) { return detail::call(ops::round, x); }
/// e^x; integers become the default dtype, as in all that follow (torch.exp).
inline Tensor exp(Arg x) { return detail::call(ops::exp, x); }
/// e^x - 1, exact near 0 (torch.expm1).
inline Tensor expm1(Arg x) { return detail::call(ops::expm1, x); }
/// The natural logarithm (torch.log).
inline Tensor log(Arg x) { return detail::call(ops::log, x); }
/// log(1 + x), exact near 0 (torch.log1p).
inline Tensor log1p(Arg x) { return detail::call(ops::log1p, x); }
/// torch.sin
inline Tensor sin(Arg x) { return detail::call(ops::sin, x); }
/// torch.cos
inline Tensor cos(Arg x) { return detail::call(ops::cos, x); }
/// torch.tan
inline Tensor tan(Arg x) { return detail::call(ops::tan, x); }
/// torch.tanh
inline Tensor tanh(Arg x) { return detail::call(ops::tanh, x); }
/// torch.sqrt
inline Tensor sqrt(Arg x) { return detail::call(ops::sqrt, x); }
/// 1 / sqrt(x) (torch.rsqrt).
inline Tensor rsqrt(Arg x) { return detail::call(ops::rsqrt, x); }
/// 1 / x (torch.reciprocal).
inline Tensor reciprocal(Arg x) { return detail::call(ops::reciprocal, x); }
/// The error function (torch.erf).
inline Tensor erf(Arg x) { return detail::call(ops::erf, x); }
/// x * x; bools become int64 (torch.square).
inline Tensor square(Arg x) { return detail::call(ops::square, x); }
/// 1 / (1 + e^-x) (torch.sigmoid).
inline Tensor sigmoid(Arg x) { return detail::call(ops::sigmoid, x); }
/// max(x, 0); its gradient at 0 is 0 (torch.relu).
inline Tensor relu(Arg x) { return detail::call(ops::relu, x); }
/// x times the normal distribution function of x, or its approximation by tanh (torch.nn.functional.gelu).
inline Tensor gelu(Arg x, const GeluOptions& options = {}) { return detail::call(ops::gelu, x, options); }
/// x * sigmoid(x) (torch.nn.functional.silu).
inline Tensor silu(Arg x) { return detail::call(ops::silu, x); }

/// bool: where x is 0 (torch.logical_not).
inline Tensor logical_not(Arg x) { return detail::call(ops::logical_not, x); }
/// bool (torch.isnan)
inline Tensor isnan(Arg x) { return detail::call(ops::isnan, x); }
/// bool: neither infinite nor NaN (torch.isfinite).
inline Tensor isfinite(Arg x) { return detail::call(ops::isfinite, x); }
/// bool (torch.isinf)
inline Tensor isinf(Arg x) { return detail::call(ops::isinf, x); }
/// ~x of integers and bool (torch.bitwise_not).
inline Tensor bitwise_not(Arg x) { return detail::call(ops::bitwise_not, x); }

/// a + b; of bools: or (torch.add).
inline Tensor add(Arg a, Arg b) { return detail::call(ops::add, a, b); }
/// a - b; not of bools (torch.sub).
inline Tensor sub(Arg a, Arg b) { return detail::call(ops::sub, a, b); }
/// a * b; of bools: and (torch.mul).
inline Tensor mul(Arg a, Arg b) { return detail::call(ops::mul, a, b); }
/// a / b, true division, or rounded with {.rounding_mode = RoundingMode::floor} or trunc (torch.div).
inline Tensor div(Arg a, Arg b, const DivOptions& options = {}) {
    return detail::call(ops::div, a, b, options);
}
/// a // b of Python: rounded down (torch.floor_divide).
inline Tensor floor_divide(Arg a, Arg b) { return detail::call(ops::floor_divide, a, b); }
/// a % b of Python: with the sign of b (torch.remainder).
inline Tensor remainder(Arg a, Arg b) { return detail::call(ops::remainder, a, b); }
/// C's fmod: with the sign of a (torch.fmod).
inline Tensor fmod(Arg a, Arg b) { return detail::call(ops::fmod, a, b); }
/// a to the power of b (torch.pow). Throws ValueError for an integer tensor and a negative integer number.
Tensor pow(Arg a, Arg b);
/// The larger of each two; NaN where either is (torch.maximum).
inline Tensor maximum(Arg a, Arg b) { return detail::call(ops::maximum, a, b); }
/// The smaller of each two; NaN where either is (torch.minimum).
inline Tensor minimum(Arg a, Arg b) { return detail::call(ops::minimum, a, b); }

/// bool: a == b (torch.eq).
inline Tensor eq(Arg a, Arg b) { return detail::call(ops::eq, a, b); }
/// bool: a != b (torch.ne).
inline Tensor ne(Arg a, Arg b) { return detail::call(ops::ne, a, b); }
/// bool: a < b (torch.lt).
inline Tensor lt(Arg a, Arg b) { return detail::call(ops::lt, a, b); }
/// bool: a <= b (torch.le).
inline Tensor le(Arg a, Arg b) { return detail::call(ops::le, a, b); }
/// bool: a > b (torch.gt).
inline Tensor gt(Arg a, Arg b) { return detail::call(ops::gt, a, b); }
/// bool: a >= b (torch.ge).
inline Tensor ge(Arg a, Arg b) { return detail::call(ops::ge, a, b); }
/// bool: both not 0 (torch.logical_and).
inline Tensor logical_and(Arg a, Arg b) { return detail::call(ops::logical_and, a, b); }
/// bool: one or both not 0 (torch.logical_or).
inline Tensor logical_or(Arg a, Arg b) { return detail::call(ops::logical_or, a, b); }
/// bool: exactly one not 0 (torch.logical_xor).
inline Tensor logical_xor(Arg a, Arg b) { return detail::call(ops::logical_xor, a, b); }
/// a & b of integers or bools (torch.bitwise_and).
inline Tensor bitwise_and(Arg a, Arg b) { return detail::call(ops::bitwise_and, a, b); }
/// a | b of integers or bools (torch.bitwise_or).
inline Tensor bitwise_or(Arg a, Arg b) { return detail::call(ops::bitwise_or, a, b); }
/// a ^ b of integers or bools (torch.bitwise_xor).
inline Tensor bitwise_xor(Arg a, Arg b) { return detail::call(ops::bitwise_xor, a, b); }

/// a where the condition (bool) holds, b elsewhere (torch.where).
inline Tensor where(Arg condition, Arg a, Arg b) { return detail::call(ops::where, condition, a, b); }
/// x held between .min and .max, either of which may be left out (torch.clamp). Throws ValueError without
/// both.
inline Tensor clamp(Arg x, const ClampOptions& options) { return detail::call(ops::clamp, x, options); }
inline Tensor clamp(Arg x, Arg min, Arg max) {
    return detail::call(ops::clamp, x, ClampOptions{.min = min.operand, .max = max.operand});
}
/// `value` where the mask (bool) holds, x elsewhere, in x's dtype (torch.masked_fill).
inline Tensor masked_fill(TensorArg x, const Tensor& mask, Arg value) {
    return detail::call(ops::masked_fill, x, mask, value);
}

inline Tensor operator-(Arg x) { return neg(x); }
inline Tensor operator~(Arg x) { return bitwise_not(x); }
inline Tensor operator+(Arg a, Arg b) { return add(a, b); }
inline Tensor operator-(Arg a, Arg b) { return sub(a, b); }
inline Tensor operator*(Arg a, Arg b) { return mul(a, b); }
inline Tensor operator/(Arg a, Arg b) { return div(a, b); }
inline Tensor operator%(Arg a, Arg b) { return remainder(a, b); }
inline Tensor operator==(Arg a, Arg b) { return eq(a, b); }
inline Tensor operator!=(Arg a, Arg b) { return ne(a, b); }
inline Tensor operator<(Arg a, Arg b) { return lt(a, b); }
inline Tensor operator<=(Arg a, Arg b) { return le(a, b); }
inline Tensor operator>(Arg a, Arg b) { return gt(a, b); }
inline Tensor operator>=(Arg a, Arg b) { return ge(a, b); }
inline Tensor operator&(Arg a, Arg b) { return bitwise_and(a, b); }
inline Tensor operator|(Arg a, Arg b) { return bitwise_or(a, b); }
inline Tensor operator^(Arg a, Arg b) { return bitwise_xor(a, b); }

}  // namespace fulgurite
