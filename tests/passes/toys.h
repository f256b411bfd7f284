#pragma once

#include <fulgurite/core/check.h>
#include <fulgurite/tests/support/tensors.h>

/// Operations that only these tests have: nobody runs them, and passes must treat them by their tags.
namespace fulgurite::tests {

inline Tensor like_operand(const Tensor& x) { return Tensor(x.spec()); }
inline void nothing(const Tensor&) {}

namespace toys {
inline constexpr Prim<"toys::noise", &like_operand, Tag::random> noise;
inline constexpr Prim<"toys::observe", &nothing, Tag::effect> observe;
inline constexpr Prim<"toys::opaque", &like_operand> opaque;
}  // namespace toys

inline Tensor noisy_parts(const Tensor& x) { return prims::mul(toys::noise(x), 2.0); }

namespace toys {
inline constexpr Composite<"toys::noisy", &noisy_parts> noisy;
}

/// A trace of float32[4] arguments, checked.
template <class F, class... Spec>
Trace traced(const F& f, const Spec&... specs) {
    const Trace trace = fulgurite::trace(f, specs...);
    check(trace, Stage::traced);
    return trace;
}

inline const TensorSpec vector4{{4}};

/// The calls of a symbol, parts of composites included.
inline int count_deep(const std::vector<BoundSymbolPtr>& body, std::string_view symbol) {
    int count = 0;
    for (const BoundSymbolPtr& call : body) {
        count += call->symbol->name == symbol ? 1 : 0;
        count += count_deep(call->subsymbols, symbol);
    }
    return count;
}
inline int count_deep(const Trace& trace, std::string_view symbol) { return count_deep(trace.body, symbol); }

/// The first call of a symbol.
inline const BoundSymbol& call_of(const Trace& trace, std::string_view symbol) {
    for (const BoundSymbolPtr& call : trace.body) {
        if (call->symbol->name == symbol) return *call;
    }
    FAIL("no call of " << symbol << " in\n" << to_string(trace));
    return *trace.body.front();
}

}  // namespace fulgurite::tests
