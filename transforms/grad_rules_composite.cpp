#include <numbers>

#include <fulgurite/core/ops/pointwise.h>
#include <fulgurite/transforms/grad_rules.h>

/// Composites of one operand whose own derivative is more exact, or cheaper, than that of their parts.
namespace fulgurite::rules {

namespace {

Tensor square(const Operand& x) {
    const Tensor out = ops::square(x);
    if (needs_grad(x)) put(x, prims::mul(wide(get_grad(out)), prims::mul(wide(x), 2.0)));
    return out;
}

Tensor relu(const Operand& x) {
    const Tensor out = ops::relu(x);
    if (needs_grad(x)) put(x, prims::where(prims::le(out, 0.0), 0.0, get_grad(out)));
    return out;
}

Tensor sigmoid(const Operand& x) {
    const Tensor out = ops::sigmoid(x);
    if (!needs_grad(x)) return out;
    const Tensor y = wide(out);
    put(x, prims::mul(wide(get_grad(out)), prims::mul(y, prims::sub(1.0, y))));
    return out;
}

/// s + x s (1 - s), with s the sigmoid: finite for every x, where x / (1 + e^-x) derived part by part is not.
Tensor silu(const Operand& x) {
    const Tensor out = ops::silu(x);
    if (!needs_grad(x)) return out;
    const Tensor s = ops::sigmoid(wide(x));
    const Tensor slope = prims::mul(s, prims::add(prims::mul(wide(x), prims::sub(1.0, s)), 1.0));
    put(x, prims::mul(wide(get_grad(out)), slope));
    return out;
}

Tensor gelu_slope(const Operand& x) {
    const Tensor cdf = prims::mul(prims::add(prims::erf(prims::mul(x, 0.5 * std::numbers::sqrt2)), 1.0), 0.5);
    const Tensor bell = prims::exp(prims::mul(prims::mul(x, x), -0.5));
    const double scale = 0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    return prims::add(cdf, prims::mul(prims::mul(x, bell), scale));
}

Tensor gelu_tanh_slope(const Operand& x) {
    const double beta = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    const Tensor xx = prims::mul(x, x);
    const Tensor inner = prims::mul(prims::mul(x, prims::add(prims::mul(xx, 0.044715), 1.0)), beta);
    const Tensor tanh = prims::tanh(inner);
    const Tensor inner_slope = prims::mul(prims::add(prims::mul(xx, 3 * 0.044715), 1.0), beta);
    const Tensor tanh_slope = prims::mul(prims::sub(1.0, prims::mul(tanh, tanh)), inner_slope);
    return prims::mul(prims::add(prims::add(tanh, 1.0), prims::mul(x, tanh_slope)), 0.5);
}

Tensor gelu(const Operand& x, const GeluOptions& options) {
    const Tensor out = ops::gelu(x, options);
    if (!needs_grad(x)) return out;
    const bool is_tanh = options.approximate == GeluApproximation::tanh;
    put(x, prims::mul(wide(get_grad(out)), is_tanh ? gelu_tanh_slope(wide(x)) : gelu_slope(wide(x))));
    return out;
}

/// The bounds themselves pass the gradient; a bound has that of the elements it replaces.
Tensor clamp(const Operand& x, const ClampOptions& options) {
    const Tensor out = ops::clamp(x, options);
    const Tensor grad = get_grad(out);
    if (needs_grad(x)) {
        Tensor passed = grad;
        if (options.min) passed = ops::where(ops::ge(x, *options.min), passed, 0.0);
        if (options.max) passed = ops::where(ops::le(x, *options.max), passed, 0.0);
        put(x, passed);
    }
    if (options.max && needs_grad(*options.max)) {
        const Operand held = options.min ? Operand(ops::maximum(x, *options.min)) : x;
        put(*options.max, ops::where(ops::gt(held, *options.max), grad, 0.0));
    }
    if (options.min && needs_grad(*options.min)) {
        Tensor passed = ops::where(ops::lt(x, *options.min), grad, 0.0);
        if (options.max) passed = ops::where(ops::gt(*options.min, *options.max), 0.0, passed);
        put(*options.min, passed);
    }
    return out;
}

}  // namespace

void add_composite_pointwise(GradRules& rules) {
    rules.add(ops::square, &square);
    rules.add(ops::relu, &relu);
    rules.add(ops::sigmoid, &sigmoid);
    rules.add(ops::silu, &silu);
    rules.add(ops::gelu, &gelu);
    rules.add(ops::clamp, &clamp);
    rules.add_zero(ops::floor_divide);
}

}  // namespace fulgurite::rules
