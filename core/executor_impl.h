#pragma once

// The templates of executor.h: they only deduce C++ signatures and hand over to what is compiled once.

namespace fulgurite {
namespace detail {

template <class F>
struct CallableSignature : CallableSignature<decltype(&F::operator())> {};
template <class R, class... A>
struct CallableSignature<R (*)(A...)> {
    using result = std::remove_cvref_t<R>;
    using arguments = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class C, class... A>
struct CallableSignature<R (C::*)(A...)> : CallableSignature<R (*)(A...)> {};
template <class R, class C, class... A>
struct CallableSignature<R (C::*)(A...) const> : CallableSignature<R (*)(A...)> {};
template <class R, class... A>
struct CallableSignature<R (*)(A...) noexcept> : CallableSignature<R (*)(A...)> {};
template <class R, class C, class... A>
struct CallableSignature<R (C::*)(A...) noexcept> : CallableSignature<R (*)(A...)> {};
template <class R, class C, class... A>
struct CallableSignature<R (C::*)(A...) const noexcept> : CallableSignature<R (*)(A...)> {};

template <class F>
concept HasSignature = std::is_pointer_v<F> || requires { &F::operator(); };

template <class T>
inline constexpr bool is_spec_tree =
    std::is_void_v<T> || std::is_same_v<T, TensorSpec> || std::is_same_v<T, Tensor>;
template <class A, class B>
inline constexpr bool is_spec_tree<std::pair<A, B>> = is_spec_tree<A> && is_spec_tree<B>;
template <class... A>
inline constexpr bool is_spec_tree<std::tuple<A...>> = (is_spec_tree<A> && ...);
template <class A>
inline constexpr bool is_spec_tree<std::vector<A>> = is_spec_tree<A>;

/// The results of an operator whose meta returns Spec.
template <class Spec>
struct ResultOf {
    using type = Spec;
};
template <>
struct ResultOf<TensorSpec> {
    using type = Tensor;
};
template <class... Spec>
struct ResultOf<std::tuple<Spec...>> {
    using type = std::tuple<typename ResultOf<Spec>::type...>;
};
template <class A, class B>
struct ResultOf<std::pair<A, B>> {
    using type = std::pair<typename ResultOf<A>::type, typename ResultOf<B>::type>;
};
template <class Spec>
struct ResultOf<std::vector<Spec>> {
    using type = std::vector<typename ResultOf<Spec>::type>;
};

/// What a meta returned, as results.
template <class Spec>
typename ResultOf<Spec>::type results_from(const Spec& specs) {
    using R = typename ResultOf<Spec>::type;
    if constexpr (is_instance<Spec, std::vector>) {
        R results;
        for (const auto& spec : specs) results.push_back(results_from(spec));
        return results;
    } else if constexpr (TupleLike<Spec>) {
        return std::apply([](const auto&... spec) { return R(results_from(spec)...); }, specs);
    } else {
        return R(specs);
    }
}

template <class R, class Tuple>
struct SignatureFrom;
template <class R, class... A>
struct SignatureFrom<R, std::tuple<A...>> {
    using type = R(A...);
};

/// The Out parameters for results of type R.
template <class R>
struct OutsOf {
    using type = std::tuple<>;
};
template <>
struct OutsOf<Tensor> {
    using type = std::tuple<Out<Tensor>>;
};
template <class... T>
struct OutsOf<std::tuple<T...>> {
    using type = std::tuple<Out<T>...>;
};
template <class A, class B>
struct OutsOf<std::pair<A, B>> {
    using type = std::tuple<Out<A>, Out<B>>;
};

template <class S, class F, class Outs>
struct KernelOf;
template <class R, class... A, class F, class... O>
struct KernelOf<R(A...), F, std::tuple<O...>> {
    static constexpr bool places = sizeof...(O) > 0 && std::is_invocable_v<F, O&..., const A&...>;
    static constexpr bool returns = std::is_invocable_r_v<R, F, const A&...>;

    static void run_placing(const AnyFunction& function, const Statics& statics,
                            const Tensor* const* operands, Tensor* const* results) {
        FlatReader reader(statics, operands);
        const std::tuple<A...> arguments{build<A>(reader)...};
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            std::tuple<O...> outs{O(*results[i])...};
            std::apply(
                [&](const A&... a) {
                    function.template call_exact<void, O&..., const A&...>(std::get<i>(outs)..., a...);
                },
                arguments);
        }(std::index_sequence_for<O...>{});
    }
    static void run_returning(const AnyFunction& function, const Statics& statics,
                              const Tensor* const* operands, Tensor* const* results) {
        FlatReader reader(statics, operands);
        const std::tuple<A...> arguments{build<A>(reader)...};
        Flat flat = tree_flatten(
            std::apply([&](const A&... a) { return function.template call<R>(a...); }, arguments));
        for (Tensor& tensor : flat.tensors) **results++ = std::move(tensor);
    }

    static Kernel make(F implementation) {
        static_assert(places || returns,
                      "an implementation takes the op's arguments and returns its results, or is "
                      "void(Out<Tensor>&..., args...) and writes into them");
        if constexpr (places) {
            return {AnyFunction::own(std::function<void(O & ..., const A&...)>(std::move(implementation))),
                    &run_placing, false};
        } else if constexpr (returns) {
            return {AnyFunction::own(std::function<R(const A&...)>(std::move(implementation))),
                    &run_returning, true};
        } else {
            return {};
        }
    }
};

template <class S>
struct ResultType;
template <class R, class... A>
struct ResultType<R(A...)> {
    using type = R;
    using function = R(const A&...);
};

template <class S, class F>
Kernel make_kernel(F implementation) {
    return KernelOf<S, F, typename OutsOf<typename ResultType<S>::type>::type>::make(
        std::move(implementation));
}

}  // namespace detail

template <class Meta, class F>
auto OperatorExecutor::register_operator(const std::string& name, Meta meta, F function,
                                         OperatorOptions options) {
    static_assert(
        detail::HasSignature<Meta>,
        "a meta names the types of its arguments, for they are the operator's: no auto, no overloads");
    if constexpr (detail::HasSignature<Meta>) {
        using Parts = detail::CallableSignature<Meta>;
        static_assert(detail::is_spec_tree<typename Parts::result>,
                      "a meta returns TensorSpecs: one, or a pair, tuple or vector of them");
        if constexpr (detail::is_spec_tree<typename Parts::result>) {
            using R = typename detail::ResultOf<typename Parts::result>::type;
            using S = typename detail::SignatureFrom<R, typename Parts::arguments>::type;
            Symbol symbol{name, options.tags, true, &detail::SignatureOf<S>::value, {}, this};
            symbol.body = AnyFunction::own(std::function<typename detail::ResultType<S>::function>(
                [meta = std::move(meta)](const auto&... a) -> R {
                    if constexpr (std::is_void_v<R>)
                        meta(a...);
                    else
                        return detail::results_from(meta(a...));
                }));
            return Op<S>(
                add_operator(name, std::move(symbol), detail::make_kernel<S>(std::move(function)), options));
        }
    }
}

template <class S, class F>
Op<S> OperatorExecutor::register_operator_like(const std::string& name, const Op<S>& like, F function,
                                               OperatorOptions options) {
    Symbol symbol = like.symbol();
    symbol.tags = symbol.tags | options.tags;
    symbol.executor = this;
    return Op<S>(add_operator(name, std::move(symbol), detail::make_kernel<S>(std::move(function)), options));
}

template <class S, class F>
void OperatorExecutor::register_kernel(const Op<S>& op, F function,
                                       std::type_identity_t<CheckerFor<S>> supports) {
    add_implementation(op.symbol(), erase(Implementation<S, NoPlan>{.checker = std::move(supports)}));
    add_kernel(op.symbol(), detail::make_kernel<S>(std::move(function)));
}

}  // namespace fulgurite
