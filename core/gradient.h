#pragma once

#include <fulgurite/core/op.h>

namespace fulgurite {

/// A gradient rule is one function with the op's own arguments: it computes the results, asks for the
/// gradient of each with get_grad, and puts gradients on its arguments. What the results need is the forward
/// half; the rest runs backward.

/// The gradient of a value (the rule's own result), with the value's shape and dtype. Only within a rule.
Tensor get_grad(const Tensor& value);

/// Adds `grad` to the gradient of an argument of the rule. Nothing happens for integer, bool, undefined and
/// inactive values. Throws InternalError where shape, dtype or device differ from the value's. Only within a
/// rule.
void put_grad(const Tensor& value, const Tensor& grad);
inline void put_grad(const Operand& value, const Tensor& grad) {
    if (value.is_tensor()) put_grad(value.tensor(), grad);
}

/// put_grad for each pair of tensor leaves of two pytrees of one structure.
template <class T, class G>
void put_grads(const T& values, const G& grads) {
    const Flat v = tree_flatten(values);
    const Flat g = tree_flatten(grads);
    for (std::size_t i = 0; i < v.tensors.size() && i < g.tensors.size(); ++i)
        put_grad(v.tensors[i], g.tensors[i]);
}

/// Whether a gradient is wanted for an argument of the rule; ask before computing one.
bool needs_grad(const Tensor& value);
inline bool needs_grad(const Operand& value) { return value.is_tensor() && needs_grad(value.tensor()); }

/// The table of gradient rules: one row an op. Composites without a row are differentiated through their
/// parts.
class GradRules {
public:
    template <class R, class... A>
    void add(const Op<R(A...)>& op, R (*rule)(const A&...)) {
        rules_[&op.symbol()] = AnyFunction(rule);
    }
    /// Results of the op carry no gradient (comparisons, argmax, stop_gradient, ...).
    template <class S>
    void add_zero(const Op<S>& op) {
        rules_[&op.symbol()] = AnyFunction();
    }
    /// The rule, an empty function for "no gradient", or null where there is no row.
    const AnyFunction* find(const Symbol& symbol) const {
        const auto row = rules_.find(&symbol);
        return row == rules_.end() ? nullptr : &row->second;
    }

private:
    std::map<const Symbol*, AnyFunction> rules_;
};

/// The built-in table.
const GradRules& grad_rules();

}  // namespace fulgurite
