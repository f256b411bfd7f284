#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fulgurite/core/flat.h>
#include <fulgurite/core/schema.h>

namespace fulgurite {

class Executor;
struct Symbol;

/// What passes need to know of an operation; bits of a set.
enum class Tag : std::uint32_t {
    none = 0,
    pointwise = 1u << 0,  ///< each element of the result depends on the same element of the operands
    reduction = 1u << 1,
    view = 1u << 2,    ///< the result shares the first operand's storage; its meta says where (abstract_view)
    random = 1u << 3,  ///< two equal calls differ: never merged
    matmul = 1u << 4,
    effect = 1u << 5,          ///< kept though nobody reads its results
    creation = 1u << 6,        ///< no tensor operands
    no_grad = 1u << 7,         ///< its results never carry a gradient
    detached = 1u << 8,        ///< of one bound symbol: recorded under no_grad
    dont_recompute = 1u << 9,  ///< rematerialisation saves its results
    gradient = 1u << 10,       ///< get_grad and put_grad: only grad itself may meet them
};
constexpr Tag operator|(Tag a, Tag b) {
    return static_cast<Tag>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Tag set, Tag tag) {
    return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(tag)) != 0;
}

/// A callable whose C++ type is forgotten: a function pointer kept inside, or an owned std::function.
/// Only the Signature that it was made with may call it.
class AnyFunction {
public:
    AnyFunction() = default;
    template <class R, class... A>
    AnyFunction(R (*function)(A...)) : pointer_(reinterpret_cast<void (*)()>(function)) {}
    template <class F>
    static AnyFunction own(std::function<F> function) {
        AnyFunction any;
        any.owned_ = std::make_shared<std::function<F>>(std::move(function));
        return any;
    }
    explicit operator bool() const { return pointer_ != nullptr || owned_ != nullptr; }

    /// Calls it as R(P...), which must be exactly the type it was made from.
    template <class R, class... P>
    R call_exact(P... args) const {
        if (pointer_) return reinterpret_cast<R (*)(P...)>(pointer_)(std::forward<P>(args)...);
        return (*static_cast<const std::function<R(P...)>*>(owned_.get()))(std::forward<P>(args)...);
    }
    /// The same for R(const A&...).
    template <class R, class... A>
    R call(const A&... args) const {
        return call_exact<R, const A&...>(args...);
    }

private:
    void (*pointer_)() = nullptr;
    std::shared_ptr<void> owned_;
};

/// What is known of an op's C++ signature R(A...): its schemas, and how to call a function of it on flattened
/// arguments.
struct Signature {
    const Schema* (*arguments)();  ///< a tuple
    const Schema* (*results)();
    /// Calls a function R(const A&...).
    Flat (*invoke)(const AnyFunction& function, const Statics& arguments, const Tensor* tensors);
};

/// An operation: its name, what it promises of its results, and how it decomposes.
/// A prim has a meta; a composite is the function that calls its parts.
struct Symbol {
    std::string name;  ///< "add", "prims::add", "sdpa::flash_forward"
    Tag tags = Tag::none;
    bool is_prim = false;
    const Signature* signature = nullptr;
    AnyFunction body;                    ///< the meta of a prim, the decomposition of a composite
    const Executor* executor = nullptr;  ///< the owner, for an executor's own operator

    bool has(Tag tag) const { return fulgurite::has(tags, tag); }
};

/// The built-in symbol of this name, or null. Executors' operators are found through their executors.
const Symbol* find_symbol(std::string_view name);
/// Every built-in symbol, sorted by name.
std::vector<const Symbol*> all_symbols();

namespace detail {
/// Keeps a built-in symbol for find_symbol; called while the ops' static tables are made.
const Symbol* keep_symbol(Symbol symbol);
}  // namespace detail

}  // namespace fulgurite
