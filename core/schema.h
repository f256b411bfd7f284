#pragma once

#include <string_view>
#include <vector>

#include <fulgurite/core/pytree.h>

namespace fulgurite {

/// The shape of a pytree type at run time: what the text form of a trace needs to print and parse arguments
/// without knowing their C++ types.
struct Schema {
    enum class Kind {
        tensor,
        operand,
        boolean,
        integer,
        floating,
        text,
        dtype,
        device,
        dims,
        enumeration,
        optional,
        list,
        map,
        tuple,
        record
    };
    struct Field {
        std::string_view name;
        const Schema* schema;
    };
    struct Enumerator {
        std::string_view name;
        std::int64_t value;
    };

    Kind kind;
    std::string_view type;      ///< the C++ type's name (enumeration, record)
    std::vector<Field> fields;  ///< record, tuple; the element of optional and list; key and value of map
    std::vector<Enumerator> enumerators;  ///< enumeration
    Statics defaults;  ///< record: its default-constructed value, flattened; empty if it has none
};

template <class T>
const Schema* schema_of();

namespace detail {
/// Enumerators between -8 and 31 that have names.
template <class T>
std::vector<Schema::Enumerator> enumerators_of() {
    std::vector<Schema::Enumerator> out;
    [&]<int... i>(std::integer_sequence<int, i...>) {
        auto add = [&](std::string_view name, std::int64_t value) {
            if (!name.empty()) out.push_back({name, value});
        };
        (add(enumerator_name<static_cast<T>(i - 8)>(), i - 8), ...);
    }(std::make_integer_sequence<int, 40>{});
    return out;
}

template <class T>
Schema record_schema() {
    Schema schema{Schema::Kind::record, type_name<T>(), {}, {}, {}};
    using Fields = decltype(tie_fields(std::declval<T&>()));
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (schema.fields.push_back(
             {field_name<T, i>(), schema_of<std::remove_cvref_t<std::tuple_element_t<i, Fields>>>()}),
         ...);
    }(std::make_index_sequence<std::tuple_size_v<Fields>>{});
    if constexpr (std::is_default_constructible_v<T>) schema.defaults = tree_flatten(T{}).statics;
    return schema;
}

template <class T>
Schema make_schema() {
    using Kind = Schema::Kind;
    if constexpr (std::is_same_v<T, Tensor>)
        return {Kind::tensor, {}, {}, {}, {}};
    else if constexpr (std::is_same_v<T, Operand> || is_scalar_leaf<T>)
        return {Kind::operand, {}, {}, {}, {}};
    else if constexpr (std::is_same_v<T, bool>)
        return {Kind::boolean, {}, {}, {}, {}};
    else if constexpr (std::is_integral_v<T>)
        return {Kind::integer, {}, {}, {}, {}};
    else if constexpr (std::is_floating_point_v<T>)
        return {Kind::floating, {}, {}, {}, {}};
    else if constexpr (std::is_same_v<T, std::string>)
        return {Kind::text, {}, {}, {}, {}};
    else if constexpr (std::is_same_v<T, DType>)
        return {Kind::dtype, {}, {}, {}, {}};
    else if constexpr (std::is_same_v<T, Device>)
        return {Kind::device, {}, {}, {}, {}};
    else if constexpr (std::is_same_v<T, Dims>)
        return {Kind::dims, {}, {}, {}, {}};
    else if constexpr (std::is_enum_v<T>)
        return {Kind::enumeration, type_name<T>(), {}, enumerators_of<T>(), {}};
    else if constexpr (is_instance<T, std::optional>)
        return {Kind::optional, {}, {{"", schema_of<typename T::value_type>()}}, {}, {}};
    else if constexpr (ListLike<T>)
        return {Kind::list, {}, {{"", schema_of<typename T::value_type>()}}, {}, {}};
    else if constexpr (MapLike<T>)
        return {Kind::map,
                {},
                {{"", schema_of<typename T::key_type>()}, {"", schema_of<typename T::mapped_type>()}},
                {},
                {}};
    else if constexpr (TupleLike<T>) {
        Schema schema{Kind::tuple, {}, {}, {}, {}};
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            (schema.fields.push_back({"", schema_of<std::tuple_element_t<i, T>>()}), ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
        return schema;
    } else
        return record_schema<T>();
}
}  // namespace detail

/// The schema of T; made once, never destroyed.
template <class T>
const Schema* schema_of() {
    static const Schema* const schema = new Schema(detail::make_schema<T>());
    return schema;
}

}  // namespace fulgurite
