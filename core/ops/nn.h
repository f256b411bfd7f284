#pragma once

#include <optional>

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/promote.h>

/// What neural networks are made of. Low-precision operands are computed in float32 and rounded once.
namespace fulgurite {

enum class Reduction { mean, sum, none };

struct SoftmaxOptions {
    std::optional<DType> dtype = {};  ///< converts x first
};

struct LogsumexpOptions {
    bool keepdim = false;
};

struct NllLossOptions {
    Reduction reduction = Reduction::mean;
    std::int64_t ignore_index = -100;  ///< targets that count for nothing
};

struct LossOptions {
    Reduction reduction = Reduction::mean;
};

struct LayerNormOptions {
    Tensor weight = {};
    Tensor bias = {};
    double eps = 1e-5;
};

struct RmsNormOptions {
    Tensor weight = {};
    std::optional<double> eps = {};  ///< none: the smallest step of the dtype that is computed in
};

namespace decompose {
Tensor softmax(const Tensor& x, const std::int64_t& dim, const SoftmaxOptions& options);
Tensor log_softmax(const Tensor& x, const std::int64_t& dim, const SoftmaxOptions& options);
Tensor logsumexp(const Tensor& x, const Dims& dim, const LogsumexpOptions& options);
Tensor nll_loss(const Tensor& x, const Tensor& target, const NllLossOptions& options);
Tensor cross_entropy(const Tensor& x, const Tensor& target, const NllLossOptions& options);
Tensor mse_loss(const Tensor& x, const Tensor& target, const LossOptions& options);
Tensor layer_norm(const Tensor& x, const Shape& normalized_shape, const LayerNormOptions& options);
Tensor rms_norm(const Tensor& x, const Shape& normalized_shape, const RmsNormOptions& options);
}  // namespace decompose

namespace ops {
inline constexpr Composite<"softmax", &decompose::softmax> softmax;
inline constexpr Composite<"log_softmax", &decompose::log_softmax> log_softmax;
inline constexpr Composite<"logsumexp", &decompose::logsumexp> logsumexp;
inline constexpr Composite<"nll_loss", &decompose::nll_loss> nll_loss;
inline constexpr Composite<"cross_entropy", &decompose::cross_entropy> cross_entropy;
inline constexpr Composite<"mse_loss", &decompose::mse_loss> mse_loss;
inline constexpr Composite<"layer_norm", &decompose::layer_norm> layer_norm;
inline constexpr Composite<"rms_norm", &decompose::rms_norm> rms_norm;
}  // namespace ops

/// e^x along a dimension, divided by its sum; of floats (torch.softmax).
inline Tensor softmax(TensorArg x, std::int64_t dim, const SoftmaxOptions& options = {}) {
    return detail::call(ops::softmax, x, dim, options);
}
/// The logarithm of softmax, without its rounding (torch.log_softmax).
inline Tensor log_softmax(TensorArg x, std::int64_t dim, const SoftmaxOptions& options = {}) {
    return detail::call(ops::log_softmax, x, dim, options);
}
/// log of the sum of e^x along dimensions, without overflow (torch.logsumexp).
inline Tensor logsumexp(TensorArg x, const Dims& dim, const LogsumexpOptions& options = {}) {
    return detail::call(ops::logsumexp, x, dim, options);
}
/// Minus the log-probability x[n, c, ...] of each target[n, ...], a class of int64 or int32
/// (torch.nn.functional.nll_loss). Throws ShapeError where the shapes do not belong together.
inline Tensor nll_loss(TensorArg x, const Tensor& target, const NllLossOptions& options = {}) {
    return detail::call(ops::nll_loss, x, target, options);
}
/// nll_loss of the log_softmax of logits[n, c, ...] (torch.nn.functional.cross_entropy, class indices).
inline Tensor cross_entropy(TensorArg x, const Tensor& target, const NllLossOptions& options = {}) {
    return detail::call(ops::cross_entropy, x, target, options);
}
/// The squares of the differences (torch.nn.functional.mse_loss).
inline Tensor mse_loss(TensorArg x, const Tensor& target, const LossOptions& options = {}) {
    return detail::call(ops::mse_loss, x, target, options);
}
/// The last dimensions, which are normalized_shape, with mean 0 and variance 1, times weight, plus bias
/// (torch.nn.functional.layer_norm).
inline Tensor layer_norm(TensorArg x, const Shape& normalized_shape, const LayerNormOptions& options = {}) {
    return detail::call(ops::layer_norm, x, normalized_shape, options);
}
/// The last dimensions divided by their root mean square, times weight (torch.nn.functional.rms_norm).
inline Tensor rms_norm(TensorArg x, const Shape& normalized_shape, const RmsNormOptions& options = {}) {
    return detail::call(ops::rms_norm, x, normalized_shape, options);
}

}  // namespace fulgurite
