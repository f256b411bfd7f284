#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <fulgurite/core/tensor.h>

namespace fulgurite {

/// One element of a flattened pytree. Tensors stand in Flat::tensors, in order; text in Flat::strings.
struct Atom {
    enum class Kind : std::uint8_t {
        none,      ///< an undefined tensor or an empty optional
        tensor,    ///< the next tensor
        boolean,   ///< bits: 0 or 1
        integer,   ///< bits: the value; also enumerators
        floating,  ///< bits: those of a double
        text,      ///< bits: an index into Flat::strings
        dtype,     ///< bits: a DType
        device,    ///< bits: type << 16 | index
        begin,     ///< bits: how many children follow (lists, maps, Dims)
    };
    Kind kind = Kind::none;
    std::int64_t bits = 0;

    static Atom none() { return {}; }
    static Atom tensor() { return {Kind::tensor, 0}; }
    static Atom of(bool value) { return {Kind::boolean, value ? 1 : 0}; }
    static Atom of(std::int64_t value) { return {Kind::integer, value}; }
    static Atom of(double value) { return {Kind::floating, std::bit_cast<std::int64_t>(value)}; }
    static Atom of(DType value) { return {Kind::dtype, static_cast<std::int64_t>(value)}; }
    static Atom of(Device value) {
        return {Kind::device,
                static_cast<std::int64_t>(value.type) << 16 | static_cast<std::uint16_t>(value.index)};
    }
    static Atom of(const Number& value) {
        if (value.category() == Category::boolean) return of(value.as_bool());
        if (value.category() == Category::integer) return of(value.as_int());
        return of(value.as_double());
    }
    static Atom begin(std::size_t count) { return {Kind::begin, static_cast<std::int64_t>(count)}; }

    double as_double() const { return std::bit_cast<double>(bits); }
    DType as_dtype() const { return static_cast<DType>(bits); }
    Device as_device() const {
        return {static_cast<DeviceType>(bits >> 16), static_cast<std::int16_t>(bits & 0xffff)};
    }
    /// For boolean, integer and floating atoms.
    Number as_number() const {
        if (kind == Kind::boolean) return Number(bits != 0);
        if (kind == Kind::integer) return Number(bits);
        return Number(as_double());
    }
    friend bool operator==(const Atom&, const Atom&) = default;
};

/// The structure and static leaves of a pytree, without its tensors.
struct Statics {
    std::vector<Atom> atoms;
    std::vector<std::string> strings;
    friend bool operator==(const Statics&, const Statics&) = default;
};

/// A flattened pytree.
struct Flat {
    Statics statics;
    std::vector<Tensor> tensors;
};

}  // namespace fulgurite
