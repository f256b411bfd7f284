#include <fulgurite/transforms/grad_rules.h>

#include <fulgurite/core/ops/prims.h>

namespace fulgurite {

namespace rules {

Tensor summed_to(const Tensor& grad, const Shape& shape) {
    if (grad.shape() == shape) return grad;
    const int lead = grad.dim() - shape.size();
    Dims dims;
    for (int i = 0; i < grad.dim(); ++i) {
        if (i < lead || (shape[i - lead] == 1 && grad.shape()[i] != 1)) dims.push_back(i);
    }
    return reshaped(prims::sum(wide(grad), dims), shape);
}

void put(const Operand& value, const Tensor& grad) {
    if (!needs_grad(value)) return;
    const Tensor& x = value.tensor();
    Tensor like = converted(summed_to(grad, x.shape()), x.dtype());
    if (like.device() != x.device()) like = prims::device_put(like, x.device());
    put_grad(x, like);
}

}  // namespace rules

const GradRules& grad_rules() {
    static const GradRules* const table = [] {
        auto* rules = new GradRules;
        rules::add_pointwise(*rules);
        rules::add_composite_pointwise(*rules);
        rules::add_reduction(*rules);
        rules::add_view(*rules);
        rules::add_index(*rules);
        rules::add_matmul(*rules);
        rules::add_nn(*rules);
        return rules;
    }();
    return *table;
}

}  // namespace fulgurite
