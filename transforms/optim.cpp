#include <fulgurite/transforms/optim.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fulgurite {

namespace {
bool is_updated(const Tensor& param, const Tensor& grad) {
    return param.defined() && grad.defined() && is_floating_point(param.dtype());
}

Tensor wide(const Tensor& x) { return to(x, compute_dtype(x.dtype())); }
}  // namespace

namespace detail {

void require_leaves(const char* optimizer, std::size_t expected, std::size_t got) {
    if (expected == got) return;
    fail<ValueError>(optimizer, "expected trees of one structure, got " + std::to_string(expected) +
                                    " parameters and " + std::to_string(got) + " leaves");
}

Tensor state_like(const Tensor& param) {
    if (!param.defined() || !is_floating_point(param.dtype())) return {};
    return zeros_like(param, {.dtype = compute_dtype(param.dtype())});
}

void sgd_update(SgdLeaf leaf, const SgdOptions& options) {
    if (!is_updated(leaf.param, leaf.grad)) return;
    const Tensor p = wide(leaf.param);
    Tensor change = wide(leaf.grad);
    if (options.weight_decay != 0) change = change + p * options.weight_decay;
    if (options.momentum != 0) {
        leaf.momentum = leaf.momentum * options.momentum + change;
        change = options.nesterov ? change + leaf.momentum * options.momentum : leaf.momentum;
    }
    leaf.param = to(p - change * options.lr, leaf.param.dtype());
}

AdamWStep adamw_step(const Operand& step, const AdamWOptions& options) {
    const auto [beta1, beta2] = options.betas;
    return {.decay = 1 - mul(options.lr, options.weight_decay),
            .step_size = div(options.lr, 1 - pow(beta1, step)),
            .scale = rsqrt(1 - pow(beta2, step))};
}

void adamw_update(AdamWLeaf leaf, const AdamWStep& step, const AdamWOptions& options) {
    if (!is_updated(leaf.param, leaf.grad)) return;
    const auto [beta1, beta2] = options.betas;
    const Tensor grad = wide(leaf.grad);
    leaf.exp_avg = leaf.exp_avg * beta1 + grad * (1 - beta1);
    leaf.exp_avg_sq = leaf.exp_avg_sq * beta2 + grad * grad * (1 - beta2);
    const Tensor denominator = sqrt(leaf.exp_avg_sq) * step.scale + options.eps;
    const Tensor updated = wide(leaf.param) * step.decay - leaf.exp_avg / denominator * step.step_size;
    leaf.param = to(updated, leaf.param.dtype());
}

Tensor clip_leaves(const std::vector<Tensor*>& grads, const Operand& max_norm) {
    Tensor squares;
    for (const Tensor* grad : grads) {
        if (!grad->defined()) continue;
        const Tensor square = sum(fulgurite::square(wide(*grad)));
        squares = squares.defined() ? squares + square : square;
    }
    if (!squares.defined()) fail<ValueError>("clip_grad_norm", "expected at least one gradient, got none");
    const Tensor norm = sqrt(squares);
    const Tensor scale = clamp(div(max_norm, norm + 1e-6), {.max = 1.0});
    for (Tensor* grad : grads) {
        if (grad->defined()) *grad = to(wide(*grad) * scale, grad->dtype());
    }
    return norm;
}

}  // namespace detail

double cosine_schedule(std::int64_t step, const CosineOptions& options) {
    const auto now = static_cast<double>(step);
    const auto warmup = static_cast<double>(options.warmup_steps);
    if (now < warmup) return options.lr * (now + 1) / warmup;
    const double rest = std::max(static_cast<double>(options.total_steps) - warmup, 1.0);
    const double done = std::clamp((now - warmup) / rest, 0.0, 1.0);
    return options.min_lr + (options.lr - options.min_lr) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

Tensor cosine_schedule(const Scalar<std::int64_t>& step, const CosineOptions& options) {
    const auto warmup = static_cast<double>(options.warmup_steps);
    const double rest = std::max(static_cast<double>(options.total_steps) - warmup, 1.0);
    const Tensor done = clamp((step - warmup) / rest, 0.0, 1.0);
    const Tensor falling =
        options.min_lr + (options.lr - options.min_lr) * 0.5 * (1 + cos(done * std::numbers::pi));
    if (options.warmup_steps == 0) return falling;
    return where(step < warmup, options.lr * (step + 1) / warmup, falling);
}

}  // namespace fulgurite
