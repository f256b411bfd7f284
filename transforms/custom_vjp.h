#pragma once

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <fulgurite/core/callable.h>
#include <fulgurite/core/traced_copy.h>

namespace fulgurite {

namespace detail {

/// Records a body as a region: `body` gets handles to fresh parameters of the given specs and returns its
/// results, of which undefined ones become no_value.
Region record_region(const std::vector<TensorSpec>& parameters,
                     const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& body);

/// Records the call of a function with a rule of its own; regions are the function, its forward and its
/// backward.
std::vector<Tensor> record_custom_vjp(const std::vector<Tensor>& operands, std::vector<Region> regions);

/// pair{First, anything}.
template <class T, class First>
inline constexpr bool is_pair_of = false;
template <class First, class Second>
inline constexpr bool is_pair_of<std::pair<First, Second>, First> = true;

std::vector<TensorSpec> specs_of(const std::vector<Tensor>& tensors);

/// Every tensor leaf of a tree, undefined ones too.
template <class T>
std::vector<Tensor> all_leaves(const T& tree) {
    struct Visitor : PyTreeVisitor {
        std::vector<Tensor> leaves;
        using PyTreeVisitor::tensor;
        void tensor(const Tensor& leaf) { leaves.push_back(leaf); }
    } visitor;
    walk(tree, visitor);
    return visitor.leaves;
}

}  // namespace detail

/// What custom_vjp returns; a function with the parameters of the one it wraps.
template <class F, class Fwd, class Bwd>
class CustomVjp : public detail::ExposeSignature<CustomVjp<F, Fwd, Bwd>, detail::signature_of_callable<F>> {
public:
    CustomVjp(F function, Fwd forward, Bwd backward)
        : function_(std::move(function)), forward_(std::move(forward)), backward_(std::move(backward)) {
        detail::require_const_callable<F>();
    }

    template <class... A>
    auto invoke(A... args) const {
        if (!is_tracing()) return function_(std::forward<A>(args)...);
        return record(static_cast<const std::remove_cvref_t<A>&>(args)...);
    }

private:
    /// The arguments with their leaves replaced.
    template <class... T>
    static std::tuple<T...> with_leaves(const std::tuple<const T&...>& args,
                                        const std::vector<Tensor>& leaves) {
        std::tuple<T...> copies(args);
        const Tensor* next = leaves.data();
        std::apply(
            [&](auto&... tree) { (for_each_tensor(tree, [&](Tensor& leaf) { leaf = *next++; }), ...); },
            copies);
        return copies;
    }

    template <class... T>
    auto record(const T&... args) const {
        using R = std::remove_cvref_t<std::invoke_result_t<const F&, T&...>>;
        using Pair = std::remove_cvref_t<std::invoke_result_t<const Fwd&, T&...>>;
        static_assert(detail::is_pair_of<Pair, R>,
                      "custom_vjp: forward returns pair{what the function returns, residuals}");
        if constexpr (detail::is_pair_of<Pair, R>) return record_pair<R, Pair>(args...);
    }

    template <class R, class Pair, class... T>
    R record_pair(const T&... args) const {
        using Residuals = typename Pair::second_type;
        static_assert(std::is_invocable_v<const Bwd&, const Residuals&, const R&>,
                      "custom_vjp: backward takes (residuals, cotangent of the result)");

        const std::tuple<const T&...> arguments(args...);
        const std::vector<Tensor> operands = tree_flatten(args...).tensors;
        const std::vector<TensorSpec> specs = detail::specs_of(operands);
        Flat result, residuals;
        std::vector<Region> regions;
        regions.push_back(detail::record_region(specs, [&](const std::vector<Tensor>& leaves) {
            auto copies = with_leaves<T...>(arguments, leaves);
            result = tree_flatten(std::apply(function_, copies));
            return result.tensors;
        }));
        regions.push_back(detail::record_region(specs, [&](const std::vector<Tensor>& leaves) {
            auto copies = with_leaves<T...>(arguments, leaves);
            const Pair made = std::apply(forward_, copies);
            result = tree_flatten(made.first);
            residuals = tree_flatten(made.second);
            std::vector<Tensor> all = result.tensors;
            all.insert(all.end(), residuals.tensors.begin(), residuals.tensors.end());
            return all;
        }));
        std::vector<TensorSpec> backward_specs = detail::specs_of(residuals.tensors);
        for (const Tensor& tensor : result.tensors) backward_specs.push_back(tensor.spec());
        regions.push_back(detail::record_region(backward_specs, [&](const std::vector<Tensor>& leaves) {
            const auto count = static_cast<std::ptrdiff_t>(residuals.tensors.size());
            const Flat r{residuals.statics, {leaves.begin(), leaves.begin() + count}};
            const Flat cotangent{result.statics, {leaves.begin() + count, leaves.end()}};
            return gradients(arguments,
                             backward_(tree_unflatten<Residuals>(r), tree_unflatten<R>(cotangent)));
        }));
        return tree_unflatten<R>({result.statics, detail::record_custom_vjp(operands, std::move(regions))});
    }

    /// One gradient an operand, undefined where backward gave none.
    template <class... T, class G>
    static std::vector<Tensor> gradients(const std::tuple<const T&...>& args, const G& given) {
        std::vector<Tensor> wanted;
        std::apply([&](const auto&... tree) { ((append(wanted, detail::all_leaves(tree))), ...); }, args);
        const std::vector<Tensor> got = detail::all_leaves(given);
        if (got.size() != wanted.size()) {
            fail<ValueError>("custom_vjp", "expected backward to return " + std::to_string(wanted.size()) +
                                               " gradients (undefined tensors where there is none), got " +
                                               std::to_string(got.size()));
        }
        std::vector<Tensor> out;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i].defined()) out.push_back(got[i]);
        }
        return out;
    }
    static void append(std::vector<Tensor>& list, std::vector<Tensor> more) {
        list.insert(list.end(), more.begin(), more.end());
    }

    F function_;
    Fwd forward_;
    Bwd backward_;
};

/// `function` with a gradient rule of its own. `forward(args...)` returns pair{result, residuals};
/// `backward(residuals, cotangent)` returns the gradients of the arguments: a tuple of trees like them, or
/// the one tree. (jax.custom_vjp)
template <class F, class Fwd, class Bwd>
auto custom_vjp(F function, Fwd forward, Bwd backward) {
    return CustomVjp<F, Fwd, Bwd>(std::move(function), std::move(forward), std::move(backward));
}

}  // namespace fulgurite
