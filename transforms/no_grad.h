#pragma once

#include <utility>

#include <fulgurite/core/callable.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite {

/// What no_grad returns; a function with the parameters of the one it wraps.
template <class F>
class NoGrad : public detail::ExposeSignature<NoGrad<F>, detail::signature_of_callable<F>> {
public:
    explicit NoGrad(F function) : function_(std::move(function)) { detail::require_const_callable<F>(); }

    template <class... A>
    auto invoke(A... args) const {
        const NoGradGuard guard;
        return function_(std::forward<A>(args)...);
    }

private:
    F function_;
};

/// The function whose results carry no gradient, however they are used. (torch.no_grad as a decorator; for a
/// block of code there is NoGradGuard.)
template <class F>
auto no_grad(F function) {
    return NoGrad<F>(std::move(function));
}

}  // namespace fulgurite
