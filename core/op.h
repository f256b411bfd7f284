#pragma once

#include <string>
#include <utility>

#include <fulgurite/core/symbol.h>

namespace fulgurite {

namespace detail {
/// Runs or records a call: records while a trace is active, evaluates otherwise.
Flat dispatch(const Symbol& symbol, Flat arguments);

template <class Sig>
struct SignatureOf;
template <class R, class... A>
struct SignatureOf<R(A...)> {
    static Flat invoke(const AnyFunction& function, const Statics& arguments, const Tensor* tensors) {
        FlatReader reader(arguments, tensors);
        const std::tuple<A...> args{build<A>(reader)...};
        if constexpr (std::is_void_v<R>) {
            std::apply([&](const A&... a) { function.call<void>(a...); }, args);
            return {};
        } else {
            return tree_flatten(std::apply([&](const A&... a) { return function.call<R>(a...); }, args));
        }
    }
    static const Schema* results() {
        if constexpr (std::is_void_v<R>)
            return schema_of<std::tuple<>>();
        else
            return schema_of<R>();
    }
    static constexpr Signature value{&schema_of<std::tuple<A...>>, &results, &invoke};
};
}  // namespace detail

/// An operation as a C++ callable: `Op<Tensor(Operand, Operand)>`. Arguments are passed as `const A&`.
/// Its meta, checker, transforms and implementations share the one signature.
template <class Sig>
class Op;

template <class R, class... A>
class Op<R(A...)> {
public:
    using Function = R(const A&...);

    constexpr Op() = default;
    constexpr explicit Op(const Symbol* symbol) : symbol_(symbol) {}
    constexpr explicit Op(const Symbol& (*get)()) : get_(get) {}

    R operator()(const A&... args) const {
        if constexpr (std::is_void_v<R>)
            detail::dispatch(symbol(), tree_flatten(args...));
        else
            return tree_unflatten<R>(detail::dispatch(symbol(), tree_flatten(args...)));
    }

    const Symbol& symbol() const { return symbol_ ? *symbol_ : get_(); }

private:
    const Symbol* symbol_ = nullptr;
    const Symbol& (*get_)() = nullptr;
};

namespace detail {
template <std::size_t n>
struct FixedString {
    char text[n]{};
    constexpr FixedString(const char (&literal)[n]) {
        for (std::size_t i = 0; i < n; ++i) text[i] = literal[i];
    }
};

template <class F>
struct FunctionSignature;
template <class R, class... A>
struct FunctionSignature<R (*)(A...)> {
    using type = R(std::remove_cvref_t<A>...);
};

/// A built-in op. It is a constant, so it may be used before main; its symbol is made at first use and listed
/// at start.
template <FixedString name, auto function, bool is_prim, Tag tags>
struct BuiltIn : Op<typename FunctionSignature<decltype(function)>::type> {
    using Sig = typename FunctionSignature<decltype(function)>::type;
    constexpr BuiltIn() : Op<Sig>(&get) { static_cast<void>(&listed); }
    static const Symbol& get() {
        static const Symbol* const symbol =
            keep_symbol({name.text, tags, is_prim, &SignatureOf<Sig>::value, function, nullptr});
        return *symbol;
    }
    static inline const bool listed = (get(), true);
};
}  // namespace detail

/// A prim: `meta` maps the operands (traced or abstract) to abstract results.
template <detail::FixedString name, auto meta, Tag tags = Tag::none>
using Prim = detail::BuiltIn<name, meta, true, tags>;

/// A composite: `decomposition` calls other ops.
template <detail::FixedString name, auto decomposition, Tag tags = Tag::none>
using Composite = detail::BuiltIn<name, decomposition, false, tags>;

}  // namespace fulgurite
