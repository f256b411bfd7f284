#include <numbers>

#include <fulgurite/core/ops/prims.h>
#include <fulgurite/transforms/grad_rules.h>

namespace fulgurite::rules {

namespace {

/// What the derivative of a function of one operand may use, all in the dtype that gradients are computed in.
struct Unary {
    Operand x;
    Tensor out;
    Tensor grad;
};

/// A rule whose gradient is derivative(Unary).
template <const auto& prim, class Derivative>
void unary(GradRules& rules, Derivative) {
    rules.add(
        prim, +[](const Operand& x) -> Tensor {
            const Tensor out = prim(x);
            if (needs_grad(x)) put(x, Derivative{}(Unary{wide(x), wide(out), wide(get_grad(out))}));
            return out;
        });
}

void add_exponentials(GradRules& rules) {
    unary<prims::exp>(rules, [](const Unary& u) { return prims::mul(u.grad, u.out); });
    unary<prims::expm1>(rules, [](const Unary& u) { return prims::mul(u.grad, prims::add(u.out, 1.0)); });
    unary<prims::log>(rules, [](const Unary& u) { return prims::div(u.grad, u.x); });
    unary<prims::log1p>(rules, [](const Unary& u) { return prims::div(u.grad, prims::add(u.x, 1.0)); });
    unary<prims::tanh>(
        rules, [](const Unary& u) { return prims::mul(u.grad, prims::sub(1.0, prims::mul(u.out, u.out))); });
    unary<prims::erf>(rules, [](const Unary& u) {
        const Tensor bell = prims::exp(prims::neg(prims::mul(u.x, u.x)));
        return prims::mul(u.grad, prims::mul(bell, 2.0 * std::numbers::inv_sqrtpi));
    });
}

void add_roots_and_angles(GradRules& rules) {
    unary<prims::sqrt>(rules, [](const Unary& u) { return prims::div(u.grad, prims::mul(u.out, 2.0)); });
    unary<prims::rsqrt>(rules, [](const Unary& u) {
        const Tensor cube = prims::mul(prims::mul(u.out, u.out), u.out);
        return prims::mul(prims::mul(u.grad, cube), -0.5);
    });
    unary<prims::reciprocal>(
        rules, [](const Unary& u) { return prims::neg(prims::mul(u.grad, prims::mul(u.out, u.out))); });
    unary<prims::sin>(rules, [](const Unary& u) { return prims::mul(u.grad, prims::cos(u.x)); });
    unary<prims::cos>(rules, [](const Unary& u) { return prims::neg(prims::mul(u.grad, prims::sin(u.x))); });
    unary<prims::tan>(
        rules, [](const Unary& u) { return prims::mul(u.grad, prims::add(prims::mul(u.out, u.out), 1.0)); });
    unary<prims::neg>(rules, [](const Unary& u) { return prims::neg(u.grad); });
    unary<prims::abs>(rules, [](const Unary& u) { return prims::mul(u.grad, prims::sign(u.x)); });
}

Tensor add(const Operand& a, const Operand& b) {
    const Tensor out = prims::add(a, b);
    const Tensor grad = get_grad(out);
    put(a, grad);
    put(b, grad);
    return out;
}

Tensor sub(const Operand& a, const Operand& b) {
    const Tensor out = prims::sub(a, b);
    const Tensor grad = get_grad(out);
    put(a, grad);
    if (needs_grad(b)) put(b, prims::neg(grad));
    return out;
}

Tensor mul(const Operand& a, const Operand& b) {
    const Tensor out = prims::mul(a, b);
    const Tensor grad = get_grad(out);
    if (needs_grad(a)) put(a, prims::mul(grad, b));
    if (needs_grad(b)) put(b, prims::mul(grad, a));
    return out;
}

Tensor div(const Operand& a, const Operand& b) {
    const Tensor out = prims::div(a, b);
    const Tensor by_a = prims::div(wide(get_grad(out)), wide(b));
    put(a, by_a);
    if (needs_grad(b)) put(b, prims::neg(prims::mul(by_a, wide(out))));
    return out;
}

/// b * a^(b - 1), and 0 for b = 0 (whatever a is).
Tensor power_slope(const Operand& a, const Operand& b) {
    if (!b.is_tensor()) return prims::mul(prims::pow(a, b.number().as_double() - 1.0), b);
    const Tensor slope = prims::mul(prims::pow(a, prims::sub(b, 1.0)), b);
    return prims::where(prims::eq(b, 0.0), 0.0, slope);
}

Tensor pow(const Operand& a, const Operand& b) {
    const Tensor out = prims::pow(a, b);
    const Tensor grad = wide(get_grad(out));
    const bool is_constant = !b.is_tensor() && b.number().as_double() == 0;
    if (needs_grad(a) && !is_constant) put(a, prims::mul(grad, power_slope(wide(a), wide(b))));
    if (needs_grad(b)) {
        // Where a is 0 the power is constant in b (for b >= 0), though log(a) is not finite.
        const Tensor slope = prims::mul(wide(out), prims::log(wide(a)));
        const Tensor is_flat = prims::logical_and(prims::eq(wide(a), 0.0), prims::ge(wide(b), 0.0));
        put(b, prims::where(is_flat, 0.0, prims::mul(grad, slope)));
    }
    return out;
}

/// The gradient goes to the operand that was chosen, half to each of a tie.
template <const auto& prim, const auto& loses>
Tensor extremum(const Operand& a, const Operand& b) {
    const Tensor out = prim(a, b);
    const Tensor grad = get_grad(out);
    const Tensor shared = prims::where(prims::eq(a, b), prims::mul(grad, 0.5), grad);
    if (needs_grad(a)) put(a, prims::where(loses(a, b), 0.0, shared));
    if (needs_grad(b)) put(b, prims::where(loses(b, a), 0.0, shared));
    return out;
}

/// a - b * rounded(a / b): remainder with floor, fmod with trunc.
template <const auto& prim, const auto& rounded>
Tensor modulo(const Operand& a, const Operand& b) {
    const Tensor out = prim(a, b);
    const Tensor grad = get_grad(out);
    put(a, grad);
    if (needs_grad(b)) {
        const Tensor quotient = rounded(prims::div(wide(a), wide(b)));
        put(b, prims::neg(prims::mul(wide(grad), quotient)));
    }
    return out;
}

Tensor where(const Tensor& condition, const Operand& a, const Operand& b) {
    const Tensor out = prims::where(condition, a, b);
    const Tensor grad = get_grad(out);
    if (needs_grad(a)) put(a, prims::where(condition, grad, 0.0));
    if (needs_grad(b)) put(b, prims::where(condition, 0.0, grad));
    return out;
}

Tensor convert(const Tensor& x, const DType& dtype) {
    const Tensor out = prims::convert(x, dtype);
    if (needs_grad(x) && is_floating_point(dtype)) put(x, get_grad(out));
    return out;
}

void add_flat(GradRules& rules) {
    rules.add_zero(prims::sign);
    rules.add_zero(prims::floor);
    rules.add_zero(prims::ceil);
    rules.add_zero(prims::trunc);
    rules.add_zero(prims::round);
    rules.add_zero(prims::logical_not);
    rules.add_zero(prims::isnan);
    rules.add_zero(prims::isfinite);
    rules.add_zero(prims::bitwise_not);
    rules.add_zero(prims::eq);
    rules.add_zero(prims::ne);
    rules.add_zero(prims::lt);
    rules.add_zero(prims::le);
    rules.add_zero(prims::gt);
    rules.add_zero(prims::ge);
    rules.add_zero(prims::logical_and);
    rules.add_zero(prims::logical_or);
    rules.add_zero(prims::logical_xor);
    rules.add_zero(prims::bitwise_and);
    rules.add_zero(prims::bitwise_or);
    rules.add_zero(prims::bitwise_xor);
}

}  // namespace

void add_pointwise(GradRules& rules) {
    add_exponentials(rules);
    add_roots_and_angles(rules);
    rules.add(prims::add, &add);
    rules.add(prims::sub, &sub);
    rules.add(prims::mul, &mul);
    rules.add(prims::div, &div);
    rules.add(prims::pow, &pow);
    rules.add(prims::maximum, &extremum<prims::maximum, prims::lt>);
    rules.add(prims::minimum, &extremum<prims::minimum, prims::gt>);
    rules.add(prims::remainder, &modulo<prims::remainder, prims::floor>);
    rules.add(prims::fmod, &modulo<prims::fmod, prims::trunc>);
    rules.add(prims::where, &where);
    rules.add(prims::convert, &convert);
    add_flat(rules);
}

}  // namespace fulgurite::rules
