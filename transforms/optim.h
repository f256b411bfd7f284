#pragma once

#include <utility>
#include <vector>

#include <fulgurite/core/ops/ops.h>
#include <fulgurite/core/pytree.h>

/// Optimisers for any pytree of parameters: `adamw(params, grads, state, {.lr = lr})` gives the leaves of
/// params and state their new values. States are plain structs: a jitted step takes them by reference like
/// the parameters. Leaves that are not floating, or whose gradient is undefined, stay as they are. State and
/// update of float16 and bfloat16 parameters are float32.
namespace fulgurite {

struct SgdOptions {
    Operand lr = 1e-3;  ///< a number, or a Scalar where it changes from call to call
    double momentum = 0;
    double weight_decay = 0;
    bool nesterov = false;
};

template <class Params>
struct SgdState {
    Params momentum;
};

struct AdamWOptions {
    Operand lr = 1e-3;  ///< a number, or a Scalar where it changes from call to call
    std::pair<double, double> betas = {0.9, 0.999};
    double eps = 1e-8;
    double weight_decay = 1e-2;
};

template <class Params>
struct AdamWState {
    Params exp_avg;
    Params exp_avg_sq;
    Scalar<std::int64_t> step = 0;
};

struct CosineOptions {
    double lr = 1e-3;   ///< at the end of the warm-up
    double min_lr = 0;  ///< from total_steps on
    std::int64_t warmup_steps = 0;
    std::int64_t total_steps = 1;
};

namespace detail {
/// One leaf of every tree that an update reads and writes; the tensors may be undefined.
struct SgdLeaf {
    Tensor& param;
    const Tensor& grad;
    Tensor& momentum;
};
void sgd_update(SgdLeaf leaf, const SgdOptions& options);

struct AdamWLeaf {
    Tensor& param;
    const Tensor& grad;
    Tensor& exp_avg;
    Tensor& exp_avg_sq;
};
/// What all leaves of one step share.
struct AdamWStep {
    Operand decay;      ///< 1 - lr * weight_decay
    Operand step_size;  ///< lr / (1 - beta1^step)
    Operand scale;      ///< 1 / sqrt(1 - beta2^step)
};
AdamWStep adamw_step(const Operand& step, const AdamWOptions& options);
void adamw_update(AdamWLeaf leaf, const AdamWStep& step, const AdamWOptions& options);

Tensor clip_leaves(const std::vector<Tensor*>& grads, const Operand& max_norm);

/// Zeros for the state of one parameter; undefined where it has none.
Tensor state_like(const Tensor& param);

/// The tensor leaves of a tree, undefined ones too.
template <class T>
auto leaves_of(T& tree) {
    using Leaf = std::conditional_t<std::is_const_v<T>, const Tensor, Tensor>;
    struct Visitor : PyTreeVisitor {
        std::vector<Leaf*> leaves;
        void tensor(Leaf& leaf) { leaves.push_back(&leaf); }
    } visitor;
    walk(tree, visitor);
    return std::move(visitor.leaves);
}

/// Leaves of several trees side by side; throws ValueError where the trees have different numbers of leaves.
void require_leaves(const char* optimizer, std::size_t expected, std::size_t got);

template <class Params>
Params state_tree(const Params& params) {
    Params state = params;
    for (Tensor* leaf : leaves_of(state)) *leaf = state_like(*leaf);
    return state;
}
}  // namespace detail

/// The state to start with: no momentum.
template <class Params>
SgdState<Params> sgd_state(const Params& params) {
    return {detail::state_tree(params)};
}

/// One step of gradient descent (torch.optim.SGD).
template <class Params, class Grads>
void sgd(Params& params, const Grads& grads, SgdState<Params>& state, const SgdOptions& options = {}) {
    const auto p = detail::leaves_of(params);
    const auto g = detail::leaves_of(grads);
    const auto m = detail::leaves_of(state.momentum);
    detail::require_leaves("sgd", p.size(), g.size());
    detail::require_leaves("sgd", p.size(), m.size());
    for (std::size_t i = 0; i < p.size(); ++i) detail::sgd_update({*p[i], *g[i], *m[i]}, options);
}

/// The state to start with: zeros, and step 0.
template <class Params>
AdamWState<Params> adamw_state(const Params& params) {
    return {detail::state_tree(params), detail::state_tree(params), 0};
}

/// One step of Adam with decoupled weight decay (torch.optim.AdamW).
template <class Params, class Grads>
void adamw(Params& params, const Grads& grads, AdamWState<Params>& state, const AdamWOptions& options = {}) {
    const auto p = detail::leaves_of(params);
    const auto g = detail::leaves_of(grads);
    const auto m = detail::leaves_of(state.exp_avg);
    const auto v = detail::leaves_of(state.exp_avg_sq);
    detail::require_leaves("adamw", p.size(), g.size());
    detail::require_leaves("adamw", p.size(), m.size());
    detail::require_leaves("adamw", p.size(), v.size());
    state.step = state.step + 1;
    const detail::AdamWStep step = detail::adamw_step(state.step, options);
    for (std::size_t i = 0; i < p.size(); ++i)
        detail::adamw_update({*p[i], *g[i], *m[i], *v[i]}, step, options);
}

/// Scales gradients down where the norm of all of them together is more than max_norm; returns that norm
/// (torch.nn.utils.clip_grad_norm_).
template <class Grads>
Tensor clip_grad_norm(Grads& grads, const Operand& max_norm) {
    return detail::clip_leaves(detail::leaves_of(grads), max_norm);
}

/// The learning rate of a step counted from 0: up in a line for warmup_steps, then down half a cosine.
double cosine_schedule(std::int64_t step, const CosineOptions& options);
/// The same of a run-time number.
Tensor cosine_schedule(const Scalar<std::int64_t>& step, const CosineOptions& options);

}  // namespace fulgurite
