#include <fulgurite/core/ops/matmul.h>
#include <fulgurite/core/ops/prims.h>
#include <fulgurite/transforms/grad_rules.h>

namespace fulgurite::rules {

namespace {

Tensor transposed(const Tensor& x) { return swapped(x, x.dim() - 2, x.dim() - 1); }

/// [..., n] as [rows, n].
Tensor as_rows(const Tensor& x) {
    const std::int64_t columns = x.shape().back();
    std::int64_t rows = 1;
    for (int i = 0; i + 1 < x.dim(); ++i) rows = checked_mul(rows, x.shape()[i]);
    return reshaped(x, {rows, columns});
}

Tensor product(const Tensor& a, const Tensor& b) {
    const Tensor out = prims::matmul(a, b);
    const Tensor grad = get_grad(out);
    if (needs_grad(a)) put(a, prims::matmul(grad, transposed(b)));
    if (needs_grad(b)) put(b, prims::matmul(transposed(a), grad));
    return out;
}

/// Gradients of x[..., k] times one matrix[k, n]: the batch is only more rows.
void put_for_matrix(const Tensor& x, const Tensor& matrix, const Tensor& grad) {
    if (needs_grad(x)) put(x, reshaped(prims::matmul(as_rows(grad), transposed(matrix)), x.shape()));
    if (needs_grad(matrix)) put(matrix, prims::matmul(transposed(as_rows(x)), as_rows(grad)));
}

Tensor matmul(const Tensor& a, const Tensor& b) {
    const Tensor out = ops::matmul(a, b);
    const std::int64_t k = a.shape().back();
    Tensor grad = get_grad(out);
    if (b.dim() == 2 && a.dim() >= 2) {
        put_for_matrix(a, b, grad);
        return out;
    }
    // With the rows and columns that stand for vectors put back, all is one batched product.
    const Tensor left = a.dim() == 1 ? reshaped(a, {1, k}) : a;
    const Tensor right = b.dim() == 1 ? reshaped(b, {k, 1}) : b;
    Shape shape = out.shape();
    if (a.dim() == 1) shape.insert(shape.size() - (b.dim() == 1 ? 0 : 1), 1);
    if (b.dim() == 1) shape.push_back(1);
    grad = reshaped(grad, shape);
    if (needs_grad(a))
        put(a, reshaped(summed_to(ops::matmul(grad, transposed(right)), left.shape()), a.shape()));
    if (needs_grad(b))
        put(b, reshaped(summed_to(ops::matmul(transposed(left), grad), right.shape()), b.shape()));
    return out;
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const Tensor out = ops::linear(x, weight, bias);
    const Tensor grad = get_grad(out);
    if (needs_grad(x)) put(x, reshaped(prims::matmul(as_rows(grad), weight), x.shape()));
    if (needs_grad(weight)) put(weight, prims::matmul(transposed(as_rows(grad)), as_rows(x)));
    if (bias.defined()) put(bias, grad);
    return out;
}

}  // namespace

void add_matmul(GradRules& rules) {
    rules.add(prims::matmul, &product);
    rules.add(ops::matmul, &matmul);
    rules.add(ops::linear, &linear);
}

}  // namespace fulgurite::rules
