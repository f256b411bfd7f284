#include <fulgurite/core/ops/prims.h>
#include <fulgurite/transforms/grad_rules.h>

namespace fulgurite::rules {

namespace {

Tensor expand(const Tensor& x, const Shape& shape) {
    const Tensor out = prims::expand(x, shape);
    put(x, get_grad(out));
    return out;
}

Tensor view(const Tensor& x, const Shape& shape) {
    const Tensor out = prims::view(x, shape);
    if (needs_grad(x)) put(x, reshaped(get_grad(out), x.shape()));
    return out;
}

Tensor permute(const Tensor& x, const Dims& dims) {
    const Tensor out = prims::permute(x, dims);
    Dims back = dims;
    for (int i = 0; i < dims.size(); ++i) back[static_cast<int>(dims[i])] = i;
    if (needs_grad(x)) put(x, prims::permute(get_grad(out), back));
    return out;
}

/// x with step - 1 zeros after each element of a dimension.
Tensor spaced(const Tensor& x, int dim, std::int64_t step) {
    if (step == 1) return x;
    Shape apart = x.shape();
    apart.insert(dim + 1, 1);
    Dims high = Dims::filled(apart.size(), 0);
    high[dim + 1] = step - 1;
    Shape together = x.shape();
    together[dim] = checked_mul(together[dim], step);
    return reshaped(prims::pad(reshaped(x, apart), Dims::filled(apart.size(), 0), high, 0), together);
}

Tensor slice(const Tensor& x, const Dims& starts, const Dims& ends, const Dims& steps) {
    const Tensor out = prims::slice(x, starts, ends, steps);
    if (!needs_grad(x)) return out;
    Tensor grad = get_grad(out);
    for (int i = 0; i < x.dim(); ++i) grad = spaced(grad, i, steps[i]);
    Dims high = x.shape();
    for (int i = 0; i < x.dim(); ++i) high[i] -= starts[i] + grad.shape()[i];
    put(x, prims::pad(grad, starts, high, 0));
    return out;
}

/// The same elements elsewhere or under another name.
template <const auto& prim>
Tensor same_elements(const Tensor& x) {
    const Tensor out = prim(x);
    put(x, get_grad(out));
    return out;
}

Tensor device_put(const Tensor& x, const Device& device) {
    const Tensor out = prims::device_put(x, device);
    put(x, get_grad(out));
    return out;
}

Tensor full(const Shape& shape, const Operand& value, const DType& dtype, const Device& device) {
    const Tensor out = prims::full(shape, value, dtype, device);
    if (needs_grad(value) && is_floating_point(dtype)) put(value, get_grad(out));
    return out;
}

}  // namespace

void add_view(GradRules& rules) {
    rules.add(prims::expand, &expand);
    rules.add(prims::view, &view);
    rules.add(prims::permute, &permute);
    rules.add(prims::slice, &slice);
    rules.add(prims::alias, &same_elements<prims::alias>);
    rules.add(prims::clone, &same_elements<prims::clone>);
    rules.add(prims::device_put, &device_put);
    rules.add(prims::full, &full);
    rules.add_zero(prims::iota);
    rules.add_zero(prims::stop_gradient);
}

}  // namespace fulgurite::rules
