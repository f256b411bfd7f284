#include <fulgurite/core/ops/prims.h>
#include <fulgurite/core/ops/reduction.h>
#include <fulgurite/transforms/grad_rules.h>

namespace fulgurite::rules {

namespace {

Tensor sum(const Tensor& x, const Dims& dims) {
    const Tensor out = prims::sum(x, dims);
    if (needs_grad(x)) put(x, spread(get_grad(out), x.shape(), dims));
    return out;
}

/// The product of the others: out / x where nothing is 0. Where one factor is, only it has a gradient; where
/// two are, none has.
Tensor prod(const Tensor& x, const Dims& dims) {
    const Tensor out = prims::prod(x, dims);
    if (!needs_grad(x)) return out;
    const Tensor y = wide(x);
    const Tensor is_zero = prims::eq(y, 0.0);
    const Tensor filled = prims::where(is_zero, 1.0, y);
    const Tensor zeros = spread(prims::sum(prims::convert(is_zero, y.dtype()), dims), x.shape(), dims);
    const Tensor rest = spread(prims::prod(filled, dims), x.shape(), dims);
    const Tensor others =
        prims::where(prims::eq(zeros, 0.0), prims::div(rest, filled),
                     prims::where(prims::logical_and(is_zero, prims::eq(zeros, 1.0)), rest, 0.0));
    put(x, prims::mul(spread(wide(get_grad(out)), x.shape(), dims), others));
    return out;
}

/// Ties share evenly.
template <const auto& prim>
Tensor extremum(const Tensor& x, const Dims& dims) {
    const Tensor out = prim(x, dims);
    if (!needs_grad(x)) return out;
    const Tensor chosen =
        prims::convert(prims::eq(x, spread(out, x.shape(), dims)), compute_dtype(x.dtype()));
    const Tensor share = prims::div(wide(get_grad(out)), prims::sum(chosen, dims));
    put(x, prims::mul(chosen, spread(share, x.shape(), dims)));
    return out;
}

Tensor cumsum(const Tensor& x, const std::int64_t& dim) {
    const Tensor out = prims::cumsum(x, dim);
    if (needs_grad(x))
        put(x, prims::flip(prims::cumsum(prims::flip(wide(get_grad(out)), {dim}), dim), {dim}));
    return out;
}

Tensor var(const Tensor& x, const VarOptions& options) {
    const Tensor out = ops::var(x, options);
    if (!needs_grad(x)) return out;
    const Dims dims = reduced_dims("var", x, options.dim);
    const Tensor y = wide(x);
    const auto count = static_cast<double>(count_along(x.shape(), dims));
    const Tensor mean = spread(prims::div(prims::sum(y, dims), count), x.shape(), dims);
    const Tensor slope = prims::mul(prims::sub(y, mean), 2.0 / std::max(count - options.correction, 0.0));
    put(x, prims::mul(spread(wide(get_grad(out)), x.shape(), dims), slope));
    return out;
}

}  // namespace

void add_reduction(GradRules& rules) {
    rules.add(prims::sum, &sum);
    rules.add(prims::prod, &prod);
    rules.add(prims::amax, &extremum<prims::amax>);
    rules.add(prims::amin, &extremum<prims::amin>);
    rules.add(prims::cumsum, &cumsum);
    rules.add(ops::var, &var);
    rules.add_zero(prims::argmax);
    rules.add_zero(prims::argmin);
}

}  // namespace fulgurite::rules
