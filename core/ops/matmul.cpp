#include <fulgurite/core/ops/matmul.h>

#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::decompose {

namespace {
[[noreturn]] void refuse(const char* op, const char* expected, const Tensor& a, const Tensor& b) {
    fail<ShapeError>(op, std::string("expected ") + expected + ", got " + to_string(a.spec()) + " and " +
                             to_string(b.spec()));
}

void require_alike(const char* op, const Tensor& a, const Tensor& b) {
    meta::require_same_dtype(op, a, b);
    meta::require_same_device(op, a, b);
}

Shape batch_of(const Shape& shape) { return Shape(shape.data(), static_cast<std::size_t>(shape.size() - 2)); }

Shape with_batch(const Shape& batch, std::int64_t rows, std::int64_t columns) {
    Shape shape = batch;
    shape.push_back(rows);
    shape.push_back(columns);
    return shape;
}

std::int64_t rows_of(const Tensor& x) { return x.shape()[x.dim() - 2]; }

/// [..., m, k] as [rows, k] without a copy, or undefined where the strides do not allow it.
Tensor folded(const Tensor& x) {
    const std::int64_t k = x.shape().back();
    const Shape shape{numel_of(batch_of(x.shape())) * rows_of(x), k};
    return view_strides(x.spec(), shape) ? reshaped(x, shape) : Tensor();
}

/// Operands of at least two dimensions and equal inner sizes.
Tensor batched_product(const Tensor& a, const Tensor& b) {
    if (a.dim() == 2 && b.dim() == 2) return prims::matmul(a, b);
    if (b.dim() == 2) {
        // One matrix on the right: the batch is only more rows.
        if (const Tensor flat = folded(a); flat.defined()) {
            return reshaped(prims::matmul(flat, b),
                            with_batch(batch_of(a.shape()), rows_of(a), b.shape()[1]));
        }
    }
    const Shape batch = broadcast_shapes(batch_of(a.shape()), batch_of(b.shape()), "matmul");
    return prims::matmul(expanded(a, with_batch(batch, rows_of(a), a.shape().back())),
                         expanded(b, with_batch(batch, rows_of(b), b.shape().back())));
}
}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
    if (a.dim() == 0 || b.dim() == 0) refuse("matmul", "tensors with dimensions", a, b);
    require_alike("matmul", a, b);
    const Tensor left = a.dim() == 1 ? reshaped(a, {1, a.shape()[0]}) : a;
    const Tensor right = b.dim() == 1 ? reshaped(b, {b.shape()[0], 1}) : b;
    if (left.shape().back() != rows_of(right)) refuse("matmul", "[..., m, k] and [..., k, n]", a, b);
    const Tensor product = batched_product(left, right);
    Shape shape = product.shape();
    if (b.dim() == 1) shape.erase(shape.size() - 1);
    if (a.dim() == 1) shape.erase(shape.size() - (b.dim() == 1 ? 1 : 2));
    return reshaped(product, shape);
}

Tensor bmm(const Tensor& a, const Tensor& b) {
    require_alike("bmm", a, b);
    const bool fits =
        a.dim() == 3 && b.dim() == 3 && a.shape()[0] == b.shape()[0] && a.shape()[2] == b.shape()[1];
    if (!fits) refuse("bmm", "[b, m, k] and [b, k, n]", a, b);
    return prims::matmul(a, b);
}

Tensor dot(const Tensor& a, const Tensor& b) {
    require_alike("dot", a, b);
    if (a.dim() != 1 || a.shape() != b.shape()) refuse("dot", "two vectors of one length", a, b);
    return matmul(a, b);
}

Tensor outer(const Tensor& a, const Tensor& b) {
    if (a.dim() != 1 || b.dim() != 1) refuse("outer", "two vectors", a, b);
    const std::int64_t m = a.shape()[0];
    const std::int64_t n = b.shape()[0];
    const auto [x, y] = promoted("outer", PromotionKind::keep, reshaped(a, {m, 1}), reshaped(b, {1, n}));
    return prims::mul(x, y);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    require_alike("linear", x, weight);
    if (x.dim() == 0 || weight.dim() != 2 || x.shape().back() != weight.shape()[1]) {
        refuse("linear", "[..., in] and [out, in]", x, weight);
    }
    const Tensor product = matmul(x, swapped(weight, 0, 1));
    if (!bias.defined()) return product;
    require_alike("linear", x, bias);
    if (bias.shape() != Shape{weight.shape()[0]})
        refuse("linear", "a bias[out] for the weight[out, in]", weight, bias);
    return prims::add(product, expanded(bias, product.shape()));
}

}  // namespace fulgurite::decompose
