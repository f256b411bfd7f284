#pragma once

#include <cstdint>

/// A vector of `bytes / sizeof(T)` elements, by the compiler's vector extension: the same source for every
/// instruction set. For the files that are compiled once for each of them: all of it has internal linkage, or
/// the linker could pick one file's code for all.
namespace fulgurite::reference {
namespace {

template <class T, int bytes>
struct Vector {
    using element = T;
    typedef T type __attribute__((vector_size(bytes)));
    typedef T unaligned __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
    static constexpr int width = bytes / static_cast<int>(sizeof(T));

    [[gnu::always_inline]] static type load(const T* from) {
        return *reinterpret_cast<const unaligned*>(from);
    }
    [[gnu::always_inline]] static void store(T* to, type value) { *reinterpret_cast<unaligned*>(to) = value; }
    [[gnu::always_inline]] static type broadcast(T value) { return value - type{}; }
    /// a * b + c, fused where the instruction set can (compilers contract this by default).
    [[gnu::always_inline]] static type fma(type a, type b, type c) { return a * b + c; }
};

}  // namespace
}  // namespace fulgurite::reference
