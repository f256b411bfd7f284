#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// Fields of a plain struct without a macro: how many, references to them, and their names.
/// After the idea of Boost.PFR (structured bindings) and of reading names out of the compiler's own signature
/// text; see docs/decisions for why it is our own.
namespace fulgurite::detail {

inline constexpr std::size_t max_fields = 32;

struct AnyField {
    template <class T>
    operator T() const;
};

template <class T, std::size_t... I>
constexpr bool braces_take(std::index_sequence<I...>) {
    return requires { T{(static_cast<void>(I), AnyField{})...}; };
}

/// How many fields an aggregate has: the first count that its braces take and whose successor they do not.
template <class T, std::size_t count = 0>
constexpr std::size_t field_count() {
    if constexpr (count > max_fields)
        return count;
    else if constexpr (braces_take<T>(std::make_index_sequence<count>{}) &&
                       !braces_take<T>(std::make_index_sequence<count + 1>{}))
        return count;
    else
        return field_count<T, count + 1>();
}

template <class T, std::size_t... I, std::size_t... J>
constexpr bool braces_take_empty(std::index_sequence<I...>, std::index_sequence<J...>) {
    return requires { T{(static_cast<void>(I), AnyField{})..., {}, (static_cast<void>(J), AnyField{})...}; };
}

/// Whether an aggregate holds a C array, whose elements field_count takes for fields: there `{}` stands for
/// all of them.
template <class T>
constexpr bool holds_c_array() {
    constexpr std::size_t count = field_count<T>();
    if constexpr (count > max_fields)
        return false;
    else {
        return []<std::size_t... k>(std::index_sequence<k...>) {
            return ((braces_take_empty<T>(std::make_index_sequence<k>{}, std::index_sequence<>{}) &&
                     !braces_take_empty<T>(std::make_index_sequence<k>{},
                                           std::make_index_sequence<count - k - 1>{})) ||
                    ...);
        }(std::make_index_sequence<count>{});
    }
}

// clang-format off
/// A tuple of references to the fields.
template <class T>
constexpr auto tie_fields(T& object) {
    constexpr std::size_t count = field_count<std::remove_const_t<T>>();
    static_assert(count <= max_fields, "a struct used as a pytree has more than 32 fields: group them in inner structs");
    if constexpr (count == 0) return std::tuple<>{};
    else if constexpr (count == 1) { auto& [f0] = object; return std::tie(f0); }
    else if constexpr (count == 2) { auto& [f0, f1] = object; return std::tie(f0, f1); }
    else if constexpr (count == 3) { auto& [f0, f1, f2] = object; return std::tie(f0, f1, f2); }
    else if constexpr (count == 4) { auto& [f0, f1, f2, f3] = object; return std::tie(f0, f1, f2, f3); }
    else if constexpr (count == 5) { auto& [f0, f1, f2, f3, f4] = object; return std::tie(f0, f1, f2, f3, f4); }
    else if constexpr (count == 6) { auto& [f0, f1, f2, f3, f4, f5] = object; return std::tie(f0, f1, f2, f3, f4, f5); }
    else if constexpr (count == 7) { auto& [f0, f1, f2, f3, f4, f5, f6] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6); }
    else if constexpr (count == 8) { auto& [f0, f1, f2, f3, f4, f5, f6, f7] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7); }
    else if constexpr (count == 9) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8); }
    else if constexpr (count == 10) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9); }
    else if constexpr (count == 11) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10); }
    else if constexpr (count == 12) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11); }
    else if constexpr (count == 13) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12); }
    else if constexpr (count == 14) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13); }
    else if constexpr (count == 15) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14); }
    else if constexpr (count == 16) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15); }
    else if constexpr (count == 17) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16); }
    else if constexpr (count == 18) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17); }
    else if constexpr (count == 19) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18); }
    else if constexpr (count == 20) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19); }
    else if constexpr (count == 21) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20); }
    else if constexpr (count == 22) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21); }
    else if constexpr (count == 23) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22); }
    else if constexpr (count == 24) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23); }
    else if constexpr (count == 25) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24); }
    else if constexpr (count == 26) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25); }
    else if constexpr (count == 27) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26); }
    else if constexpr (count == 28) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27); }
    else if constexpr (count == 29) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28); }
    else if constexpr (count == 30) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29); }
    else if constexpr (count == 31) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30); }
    else if constexpr (count == 32) { auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31] = object; return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31); }
}
// clang-format on

template <class T>
struct NameProbe {
    const T value;
};
// Never defined: only addresses of its fields are named, at compile time.
template <class T>
extern const NameProbe<T> name_probe;

template <class T>
struct FieldAddress {
    const T* address;
};

template <auto address>
constexpr std::string_view signature_text() {
    return __PRETTY_FUNCTION__;
}

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class T, std::size_t index>
constexpr auto field_address() {
    using Field = std::remove_cvref_t<std::tuple_element_t<index, decltype(tie_fields(name_probe<T>.value))>>;
    return FieldAddress<Field>{&std::get<index>(tie_fields(name_probe<T>.value))};
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

constexpr bool is_identifier_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The identifier that ends at `end` (after skipping what is none).
constexpr std::string_view identifier_before(std::string_view text, std::size_t end) {
    while (end > 0 && !is_identifier_char(text[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_identifier_char(text[begin - 1])) --begin;
    return text.substr(begin, end - begin);
}

template <class T, std::size_t index>
constexpr std::string_view field_name() {
    constexpr std::string_view text = signature_text<field_address<T, index>()>();
#ifdef __clang__
    const std::size_t end = text.rfind('}');
#else
    const std::size_t close = text.find(")}");
    const std::size_t end = close == text.npos ? text.find(';') : close;
#endif
    return identifier_before(text, end);
}

/// The name of an enumerator, or an empty view for a value that has none.
template <auto value>
constexpr std::string_view enumerator_name() {
    constexpr std::string_view text = signature_text<value>();
    const std::size_t begin = text.find("address = ") + 10;
    const std::string_view name = identifier_before(text, text.find_first_of(";]", begin));
    return name.empty() || (name[0] >= '0' && name[0] <= '9') ? std::string_view{} : name;
}

template <class T>
constexpr std::string_view type_name() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t begin = text.find("T = ") + 4;
    const std::size_t semicolon = text.find(';', begin);
    return text.substr(begin, (semicolon == text.npos ? text.rfind(']') : semicolon) - begin);
}

}  // namespace fulgurite::detail
