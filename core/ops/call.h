#pragma once

#include <fulgurite/core/errors.h>
#include <fulgurite/core/op.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite::detail {

inline const Operand& unwrapped(const Arg& arg) { return arg.operand; }
inline const Tensor& unwrapped(const TensorArg& arg) { return arg.tensor; }
template <class T>
const T& unwrapped(const T& option) {
    return option;
}

/// Calls an op for the user's line that its first argument carries.
template <class S, class First, class... Rest>
auto call(const Op<S>& op, const First& first, const Rest&... rest) {
    const LocationScope location(first.where);
    return op(unwrapped(first), unwrapped(rest)...);
}

/// Calls an op that mostly makes views. Outside of a trace its parts run one by one: views need no program
/// then.
template <class R, class... A>
R call_view(const Op<R(Tensor, A...)>& op, const TensorArg& x, const std::type_identity_t<A>&... args) {
    const LocationScope location(x.where);
    if (is_tracing() || !x.tensor.is_concrete()) return op(x.tensor, args...);
    const OpScope scope(op.symbol().name);
    return op.symbol().body.template call<R>(x.tensor, args...);
}

/// Calls an op for a line given apart.
template <class R, class... A>
R call_at(SourceLocation where, const Op<R(A...)>& op, const std::type_identity_t<A>&... args) {
    const LocationScope location(where);
    return op(args...);
}

}  // namespace fulgurite::detail
