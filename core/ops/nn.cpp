#include <fulgurite/core/ops/nn.h>

#include <limits>

#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/nn_parts.h>
#include <fulgurite/core/ops/prims.h>
#include <fulgurite/core/ops/reduction.h>

namespace fulgurite {

namespace nn {

int softmax_dim(const char* op, const Tensor& x, std::int64_t dim) {
    meta::require_floating(op, x);
    return wrap_dim(dim, x.dim(), op);
}

Tensor mean_along(const Tensor& x, const Dims& dims) {
    return prims::div(prims::sum(x, dims), static_cast<double>(count_along(x.shape(), dims)));
}

Normalizer normalizer(const Tensor& x, const Dims& dims) {
    const Tensor maximum = prims::amax(x, dims);
    const Tensor shifted = prims::sub(x, spread(maximum, x.shape(), dims));
    return {maximum, prims::log(prims::sum(prims::exp(shifted), dims))};
}

Tensor log_softmax(const Tensor& x, const Dims& dims, const Normalizer& by) {
    const Tensor shifted = prims::sub(x, spread(by.maximum, x.shape(), dims));
    return prims::sub(shifted, spread(by.log_sum, x.shape(), dims));
}

ClassTargets::ClassTargets(const char* op, const Tensor& x, const Tensor& target,
                           const NllLossOptions& options)
    : reduction_(options.reduction), class_dim_(x.dim() == 1 ? 0 : 1) {
    meta::require_floating(op, x);
    meta::require_index(op, target);
    meta::require_same_device(op, x, target);
    Shape expected = x.shape();
    if (x.dim() > 0) expected.erase(class_dim_);
    if (x.dim() == 0 || target.shape() != expected) {
        fail<ShapeError>(op, "expected x[n, classes, ...] and target[n, ...], got " + to_string(x.spec()) +
                                 " and " + to_string(target.spec()));
    }
    kept_ = prims::ne(target, options.ignore_index);
    safe_ = prims::where(kept_, target, 0);
}

Tensor ClassTargets::picked(const Tensor& x) const {
    Shape column = safe_.shape();
    column.insert(class_dim_, 1);
    const Tensor found = reshaped(prims::gather(x, class_dim_, reshaped(safe_, column)), safe_.shape());
    return prims::where(kept_, found, 0.0);
}

Tensor ClassTargets::cross_entropies(const Tensor& x, const Normalizer& by) const {
    const Tensor losses = prims::sub(by.log_sum, prims::sub(picked(x), by.maximum));
    return prims::where(kept_, losses, 0.0);
}

Tensor ClassTargets::one_hot(const Tensor& x) const {
    Shape column = safe_.shape();
    column.insert(class_dim_, 1);
    Shape row = Shape::filled(x.dim(), 1);
    row[class_dim_] = x.shape()[class_dim_];
    const Tensor classes = prims::iota(row[class_dim_], 0, 1, safe_.dtype(), x.device());
    const Tensor is_target =
        prims::eq(expanded(reshaped(classes, row), x.shape()), expanded(reshaped(safe_, column), x.shape()));
    return converted(is_target, x.dtype());
}

Tensor ClassTargets::counted(DType dtype) const { return converted(kept_, dtype); }

Tensor ClassTargets::count(DType dtype) const {
    Dims all;
    for (int i = 0; i < kept_.dim(); ++i) all.push_back(i);
    return prims::sum(counted(dtype), all);
}

Tensor ClassTargets::reduced(const Tensor& elements) const {
    if (reduction_ != Reduction::mean) return reduced_loss(elements, reduction_);
    return prims::div(reduced_loss(elements, Reduction::sum), count(elements.dtype()));
}

Tensor ClassTargets::element_grads(const Tensor& grad, DType dtype) const {
    const Tensor each = reduction_ == Reduction::mean ? prims::div(grad, count(dtype)) : grad;
    return prims::mul(expanded(each, kept_.shape()), counted(dtype));
}

Tensor reduced_loss(const Tensor& elements, Reduction reduction) {
    if (reduction == Reduction::none) return elements;
    const Dims all = reduced_dims("loss", elements, {});
    const Tensor total = prims::sum(elements, all);
    return reduction == Reduction::sum ? total : prims::div(total, static_cast<double>(elements.numel()));
}

Dims normalized_dims(const char* op, const Tensor& x, const Shape& normalized_shape, const Tensor& weight,
                     const Tensor& bias) {
    meta::require_floating(op, x);
    const int first = x.dim() - normalized_shape.size();
    Dims dims;
    bool fits = first >= 0 && !normalized_shape.empty();
    for (int i = 0; fits && i < normalized_shape.size(); ++i) {
        fits = x.shape()[first + i] == normalized_shape[i];
        dims.push_back(first + i);
    }
    if (!fits) {
        fail<ShapeError>(op, "expected a normalized_shape that x ends with, got " +
                                 to_string(normalized_shape) + " and " + to_string(x.spec()));
    }
    for (const Tensor* factor : {&weight, &bias}) {
        if (!factor->defined() || factor->shape() == normalized_shape) continue;
        fail<ShapeError>(op, "expected a weight and bias of shape " + to_string(normalized_shape) + ", got " +
                                 to_string(factor->spec()));
    }
    return dims;
}

double rms_norm_eps(const Tensor& x, const RmsNormOptions& options) {
    const bool is_double = x.dtype() == float64;
    const double smallest =
        is_double ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
    return options.eps.value_or(smallest);
}

}  // namespace nn

namespace decompose {

namespace {
Tensor in_compute_dtype(const Tensor& x) { return converted(x, compute_dtype(x.dtype())); }

Tensor spread_max(const Tensor& x, int dim) {
    if (x.shape()[dim] == 0) return x;
    return spread(prims::amax(x, {dim}), x.shape(), {dim});
}

Tensor requested(const Tensor& x, const std::optional<DType>& dtype) {
    return converted(x, dtype.value_or(x.dtype()));
}

/// y times a weight and plus a bias of its last dimensions, where there are any.
Tensor scaled(Tensor y, const Tensor& weight, const Tensor& bias) {
    if (weight.defined()) y = prims::mul(y, expanded(converted(weight, y.dtype()), y.shape()));
    if (bias.defined()) y = prims::add(y, expanded(converted(bias, y.dtype()), y.shape()));
    return y;
}
}  // namespace

Tensor softmax(const Tensor& given, const std::int64_t& asked, const SoftmaxOptions& options) {
    const Tensor x = requested(given, options.dtype);
    const int dim = nn::softmax_dim("softmax", x, asked);
    if (x.dim() == 0) return prims::full({}, 1.0, x.dtype(), x.device());
    const Tensor y = in_compute_dtype(x);
    const Tensor e = prims::exp(prims::sub(y, spread_max(y, dim)));
    return converted(prims::div(e, spread(prims::sum(e, {dim}), x.shape(), {dim})), x.dtype());
}

Tensor log_softmax(const Tensor& given, const std::int64_t& asked, const SoftmaxOptions& options) {
    const Tensor x = requested(given, options.dtype);
    const int dim = nn::softmax_dim("log_softmax", x, asked);
    if (x.dim() == 0) return prims::full({}, 0.0, x.dtype(), x.device());
    const Tensor y = in_compute_dtype(x);
    if (x.shape()[dim] == 0) return y;
    return converted(nn::log_softmax(y, {dim}, nn::normalizer(y, {dim})), x.dtype());
}

Tensor logsumexp(const Tensor& x, const Dims& asked, const LogsumexpOptions& options) {
    meta::require_floating("logsumexp", x);
    const Dims dims = reduced_dims("logsumexp", x, asked);
    const Tensor y = in_compute_dtype(x);
    Tensor out;
    if (count_along(x.shape(), dims) == 0) {
        out = prims::log(prims::sum(prims::exp(y), dims));
    } else {
        // An infinite maximum is the result; subtracting it would give NaN.
        const Tensor max = prims::amax(y, dims);
        const Tensor shift = prims::where(prims::isfinite(max), max, 0.0);
        const Tensor shifted = prims::sub(y, spread(shift, x.shape(), dims));
        out = prims::add(prims::log(prims::sum(prims::exp(shifted), dims)), shift);
    }
    out = converted(out, x.dtype());
    return options.keepdim ? with_kept_dims(out, x.shape(), dims) : out;
}

Tensor nll_loss(const Tensor& x, const Tensor& target, const NllLossOptions& options) {
    const nn::ClassTargets targets("nll_loss", x, target, options);
    return converted(targets.reduced(prims::neg(targets.picked(in_compute_dtype(x)))), x.dtype());
}

Tensor cross_entropy(const Tensor& x, const Tensor& target, const NllLossOptions& options) {
    const nn::ClassTargets targets("cross_entropy", x, target, options);
    const Tensor y = in_compute_dtype(x);
    const Tensor losses = targets.cross_entropies(y, nn::normalizer(y, {targets.class_dim()}));
    return converted(targets.reduced(losses), x.dtype());
}

Tensor mse_loss(const Tensor& x, const Tensor& target, const LossOptions& options) {
    const auto [a, b] = promoted("mse_loss", PromotionKind::no_bool, x, target);
    meta::require_floating("mse_loss", a.tensor());
    const Tensor difference = prims::sub(in_compute_dtype(a.tensor()), in_compute_dtype(b.tensor()));
    return converted(nn::reduced_loss(prims::mul(difference, difference), options.reduction),
                     a.tensor().dtype());
}

Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const LayerNormOptions& options) {
    const Dims dims = nn::normalized_dims("layer_norm", x, normalized_shape, options.weight, options.bias);
    const Tensor y = in_compute_dtype(x);
    const Tensor centered = prims::sub(y, spread(nn::mean_along(y, dims), x.shape(), dims));
    const Tensor variance = nn::mean_along(prims::mul(centered, centered), dims);
    const Tensor scale = prims::rsqrt(prims::add(variance, options.eps));
    const Tensor normal = prims::mul(centered, spread(scale, x.shape(), dims));
    return converted(scaled(normal, options.weight, options.bias), x.dtype());
}

Tensor rms_norm(const Tensor& x, const Shape& normalized_shape, const RmsNormOptions& options) {
    const Dims dims = nn::normalized_dims("rms_norm", x, normalized_shape, options.weight, {});
    const Tensor y = in_compute_dtype(x);
    const Tensor square = nn::mean_along(prims::mul(y, y), dims);
    const Tensor scale = prims::rsqrt(prims::add(square, nn::rms_norm_eps(y, options)));
    const Tensor normal = prims::mul(y, spread(scale, x.shape(), dims));
    return converted(scaled(normal, options.weight, {}), x.dtype());
}

}  // namespace decompose
}  // namespace fulgurite
