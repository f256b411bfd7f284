#pragma once

#include <fulgurite/core/op.h>

namespace fulgurite {

namespace detail {
/// A function that several ops share, with one op's name bound as its first argument: so that its errors name
/// the op.
template <FixedString name, auto rule, class F = decltype(rule)>
struct NamedRule;
template <FixedString name, auto rule, class R, class... A>
struct NamedRule<name, rule, R (*)(const char*, A...)> {
    static R call(A... args) { return rule(own_name, args...); }
    static constexpr const char* own_name =
        name.text + (std::string_view(name.text).starts_with("prims::") ? 7 : 0);
};
}  // namespace detail

/// A prim whose meta is `rule(name, operands...)`.
template <detail::FixedString name, auto rule, Tag tags = Tag::none>
using NamedPrim = Prim<name, &detail::NamedRule<name, rule>::call, tags>;

/// A composite whose decomposition is `rule(name, arguments...)`.
template <detail::FixedString name, auto rule, Tag tags = Tag::none>
using NamedComposite = Composite<name, &detail::NamedRule<name, rule>::call, tags>;

}  // namespace fulgurite
