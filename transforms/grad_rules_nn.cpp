#include <fulgurite/core/ops/nn.h>
#include <fulgurite/core/ops/nn_parts.h>
#include <fulgurite/core/ops/prims.h>
#include <fulgurite/core/ops/reduction.h>
#include <fulgurite/transforms/grad_rules.h>

namespace fulgurite::rules {

namespace {

Tensor spread_sum(const Tensor& x, const Dims& dims) { return spread(prims::sum(x, dims), x.shape(), dims); }

Tensor softmax(const Tensor& x, const std::int64_t& dim, const SoftmaxOptions& options) {
    const Tensor out = ops::softmax(x, dim, options);
    if (!needs_grad(x) || x.dim() == 0) return out;
    const Dims dims{nn::softmax_dim("softmax", out, dim)};
    const Tensor y = wide(out);
    const Tensor grad = wide(get_grad(out));
    put(x, prims::mul(y, prims::sub(grad, spread_sum(prims::mul(grad, y), dims))));
    return out;
}

Tensor log_softmax(const Tensor& x, const std::int64_t& dim, const SoftmaxOptions& options) {
    const Tensor out = ops::log_softmax(x, dim, options);
    if (!needs_grad(x) || x.dim() == 0) return out;
    const Dims dims{nn::softmax_dim("log_softmax", out, dim)};
    const Tensor grad = wide(get_grad(out));
    put(x, prims::sub(grad, prims::mul(prims::exp(wide(out)), spread_sum(grad, dims))));
    return out;
}

Tensor logsumexp(const Tensor& x, const Dims& dim, const LogsumexpOptions& options) {
    const Tensor out = ops::logsumexp(x, dim, options);
    if (!needs_grad(x)) return out;
    const Dims dims = reduced_dims("logsumexp", x, dim);
    const Tensor share = prims::exp(prims::sub(wide(x), spread(wide(out), x.shape(), dims)));
    put(x, prims::mul(spread(wide(get_grad(out)), x.shape(), dims), share));
    return out;
}

/// By its parts, so that the row sums of the forward half serve the backward half: softmax less the targets.
Tensor cross_entropy(const Tensor& x, const Tensor& target, const NllLossOptions& options) {
    const nn::ClassTargets targets("cross_entropy", x, target, options);
    const Dims dims{targets.class_dim()};
    const Tensor y = wide(x);
    const nn::Normalizer by = nn::normalizer(y, dims);
    const Tensor out = converted(targets.reduced(targets.cross_entropies(y, by)), x.dtype());
    if (!needs_grad(x)) return out;
    const Tensor probabilities = prims::exp(nn::log_softmax(y, dims, by));
    const Tensor each = targets.element_grads(wide(get_grad(out)), y.dtype());
    put(x, prims::mul(prims::sub(probabilities, targets.one_hot(y)), spread(each, x.shape(), dims)));
    return out;
}

/// The parameters of a normalisation and what their gradients and that of the normal values need.
struct Normal {
    Tensor values;  ///< before weight and bias
    Tensor grad;    ///< of the result
};

/// Gradients of weight and bias; returns that of the normal values.
Tensor put_parameters(const Normal& normal, const Tensor& weight, const Tensor& bias) {
    if (bias.defined()) put(bias, normal.grad);
    if (!weight.defined()) return normal.grad;
    if (needs_grad(weight)) put(weight, prims::mul(normal.grad, normal.values));
    return prims::mul(normal.grad, expanded(wide(weight), normal.grad.shape()));
}

Tensor spread_mean(const Tensor& x, const Dims& dims) {
    return spread(nn::mean_along(x, dims), x.shape(), dims);
}

Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const LayerNormOptions& options) {
    const Tensor out = ops::layer_norm(x, normalized_shape, options);
    const Dims dims = nn::normalized_dims("layer_norm", x, normalized_shape, options.weight, options.bias);
    const Tensor y = wide(x);
    const Tensor centered = prims::sub(y, spread_mean(y, dims));
    const Tensor variance = nn::mean_along(prims::mul(centered, centered), dims);
    const Tensor scale = spread(prims::rsqrt(prims::add(variance, options.eps)), x.shape(), dims);
    const Normal normal{prims::mul(centered, scale), wide(get_grad(out))};
    const Tensor grad = put_parameters(normal, options.weight, options.bias);
    if (!needs_grad(x)) return out;
    const Tensor along = prims::mul(normal.values, spread_mean(prims::mul(grad, normal.values), dims));
    put(x, prims::mul(prims::sub(prims::sub(grad, spread_mean(grad, dims)), along), scale));
    return out;
}

Tensor rms_norm(const Tensor& x, const Shape& normalized_shape, const RmsNormOptions& options) {
    const Tensor out = ops::rms_norm(x, normalized_shape, options);
    const Dims dims = nn::normalized_dims("rms_norm", x, normalized_shape, options.weight, {});
    const Tensor y = wide(x);
    const Tensor square = nn::mean_along(prims::mul(y, y), dims);
    const Tensor scale =
        spread(prims::rsqrt(prims::add(square, nn::rms_norm_eps(y, options))), x.shape(), dims);
    const Normal normal{prims::mul(y, scale), wide(get_grad(out))};
    const Tensor grad = put_parameters(normal, options.weight, {});
    if (!needs_grad(x)) return out;
    const Tensor along = prims::mul(normal.values, spread_mean(prims::mul(grad, normal.values), dims));
    put(x, prims::mul(prims::sub(grad, along), scale));
    return out;
}

}  // namespace

void add_nn(GradRules& rules) {
    rules.add(ops::softmax, &softmax);
    rules.add(ops::log_softmax, &log_softmax);
    rules.add(ops::logsumexp, &logsumexp);
    rules.add(ops::cross_entropy, &cross_entropy);
    rules.add(ops::layer_norm, &layer_norm);
    rules.add(ops::rms_norm, &rms_norm);
}

}  // namespace fulgurite::rules
