#include <fulgurite/core/ops/prims.h>
#include <fulgurite/transforms/grad_rules.h>

namespace fulgurite::rules {

namespace {

/// Zeros like x, of the dtype that gradients add up in.
Tensor wide_zeros(const Tensor& x) {
    return prims::full(x.shape(), 0.0, compute_dtype(x.dtype()), x.device());
}

Dims negated(const Dims& dims) {
    Dims out = dims;
    for (std::int64_t& entry : out) entry = -entry;
    return out;
}

Tensor cat(const std::vector<Tensor>& tensors, const std::int64_t& dim) {
    const Tensor out = prims::cat(tensors, dim);
    const Tensor grad = get_grad(out);
    const int at = static_cast<int>(dim);
    Dims starts = Dims::filled(out.dim(), 0);
    Dims ends = out.shape();
    for (const Tensor& tensor : tensors) {
        ends[at] = starts[at] + tensor.shape()[at];
        if (needs_grad(tensor)) put(tensor, prims::slice(grad, starts, ends, Dims::filled(out.dim(), 1)));
        starts[at] = ends[at];
    }
    return out;
}

Tensor pad(const Tensor& x, const Dims& low, const Dims& high, const Operand& value) {
    const Tensor out = prims::pad(x, low, high, value);
    if (needs_grad(x)) put(x, prims::pad(get_grad(out), negated(low), negated(high), 0));
    return out;
}

Tensor flip(const Tensor& x, const Dims& dims) {
    const Tensor out = prims::flip(x, dims);
    if (needs_grad(x)) put(x, prims::flip(get_grad(out), dims));
    return out;
}

Tensor take(const Tensor& x, const Tensor& index, const std::int64_t& dim) {
    const Tensor out = prims::take(x, index, dim);
    if (!needs_grad(x)) return out;
    Shape rows = x.shape();
    rows[static_cast<int>(dim)] = index.numel();
    const Tensor grad = reshaped(wide(get_grad(out)), rows);
    put(x, prims::index_add(wide_zeros(x), dim, reshaped(index, {index.numel()}), grad));
    return out;
}

Tensor gather(const Tensor& x, const std::int64_t& dim, const Tensor& index) {
    const Tensor out = prims::gather(x, dim, index);
    if (needs_grad(x)) put(x, prims::scatter_add(wide_zeros(x), dim, index, wide(get_grad(out))));
    return out;
}

Tensor scatter_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src) {
    const Tensor out = prims::scatter_add(x, dim, index, src);
    const Tensor grad = get_grad(out);
    put(x, grad);
    if (!needs_grad(src)) return out;
    // What lies outside of the index was not read.
    Dims unread = src.shape();
    for (int i = 0; i < src.dim(); ++i) unread[i] -= index.shape()[i];
    put(src, prims::pad(prims::gather(grad, dim, index), Dims::filled(src.dim(), 0), unread, 0));
    return out;
}

Tensor index_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src) {
    const Tensor out = prims::index_add(x, dim, index, src);
    const Tensor grad = get_grad(out);
    put(x, grad);
    if (needs_grad(src)) put(src, prims::take(grad, index, dim));
    return out;
}

}  // namespace

void add_index(GradRules& rules) {
    rules.add(prims::cat, &cat);
    rules.add(prims::pad, &pad);
    rules.add(prims::flip, &flip);
    rules.add(prims::take, &take);
    rules.add(prims::gather, &gather);
    rules.add(prims::scatter_add, &scatter_add);
    rules.add(prims::index_add, &index_add);
}

}  // namespace fulgurite::rules
