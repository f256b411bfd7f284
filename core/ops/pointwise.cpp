#include <fulgurite/core/ops/pointwise.h>

#include <limits>
#include <numbers>

#include <fulgurite/core/ops/meta_common.h>

namespace fulgurite::decompose {

namespace {
bool is_weak_integer(const Operand& x) { return is_weak(x) && !is_floating_point(dtype_of_operand(x)); }

Tensor true_divide(const Operand& a, const Operand& b) {
    const auto [x, y] = promoted("div", PromotionKind::int_to_float, a, b);
    // Two weak integers: no tensor says that the division is one of floats.
    if (is_weak_integer(x) && is_weak_integer(y)) return prims::div(prims::mul(x, 1.0), y);
    return prims::div(x, y);
}

/// a // b of numbers of one dtype that is not a low-precision one.
Tensor floor_quotient(const Operand& a, const Operand& b, DType dtype) {
    const Tensor exact = prims::div(prims::sub(a, prims::remainder(a, b)), b);
    if (!is_floating_point(dtype)) return exact;
    const Tensor rounded = prims::round(exact);
    if (!b.is_tensor()) return b.number().as_double() == 0 ? prims::div(a, b) : rounded;
    return prims::where(prims::eq(b, 0), prims::div(a, b), rounded);
}

Operand in_dtype(const Operand& x, DType dtype) {
    return is_weak(x) ? x : Operand(converted(x.tensor(), dtype));
}
}  // namespace

Tensor div(const Operand& a, const Operand& b, const DivOptions& options) {
    if (options.rounding_mode == RoundingMode::floor) return ops::floor_divide(a, b);
    if (options.rounding_mode == RoundingMode::none) return true_divide(a, b);
    const auto [x, y] = promoted("div", PromotionKind::no_bool, a, b);
    const Tensor quotient = prims::div(x, y);
    return is_floating_point(quotient.dtype()) ? prims::trunc(quotient) : quotient;
}

Tensor floor_divide(const Operand& a, const Operand& b) {
    std::array<Operand, 2> operands{a, b};
    const DType dtype = promote("floor_divide", operands, PromotionKind::no_bool);
    const DType compute = compute_dtype(dtype);
    return converted(floor_quotient(in_dtype(operands[0], compute), in_dtype(operands[1], compute), compute),
                     dtype);
}

Tensor pow(const Operand& a, const Operand& b) {
    std::array<Operand, 2> operands{a, b};
    promote("pow", operands, PromotionKind::no_bool);
    const auto& [x, exponent] = operands;
    if (exponent.is_tensor()) return prims::pow(x, exponent);
    if (!x.is_tensor()) return prims::pow(x, exponent);
    const double e = exponent.number().as_double();
    if (e == 1) return x.tensor();
    if (e == 2) return prims::mul(x, x);
    if (e == 3) return prims::mul(prims::mul(x, x), x);
    if (e == 0.5) return prims::sqrt(x);
    if (e == -0.5) return prims::rsqrt(x);
    if (e == -1) return prims::reciprocal(x);
    return prims::pow(x, exponent);
}

Tensor square(const Operand& x) {
    Operand y = promoted("square", PromotionKind::keep, x)[0];
    if (!is_weak(y)) y = y.tensor().dtype() == bool_ ? converted(y.tensor(), int64) : y.tensor();
    return prims::mul(y, y);
}

Tensor sigmoid(const Operand& x) {
    return computed("sigmoid", x, [](const Operand& y) {
        return prims::reciprocal(prims::add(prims::exp(prims::neg(y)), 1.0));
    });
}

Tensor relu(const Operand& x) { return prims::maximum(promoted("relu", PromotionKind::no_bool, x)[0], 0); }

Tensor gelu(const Operand& x, const GeluOptions& options) {
    return computed("gelu", x, [&](const Operand& y) {
        Tensor inner;
        if (options.approximate == GeluApproximation::tanh) {
            const Tensor cube = prims::mul(prims::mul(y, y), y);
            const Tensor sum = prims::add(y, prims::mul(cube, 0.044715));
            inner = prims::tanh(prims::mul(sum, std::numbers::sqrt2 * std::numbers::inv_sqrtpi));
        } else {
            inner = prims::erf(prims::mul(y, 0.5 * std::numbers::sqrt2));
        }
        return prims::mul(prims::mul(y, 0.5), prims::add(inner, 1.0));
    });
}

Tensor silu(const Operand& x) {
    return computed("silu", x, [](const Operand& y) {
        return prims::div(y, prims::add(prims::exp(prims::neg(y)), 1.0));
    });
}

Tensor isinf(const Operand& x) {
    const Operand y = promoted("isinf", PromotionKind::int_to_float, x)[0];
    return prims::eq(prims::abs(y), std::numeric_limits<double>::infinity());
}

Tensor where(const Operand& condition, const Operand& a, const Operand& b) {
    Operand choice = as_tensor(condition);
    if (choice.tensor().dtype() != bool_) {
        fail<DTypeError>("where", "expected a bool condition, got " + meta::describe(condition));
    }
    std::array<Operand, 2> values{a, b};
    const DType dtype = promote("where", values, PromotionKind::keep, &choice);
    if (is_weak(a) && is_weak(b) && !is_weak(choice)) {
        const Tensor& shaped = choice.tensor();
        values[0] =
            prims::full(shaped.shape(), a, dtype == float64 ? default_dtype() : dtype, shaped.device());
    }
    return prims::where(choice.tensor(), values[0], values[1]);
}

Tensor clamp(const Operand& x, const ClampOptions& options) {
    if (!options.min && !options.max) fail<ValueError>("clamp", "expected min, max or both, got neither");
    std::array<Operand, 3> operands{x, options.min.value_or(*(options.max ? options.max : options.min)),
                                    options.max.value_or(*(options.min ? options.min : options.max))};
    promote("clamp", operands, PromotionKind::no_bool);
    Operand out = operands[0];
    if (options.min) out = prims::maximum(out, operands[1]);
    if (options.max) out = prims::minimum(out, operands[2]);
    return out.tensor();
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, const Operand& value) {
    const Tensor out = where(mask, value, x);
    if (out.dtype() == x.dtype()) return out;
    fail<DTypeError>("masked_fill", "expected a value that " + std::string(name_of(x.dtype())) +
                                        " holds, got " + meta::describe(value) + " for " +
                                        to_string(x.spec()));
}

}  // namespace fulgurite::decompose

namespace fulgurite {

Tensor pow(Arg a, Arg b) {
    // Here, where the exponent is still a number: an eager program has it as a run-time value.
    const bool is_integral = !is_floating_point(dtype_of_operand(a.operand)) && !b.operand.is_tensor() &&
                             b.operand.number().category() != Category::floating;
    if (is_integral && b.operand.number().as_int() < 0) {
        const LocationScope location(a.where);
        fail<ValueError>("pow", "expected an exponent of at least 0 for integers, got " +
                                    meta::describe(b.operand) + " for " + meta::describe(a.operand));
    }
    return detail::call(ops::pow, a, b);
}

}  // namespace fulgurite
