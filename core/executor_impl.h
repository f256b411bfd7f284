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

/// What a meta returned, specs or tensors, as the operator's results.
template <class R, class Spec>
R abstract_result(const Spec& spec) {
    if constexpr (std::is_convertible_v<const Spec&, R>) {
        return spec;
    } else if constexpr (is_instance<R, std::vector>) {
        R list;
        for (const auto& entry : spec) list.push_back(abstract_result<typename R::value_type>(entry));
        return list;
    } else {
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return R{abstract_result<std::tuple_element_t<i, R>>(std::get<i>(spec))...};
        }(std::make_index_sequence<std::tuple_size_v<R>>{});
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

    static void run_placing(const AnyFunction& function, const Statics& statics, const Tensor* const* operands,
                            Tensor* const* results) {
        FlatReader reader(statics, operands);
        const std::tuple<A...> arguments{build<A>(reader)...};
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            std::tuple<O...> outs{O(*results[i])...};
            std::apply(
                [&](const A&... a) { function.template call_exact<void, O&..., const A&...>(std::get<i>(outs)..., a...); },
                arguments);
        }(std::index_sequence_for<O...>{});
    }
    static void run_returning(const AnyFunction& function, const Statics& statics, const Tensor* const* operands,
                              Tensor* const* results) {
        FlatReader reader(statics, operands);
        const std::tuple<A...> arguments{build<A>(reader)...};
        Flat flat = tree_flatten(std::apply([&](const A&... a) { return function.template call<R>(a...); }, arguments));
        for (Tensor& tensor : flat.tensors) **results++ = std::move(tensor);
    }

    static Kernel make(F implementation) {
        static_assert(places || returns,
                      "an implementation takes the op's arguments and returns its results, or is "
                      "void(Out<Tensor>&..., args...) and writes into them");
        if constexpr (places) {
            return {AnyFunction::own(std::function<void(O&..., const A&...)>(std::move(implementation))), &run_placing, false};
        } else if constexpr (returns) {
            return {AnyFunction::own(std::function<R(const A&...)>(std::move(implementation))), &run_returning, true};
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
    return KernelOf<S, F, typename OutsOf<typename ResultType<S>::type>::type>::make(std::move(implementation));
}

}  // namespace detail

template <class Meta, class F>
auto OperatorExecutor::register_operator(const std::string& name, Meta meta, F function, OperatorOptions options) {
    using Parts = detail::CallableSignature<Meta>;
    using R = typename detail::ResultOf<typename Parts::result>::type;
    using S = typename detail::SignatureFrom<R, typename Parts::arguments>::type;
    Symbol symbol{name, options.tags, true, &detail::SignatureOf<S>::value, {}, this};
    symbol.body = AnyFunction::own(std::function<typename detail::ResultType<S>::function>(
        [meta = std::move(meta)](const auto&... a) -> R { return detail::abstract_result<R>(meta(a...)); }));
    return Op<S>(add_operator(name, std::move(symbol), detail::make_kernel<S>(std::move(function)), options));
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
void OperatorExecutor::register_kernel(const Op<S>& op, F function, std::type_identity_t<CheckerFor<S>> supports) {
    add_implementation(op.symbol(), erase(Implementation<S, NoPlan>{.checker = std::move(supports)}));
    add_kernel(op.symbol(), detail::make_kernel<S>(std::move(function)));
}

}  // namespace fulgurite
