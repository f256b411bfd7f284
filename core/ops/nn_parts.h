#pragma once

#include <fulgurite/core/ops/nn.h>

/// What the decompositions of nn ops and their gradient rules share.
namespace fulgurite::nn {

/// The dimension of softmax and the like, for floats; throws DTypeError and IndexError.
int softmax_dim(const char* op, const Tensor& x, std::int64_t dim);

/// The mean along dimensions, which are dropped.
Tensor mean_along(const Tensor& x, const Dims& dims);

/// What softmax along dimensions divides by, as maximum + log_sum, each of the reduced shape: together they
/// would lose the digits that a large maximum has not got.
struct Normalizer {
    Tensor maximum;
    Tensor log_sum;
};
Normalizer normalizer(const Tensor& x, const Dims& dims);
/// x - maximum - log_sum.
Tensor log_softmax(const Tensor& x, const Dims& dims, const Normalizer& by);

/// A loss of class indices, x[n, c, ...] and target[n, ...]; checks the shapes.
class ClassTargets {
public:
    ClassTargets(const char* op, const Tensor& x, const Tensor& target, const NllLossOptions& options);

    int class_dim() const { return class_dim_; }
    /// x at each target, in the target's shape (0 stands for ignored ones).
    Tensor picked(const Tensor& x) const;
    /// Minus the logarithm of each target's softmax.
    Tensor cross_entropies(const Tensor& x, const Normalizer& by) const;
    /// Ones where the class is the target, in x's shape.
    Tensor one_hot(const Tensor& x) const;
    /// The elements reduced as the options say; ignored ones count for nothing.
    Tensor reduced(const Tensor& elements) const;
    /// What each element's gradient is, given that of the reduced loss, in the target's shape.
    Tensor element_grads(const Tensor& grad, DType dtype) const;

private:
    Tensor counted(DType dtype) const;
    Tensor count(DType dtype) const;

    Tensor safe_;  ///< targets, ignored ones as class 0
    Tensor kept_;  ///< bool: not ignored
    Reduction reduction_;
    int class_dim_;
};

/// Elements of a loss as the reduction says.
Tensor reduced_loss(const Tensor& elements, Reduction reduction);

/// The last dimensions that a normalisation is over; throws ShapeError where they are not x's.
Dims normalized_dims(const char* op, const Tensor& x, const Shape& normalized_shape, const Tensor& weight,
                     const Tensor& bias);
double rms_norm_eps(const Tensor& x, const RmsNormOptions& options);

}  // namespace fulgurite::nn
