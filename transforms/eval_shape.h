#pragma once

#include <tuple>

#include <fulgurite/core/traced_copy.h>

namespace fulgurite {

/// What `function` would return for these arguments (tensors, or TensorSpecs in their place, also within
/// structs), as abstract tensors: nothing is computed, and no device is needed. (jax.eval_shape)
template <class F, class... A>
auto eval_shape(const F& function, const A&... args) {
    using R = std::remove_cvref_t<std::invoke_result_t<const F&, detail::pytree_of<A>&...>>;
    TraceScope scope;
    detail::TracedInputs traced(scope);
    std::tuple<detail::pytree_of<A>...> copies{
        traced.copy(static_cast<const detail::pytree_of<A>&>(args))...};
    Flat result = tree_flatten(std::apply(function, copies));
    for (Tensor& tensor : result.tensors) tensor = Tensor(tensor.spec());
    return tree_unflatten<R>(result);
}

}  // namespace fulgurite
