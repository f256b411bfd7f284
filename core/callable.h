#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fulgurite::detail {

/// Stands for the signature of a callable that has none of its own: a generic lambda, an overloaded
/// operator().
struct Generic {};

template <class F>
struct MemberSignature;
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...)> {
    using type = R(A...);
};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) const> {
    using type = R(A...);
};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) noexcept> {
    using type = R(A...);
};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) const noexcept> {
    using type = R(A...);
};

template <class F>
struct SignatureOfCallable {
    using type = Generic;
};
template <class F>
    requires requires { &F::operator(); }
struct SignatureOfCallable<F> : MemberSignature<decltype(&F::operator())> {};
template <class R, class... A>
struct SignatureOfCallable<R (*)(A...)> {
    using type = R(A...);
};
template <class R, class... A>
struct SignatureOfCallable<R (*)(A...) noexcept> {
    using type = R(A...);
};

/// R(A...) of a function pointer, a lambda or a function object with one operator(); Generic for others.
template <class F>
using signature_of_callable = typename SignatureOfCallable<F>::type;

template <class F, class Signature = signature_of_callable<F>>
inline constexpr bool callable_when_const = true;  // of a generic callable nothing is known before the call
template <class F, class R, class... A>
inline constexpr bool callable_when_const<F, R(A...)> = std::is_invocable_v<const F&, A...>;

/// A compile-time error in words for a function whose calls would change it.
template <class F>
constexpr void require_const_callable() {
    static_assert(
        callable_when_const<F>,
        "jit, grad and the like take a function that can be called when it is const: what a mutable lambda "
        "changes would change while tracing only");
}

/// Gives Derived an operator() with the wrapped callable's own parameters (so that conversions and braces
/// work as for a plain call), forwarded to Derived::invoke<A...>(args...). A generic callable's is deduced
/// call by call.
template <class Derived, class Signature>
class ExposeSignature;

template <class Derived, class R, class... A>
class ExposeSignature<Derived, R(A...)> {
public:
    auto operator()(A... args) const {
        return static_cast<const Derived&>(*this).template invoke<A...>(std::forward<A>(args)...);
    }
};

template <class Derived>
class ExposeSignature<Derived, Generic> {
public:
    template <class... A>
    auto operator()(A&&... args) const {
        return static_cast<const Derived&>(*this).template invoke<A&&...>(std::forward<A>(args)...);
    }
};

}  // namespace fulgurite::detail
