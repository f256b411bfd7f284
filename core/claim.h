#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fulgurite/core/op.h>

namespace fulgurite {

/// The plan of an implementation that needs none.
struct NoPlan {};

/// A checker's refusal, with its reason: `return refuse("head_dim 72 is not 64 or 128");`.
struct Refusal {
    std::string reason;
};
inline Refusal refuse(std::string reason) { return {std::move(reason)}; }

/// What a checker says: yes, with a plan that its transforms then receive, or no, with a reason. A bool also
/// does.
template <class Plan = NoPlan>
class Claim {
public:
    Claim(bool accepted) : accepted_(accepted) {
        static_assert(std::is_same_v<Plan, NoPlan>,
                      "this implementation has a plan: accept by returning one");
    }
    Claim(Refusal refusal) : reason_(std::move(refusal.reason)) {}
    Claim(Plan plan) : accepted_(true), plan_(std::move(plan)) {}

    bool accepted() const { return accepted_; }
    const std::string& reason() const { return reason_; }
    const Plan& plan() const { return *plan_; }
    bool has_plan() const { return plan_.has_value(); }

private:
    bool accepted_ = false;
    std::string reason_;
    std::optional<Plan> plan_;
};

/// A claim without its plan's type.
struct ClaimResult {
    bool accepted = false;
    std::string reason;
    std::any plan;
};

/// Where an implementation writes a result that the plan has placed.
template <class T>
class Out;
template <>
class Out<Tensor> {
public:
    explicit Out(Tensor& tensor) : tensor_(&tensor) {}
    Tensor& operator*() const { return *tensor_; }
    Tensor* operator->() const { return tensor_; }

private:
    Tensor* tensor_;
};

/// How a program runs one call: writes into `results` (defined already) or sets them. Operands and results
/// are pointed at one by one, so that nothing is copied.
struct Kernel {
    AnyFunction function;
    void (*run)(const AnyFunction& function, const Statics& arguments, const Tensor* const* operands,
                Tensor* const* results) = nullptr;
    bool returns = false;  ///< sets results instead of writing into them
};

namespace detail {

template <class S>
struct Callables;
template <class R, class... A>
struct Callables<R(A...)> {
    /// The callable with the op's own arguments.
    template <class Result, class F>
    static constexpr bool takes = std::is_invocable_r_v<Result, F, const A&...>;
};

/// A checker from any callable that takes the op's arguments.
template <class Plan, class S>
class Checker;
template <class Plan, class R, class... A>
class Checker<Plan, R(A...)> {
public:
    Checker() = default;
    Checker(std::nullptr_t) {}
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, Checker>)
    Checker(F f) {
        static_assert(std::is_invocable_v<F, const A&...>,
                      "a checker takes the arguments of the op that it checks");
        if constexpr (std::is_invocable_v<F, const A&...>) {
            static_assert(std::is_convertible_v<std::invoke_result_t<F, const A&...>, Claim<Plan>>,
                          "a checker returns bool, refuse(reason), or a Claim of the implementation's plan");
            function_ = [f = std::move(f)](const A&... a) -> Claim<Plan> { return f(a...); };
        }
    }
    explicit operator bool() const { return static_cast<bool>(function_); }

    ClaimResult operator()(const Statics& statics, const Tensor* tensors) const {
        FlatReader reader(statics, tensors);
        const std::tuple<A...> arguments{build<A>(reader)...};
        const Claim<Plan> claim = std::apply(function_, arguments);
        ClaimResult result{claim.accepted(), claim.reason(), {}};
        if (claim.has_plan()) result.plan = claim.plan();
        return result;
    }

private:
    std::function<Claim<Plan>(const A&...)> function_;
};

/// A transform from any callable that takes (plan, arguments...) or (arguments...), and returns what the op
/// returns.
template <class Plan, class S>
class Transform;
template <class Plan, class R, class... A>
class Transform<Plan, R(A...)> {
public:
    Transform() = default;
    Transform(std::nullptr_t) {}
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, Transform>)
    Transform(F f) {
        constexpr bool with_plan = std::is_invocable_r_v<R, F, const Plan&, const A&...>;
        constexpr bool without = std::is_invocable_r_v<R, F, const A&...>;
        static_assert(with_plan || without,
                      "a transform takes (const Plan&, args...) or (args...) of the op, and returns what the "
                      "op returns");
        if constexpr (with_plan)
            function_ = std::move(f);
        else if constexpr (without)
            function_ = [f = std::move(f)](const Plan&, const A&... a) -> R { return f(a...); };
    }
    explicit operator bool() const { return static_cast<bool>(function_); }

    Flat operator()(const ClaimResult& claim, const Statics& statics, const Tensor* tensors) const {
        FlatReader reader(statics, tensors);
        const std::tuple<A...> arguments{build<A>(reader)...};
        const Plan* plan = std::any_cast<Plan>(&claim.plan);
        if constexpr (std::is_same_v<Plan, NoPlan>) {
            const NoPlan none;
            return tree_flatten(std::apply([&](const A&... a) { return function_(none, a...); }, arguments));
        } else {
            return tree_flatten(std::apply([&](const A&... a) { return function_(*plan, a...); }, arguments));
        }
    }

private:
    std::function<R(const Plan&, const A&...)> function_;
};

}  // namespace detail

template <class S>
using CheckerFor = detail::Checker<NoPlan, S>;

/// How an executor takes an op. Each member is any callable that takes the op's own arguments; see the
/// static_asserts.
template <class S, class Plan = NoPlan>
struct Implementation {
    /// Whether these arguments (traced tensors, no trace active) can be taken. Absent: always.
    detail::Checker<Plan, S> checker = {};
    /// What is recorded in the op's place. Absent: `op`.
    detail::Transform<Plan, S> execution_transform = {};
    /// A gradient rule: computes the results, get_grad of them, put_grad(s) on the arguments.
    detail::Transform<Plan, S> grad_transform = {};
    /// The executor's own operator of the same signature, put in the op's place.
    std::optional<Op<S>> op = {};
};

/// An Implementation without its C++ signature.
struct ErasedImplementation {
    std::function<ClaimResult(const Statics&, const Tensor*)> checker;
    std::function<Flat(const ClaimResult&, const Statics&, const Tensor*)> execution_transform;
    std::function<Flat(const ClaimResult&, const Statics&, const Tensor*)> grad_transform;
    const Symbol* op = nullptr;

    /// The checker's answer; yes without one. An Error thrown within is a refusal with its text.
    ClaimResult check(const Statics& statics, const Tensor* tensors) const;
};

namespace detail {
/// For a transform that wants a plan where no checker makes one.
[[noreturn]] void throw_no_plan();
}  // namespace detail

template <class S, class Plan>
ErasedImplementation erase(Implementation<S, Plan> implementation) {
    if constexpr (!std::is_same_v<Plan, NoPlan>) {
        if (!implementation.checker) detail::throw_no_plan();
    }
    ErasedImplementation erased;
    if (implementation.checker) erased.checker = std::move(implementation.checker);
    if (implementation.execution_transform)
        erased.execution_transform = std::move(implementation.execution_transform);
    if (implementation.grad_transform) erased.grad_transform = std::move(implementation.grad_transform);
    if (implementation.op) erased.op = &implementation.op->symbol();
    return erased;
}

}  // namespace fulgurite
