#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fulgurite/core/aggregate.h>
#include <fulgurite/core/flat.h>

/// Pytrees: nested containers and plain structs whose leaves are tensors, run-time Scalars and static values.
///
/// Leaves: Tensor, Operand, Scalar<T>. Static (part of a signature): bool, integers, floats, enums,
/// std::string, DType, Device, Dims. Containers: std::vector, array, map<string or integer, T>, optional,
/// pair, tuple and any aggregate, in declaration order, depth first.
namespace fulgurite {

namespace detail {
template <class T, template <class...> class Template>
inline constexpr bool is_instance = false;
template <template <class...> class Template, class... A>
inline constexpr bool is_instance<Template<A...>, Template> = true;

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t n>
inline constexpr bool is_std_array<std::array<T, n>> = true;

template <class T>
inline constexpr bool is_scalar_leaf = false;
template <class T>
inline constexpr bool is_scalar_leaf<Scalar<T>> = true;

template <class T>
concept StaticLeaf = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> ||
                     std::is_same_v<T, Device> || std::is_same_v<T, Dims>;

template <class T>
concept TupleLike = is_instance<T, std::pair> || is_instance<T, std::tuple>;

template <class T>
concept ListLike = is_instance<T, std::vector> || is_std_array<T>;

template <class T>
concept MapLike = is_instance<T, std::map>;

template <class T>
concept PlainStruct = std::is_aggregate_v<T> && std::is_class_v<T> && !is_std_array<T>;

/// A compile-time error in words unless T is a plain struct; whether it is one.
template <class T>
constexpr bool require_pytree() {
    static_assert(!std::is_pointer_v<T> && !std::is_array_v<T>,
                  "not a pytree: a pointer or C array; use std::vector, std::array or std::optional");
    static_assert(!std::is_polymorphic_v<T>,
                  "not a pytree: a polymorphic class; use an aggregate (a plain struct)");
    static_assert(std::is_pointer_v<T> || std::is_array_v<T> || std::is_polymorphic_v<T> || PlainStruct<T>,
                  "not a pytree: make it an aggregate (a plain struct) or a standard container of pytrees");
    if constexpr (PlainStruct<T> && !std::is_polymorphic_v<T>) {
        static_assert(!holds_c_array<T>(), "not a pytree: a struct with a C array; use std::array");
        return !holds_c_array<T>();
    } else {
        return false;
    }
}

template <class T>
Atom static_atom(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        return Atom::of(value);
    else if constexpr (std::is_same_v<T, DType>)
        return Atom::of(value);
    else if constexpr (std::is_same_v<T, Device>)
        return Atom::of(value);
    else if constexpr (std::is_floating_point_v<T>)
        return Atom::of(static_cast<double>(value));
    else
        return Atom::of(static_cast<std::int64_t>(value));
}
}  // namespace detail

/// A visitor that sees every part of a pytree; derive, and shadow what you need.
/// `field`, `item` and `key` say where the next child is; `up` ends it.
struct PyTreeVisitor {
    void tensor(const Tensor&) {}
    void operand(const Operand&) {}
    template <class T>
    void scalar(const Scalar<T>&) {}
    void atom(Atom) {}
    void text(const std::string&) {}
    void field(std::string_view) {}
    void item(std::size_t) {}
    void key(std::string_view) {}
    void up() {}
};

/// Walks a pytree, const or not, in its fixed order.
template <class T, class V>
void walk(T& value, V& visitor) {
    using U = std::remove_const_t<T>;
    if constexpr (std::is_same_v<U, Tensor>) {
        visitor.tensor(value);
    } else if constexpr (std::is_same_v<U, Operand>) {
        visitor.operand(value);
    } else if constexpr (detail::is_scalar_leaf<U>) {
        visitor.scalar(value);
    } else if constexpr (std::is_same_v<U, std::string>) {
        visitor.text(value);
    } else if constexpr (std::is_same_v<U, Dims>) {
        visitor.atom(Atom::begin(static_cast<std::size_t>(value.size())));
        for (const std::int64_t entry : value) visitor.atom(Atom::of(entry));
    } else if constexpr (detail::StaticLeaf<U>) {
        visitor.atom(detail::static_atom(value));
    } else if constexpr (detail::is_instance<U, std::optional>) {
        if (value)
            walk(*value, visitor);
        else
            visitor.atom(Atom::none());
    } else if constexpr (detail::ListLike<U>) {
        visitor.atom(Atom::begin(value.size()));
        for (std::size_t i = 0; i < value.size(); ++i) {
            visitor.item(i);
            if constexpr (std::is_same_v<U, std::vector<bool>>)
                visitor.atom(Atom::of(static_cast<bool>(value[i])));
            else
                walk(value[i], visitor);
            visitor.up();
        }
    } else if constexpr (detail::MapLike<U>) {
        visitor.atom(Atom::begin(value.size()));
        for (auto& [key, child] : value) {
            walk(key, visitor);
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(key)>, std::string>)
                visitor.key(key);
            else
                visitor.item(static_cast<std::size_t>(key));
            walk(child, visitor);
            visitor.up();
        }
    } else if constexpr (detail::TupleLike<U>) {
        std::apply(
            [&](auto&... child) {
                std::size_t i = 0;
                ((visitor.item(i++), walk(child, visitor), visitor.up()), ...);
            },
            value);
    } else if constexpr (detail::require_pytree<U>()) {
        auto fields = detail::tie_fields(value);
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((visitor.field(detail::field_name<U, i>()), walk(std::get<i>(fields), visitor), visitor.up()),
             ...);
        }(std::make_index_sequence<std::tuple_size_v<decltype(fields)>>{});
    }
}

/// Collects a pytree's structure, statics and tensors. Untraced Scalars become numbers.
class Flattener : public PyTreeVisitor {
public:
    explicit Flattener(Flat& out) : out_(out) {}
    void tensor(const Tensor& value) {
        out_.statics.atoms.push_back(value.defined() ? Atom::tensor() : Atom::none());
        if (value.defined()) out_.tensors.push_back(value);
    }
    void operand(const Operand& value) {
        if (value.is_tensor())
            tensor(value.tensor());
        else
            atom(Atom::of(value.number()));
    }
    template <class T>
    void scalar(const Scalar<T>& value) {
        operand(Operand(value));
    }
    void atom(Atom value) { out_.statics.atoms.push_back(value); }
    void text(const std::string& value) {
        out_.statics.atoms.push_back(
            {Atom::Kind::text, static_cast<std::int64_t>(out_.statics.strings.size())});
        out_.statics.strings.push_back(value);
    }

private:
    Flat& out_;
};

template <class... T>
Flat tree_flatten(const T&... values) {
    Flat flat;
    Flattener flattener(flat);
    (walk(values, flattener), ...);
    return flat;
}

/// Reads a flattened pytree back, part by part. Its tensors lie in a row, or are pointed at one by one.
class FlatReader {
public:
    FlatReader(const Statics& statics, const Tensor* tensors) : statics_(statics), tensors_(tensors) {}
    FlatReader(const Statics& statics, const Tensor* const* tensors)
        : statics_(statics), pointers_(tensors) {}
    const Atom& peek() const { return statics_.atoms[next_]; }
    const Atom& atom() { return statics_.atoms[next_++]; }
    const Tensor& tensor() { return pointers_ ? **pointers_++ : *tensors_++; }
    const std::string& text(const Atom& atom) const {
        return statics_.strings[static_cast<std::size_t>(atom.bits)];
    }

private:
    const Statics& statics_;
    const Tensor* tensors_ = nullptr;
    const Tensor* const* pointers_ = nullptr;
    std::size_t next_ = 0;
};

namespace detail {
template <class T>
T build_static(const Atom& atom) {
    if constexpr (std::is_same_v<T, Device>)
        return atom.as_device();
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(atom.as_double());
    else
        return static_cast<T>(atom.bits);
}
}  // namespace detail

/// The inverse of tree_flatten: the next T of the reader.
template <class T>
T build(FlatReader& reader) {
    if constexpr (std::is_same_v<T, Tensor>) {
        return reader.atom().kind == Atom::Kind::none ? Tensor() : reader.tensor();
    } else if constexpr (std::is_same_v<T, Operand>) {
        const Atom& atom = reader.atom();
        return atom.kind == Atom::Kind::tensor ? Operand(reader.tensor()) : Operand(atom.as_number());
    } else if constexpr (detail::is_scalar_leaf<T>) {
        using Value = decltype(std::declval<T>().unguarded_value());
        const Atom& atom = reader.atom();
        if (atom.kind == Atom::Kind::tensor) return T(reader.tensor());
        const Number number = atom.as_number();
        return std::is_floating_point_v<Value> ? T(static_cast<Value>(number.as_double()))
                                               : T(static_cast<Value>(number.as_int()));
    } else if constexpr (std::is_same_v<T, std::string>) {
        return reader.text(reader.atom());
    } else if constexpr (std::is_same_v<T, Dims>) {
        Dims dims;
        for (std::int64_t n = reader.atom().bits; n > 0; --n) dims.push_back(reader.atom().bits);
        return dims;
    } else if constexpr (detail::StaticLeaf<T>) {
        return detail::build_static<T>(reader.atom());
    } else if constexpr (detail::is_instance<T, std::optional>) {
        if (reader.peek().kind != Atom::Kind::none) return T(build<typename T::value_type>(reader));
        reader.atom();
        return T();
    } else if constexpr (detail::is_instance<T, std::vector>) {
        const auto count = static_cast<std::size_t>(reader.atom().bits);
        T list;
        list.reserve(count);
        for (std::size_t i = 0; i < count; ++i) list.push_back(build<typename T::value_type>(reader));
        return list;
    } else if constexpr (detail::is_std_array<T>) {
        reader.atom();
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return T{(static_cast<void>(i), build<typename T::value_type>(reader))...};
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (detail::MapLike<T>) {
        T map;
        for (std::int64_t n = reader.atom().bits; n > 0; --n) {
            auto key = build<typename T::key_type>(reader);
            map.emplace(std::move(key), build<typename T::mapped_type>(reader));
        }
        return map;
    } else if constexpr (detail::TupleLike<T>) {
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return T{build<std::tuple_element_t<i, T>>(reader)...};
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (detail::require_pytree<T>()) {
        using Fields = decltype(detail::tie_fields(std::declval<T&>()));
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return T{build<std::remove_cvref_t<std::tuple_element_t<i, Fields>>>(reader)...};
        }(std::make_index_sequence<std::tuple_size_v<Fields>>{});
    }
}

template <class T>
T tree_unflatten(const Flat& flat) {
    FlatReader reader(flat.statics, flat.tensors.data());
    return build<T>(reader);
}

/// The path of every tensor and scalar leaf, in order: "params.blocks[0].wq".
class LeafPaths : public PyTreeVisitor {
public:
    explicit LeafPaths(std::string root) : path_(std::move(root)) {}
    void tensor(const Tensor& value) {
        if (value.defined()) paths_.push_back(path_);
    }
    void operand(const Operand& value) { tensor(value.tensor()); }
    template <class T>
    void scalar(const Scalar<T>&) {
        paths_.push_back(path_);
    }
    void field(std::string_view name) { push("." + std::string(name)); }
    void item(std::size_t index) { push("[" + std::to_string(index) + "]"); }
    void key(std::string_view name) { push("." + std::string(name)); }
    void up() {
        path_.resize(lengths_.back());
        lengths_.pop_back();
    }
    const std::vector<std::string>& paths() const { return paths_; }

private:
    void push(const std::string& part) {
        lengths_.push_back(path_.size());
        path_ += path_.empty() && part[0] == '.' ? part.substr(1) : part;
    }
    std::string path_;
    std::vector<std::size_t> lengths_;
    std::vector<std::string> paths_;
};

template <class T>
std::vector<std::string> leaf_paths(const T& tree, std::string root = {}) {
    LeafPaths visitor(std::move(root));
    walk(tree, visitor);
    return visitor.paths();
}

namespace detail {
template <class F>
class TensorVisitor : public PyTreeVisitor {
public:
    explicit TensorVisitor(F& f) : f_(f) {}
    template <class T>  // Tensor or const Tensor, as the tree is
    void tensor(T& value) {
        if (value.defined()) f_(value);
    }

private:
    F& f_;
};
}  // namespace detail

/// Calls `f(tensor)` for every defined tensor leaf, in order; the tree may be const.
template <class T, class F>
void for_each_tensor(T& tree, F&& f) {
    detail::TensorVisitor<std::remove_reference_t<F>> visitor(f);
    walk(tree, visitor);
}

/// A tree of the same structure whose tensor leaves are f(leaf of each tree...). Throws ValueError where the
/// structures differ.
template <class F, class T, class... Rest>
T tree_map(F&& f, const T& tree, const Rest&... rest) {
    Flat flat = tree_flatten(tree);
    const std::array<Flat, sizeof...(Rest)> others{tree_flatten(rest)...};
    for (const Flat& other : others) {
        if (other.tensors.size() != flat.tensors.size())
            fail<ValueError>("tree_map", "the trees have different structures");
    }
    for (std::size_t i = 0; i < flat.tensors.size(); ++i) {
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            flat.tensors[i] = f(flat.tensors[i], others[k].tensors[i]...);
        }(std::make_index_sequence<sizeof...(Rest)>{});
    }
    return tree_unflatten<T>(flat);
}

}  // namespace fulgurite
