#pragma once

#include <tuple>
#include <utility>

#include <fulgurite/core/callable.h>
#include <fulgurite/core/evaluator.h>
#include <fulgurite/core/traced_copy.h>
#include <fulgurite/transforms/grad.h>
#include <fulgurite/transforms/separate_outputs.h>

namespace fulgurite {

/// As an argument of grad and value_and_grad: the function returns pair{loss, aux}, and only the loss is
/// differentiated.
struct HasAux {};
inline constexpr HasAux has_aux{};

namespace detail {

template <class T>
inline constexpr bool is_pair = is_instance<T, std::pair>;

/// Puts tensors in the place of a tree's defined tensor leaves, in order.
class LeafSetter : public PyTreeVisitor {
public:
    LeafSetter(const Tensor* tensors) : next_(tensors) {}
    using PyTreeVisitor::tensor;
    void tensor(Tensor& leaf) {
        if (leaf.defined()) leaf = *next_++;
    }
    const Tensor* next() const { return next_; }

private:
    const Tensor* next_;
};

/// Runs `body`, which records, at once: traces it in a scope of its own with the arguments as inputs, and
/// evaluates that trace.
template <class Body, class... A>
auto trace_and_run(const Body& body, const A&... args) {
    using R = decltype(body(args...));
    Trace trace;
    Flat result;
    std::vector<Tensor> inputs;
    {
        TraceScope scope;
        TracedInputs traced(scope);
        const std::tuple<A...> copies{traced.copy(args)...};
        result = tree_flatten(std::apply(body, copies));
        trace = {"eager transform", scope.root().values, traced.values, scope.root().captures, {}, {}, {}};
        trace.outputs = scope.values_of(result.tensors);
        trace.body = std::move(scope.body());
        inputs = std::move(traced.tensors);
    }
    note_output_aliases(trace);
    result.tensors = evaluator().run_trace(trace, std::move(inputs));
    return tree_unflatten<R>(result);
}

}  // namespace detail

/// What value_and_grad returns; a function with the parameters of the one it differentiates.
template <class F, bool aux, bool with_value, std::size_t... argnums>
class Differentiating : public detail::ExposeSignature<Differentiating<F, aux, with_value, argnums...>,
                                                       detail::signature_of_callable<F>> {
public:
    explicit Differentiating(F function) : function_(std::move(function)) {
        detail::require_const_callable<F>();
    }

    template <class... A>
    auto invoke(A... args) const {
        static_assert(((argnums < sizeof...(A)) && ...),
                      "grad: argnums names an argument that the function does not have");
        const auto body = [this](const std::remove_cvref_t<A>&... traced) {
            return differentiate_call(traced...);
        };
        if (is_tracing()) return body(args...);
        return detail::trace_and_run(body, static_cast<const std::remove_cvref_t<A>&>(args)...);
    }

private:
    template <class... T>
    auto differentiate_call(const T&... args) const {
        using Value = std::remove_cvref_t<std::invoke_result_t<const F&, T&...>>;
        static_assert(aux ? detail::is_pair<Value> : std::is_same_v<Value, Tensor>,
                      "grad differentiates a function that returns one Tensor, the loss (or, with has_aux, a "
                      "pair of the "
                      "loss and anything)");
        std::tuple<T...> copies(args...);
        std::vector<Tensor> leaves;
        (for_each_tensor(std::get<argnums>(copies), [&](const Tensor& leaf) { leaves.push_back(leaf); }),
         ...);
        Flat value;
        const Differentiated result =
            differentiate(*TraceScope::current(), leaves, [&](const std::vector<Tensor>& fresh) {
                detail::LeafSetter setter(fresh.data());
                (walk(std::get<argnums>(copies), setter), ...);
                value = tree_flatten(std::apply(function_, copies));
                return value.tensors;
            });
        value.tensors = result.outputs;
        return assemble(tree_unflatten<Value>(value),
                        gradients_of<T...>(std::tuple<const T&...>(args...), result.gradients));
    }

    template <class... T>
    static auto gradients_of(const std::tuple<const T&...>& args, const std::vector<Tensor>& gradients) {
        auto trees = std::make_tuple(std::get<argnums>(args)...);
        detail::LeafSetter setter(gradients.data());
        std::apply([&](auto&... tree) { (walk(tree, setter), ...); }, trees);
        if constexpr (sizeof...(argnums) == 1)
            return std::get<0>(std::move(trees));
        else
            return trees;
    }

    template <class Value, class Gradients>
    static auto assemble(Value value, Gradients gradients) {
        if constexpr (with_value)
            return std::pair<Value, Gradients>(std::move(value), std::move(gradients));
        else if constexpr (aux)
            return std::pair(std::move(gradients), std::move(value.second));
        else
            return gradients;
    }

    F function_;
};

/// The function that returns pair{value, gradients} of `function`, whose result is a floating tensor of one
/// element. Gradients have the type and structure of the arguments `argnums` (the first by default; a tuple
/// for several): zeros where the value does not depend on a leaf, undefined for integer leaves. Composes with
/// jit and with itself. (jax.value_and_grad)
template <std::size_t... argnums, class F>
auto value_and_grad(F function) {
    if constexpr (sizeof...(argnums) == 0)
        return Differentiating<F, false, true, 0>(std::move(function));
    else
        return Differentiating<F, false, true, argnums...>(std::move(function));
}
/// With `has_aux` the function returns pair{loss, aux}; the result is pair{pair{loss, aux}, gradients}.
template <std::size_t... argnums, class F>
auto value_and_grad(F function, HasAux) {
    if constexpr (sizeof...(argnums) == 0)
        return Differentiating<F, true, true, 0>(std::move(function));
    else
        return Differentiating<F, true, true, argnums...>(std::move(function));
}

/// The function that returns the gradients alone. (jax.grad)
template <std::size_t... argnums, class F>
auto grad(F function) {
    if constexpr (sizeof...(argnums) == 0)
        return Differentiating<F, false, false, 0>(std::move(function));
    else
        return Differentiating<F, false, false, argnums...>(std::move(function));
}
/// With `has_aux`: pair{gradients, aux}.
template <std::size_t... argnums, class F>
auto grad(F function, HasAux) {
    if constexpr (sizeof...(argnums) == 0)
        return Differentiating<F, true, false, 0>(std::move(function));
    else
        return Differentiating<F, true, false, argnums...>(std::move(function));
}

}  // namespace fulgurite
