#pragma once

#include <cstdint>
#include <type_traits>

#include <fulgurite/executors/reference/row_kernels.h>
#include <fulgurite/executors/reference/row_ops.h>

#if defined(__clang__)
#define FULGURITE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define FULGURITE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define FULGURITE_INDEPENDENT
#endif

/// The loops over rows, one for each pointwise prim, for the files that are compiled once for each
/// instruction set.
namespace fulgurite::reference {
namespace {

template <class Op, class C, class R>
void unary_row(void* out, const void* const* in, std::int64_t n) {
    R* const to = static_cast<R*>(out);
    const C* const x = static_cast<const C*>(in[0]);
    FULGURITE_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
        to[i] = Op::of(x[i]);
    }
}

template <class Op, class C, class R>
void binary_row(void* out, const void* const* in, std::int64_t n) {
    R* const to = static_cast<R*>(out);
    const C* const x = static_cast<const C*>(in[0]);
    const C* const y = static_cast<const C*>(in[1]);
    FULGURITE_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
        to[i] = Op::of(x[i], y[i]);
    }
}

template <class Op, class C>
constexpr RowKernel unary_kernel() {
    if constexpr (requires(C x) { Op::of(x); }) {
        using R = decltype(Op::of(C{}));
        static_assert(std::is_same_v<R, C> || std::is_same_v<R, bool>);
        return {&unary_row<Op, C, R>, std::is_same_v<R, bool>};
    }
    return {};
}

template <class Op, class C>
constexpr RowKernel binary_kernel() {
    if constexpr (requires(C x) { Op::of(x, x); }) {
        using R = decltype(Op::of(C{}, C{}));
        static_assert(std::is_same_v<R, C> || std::is_same_v<R, bool>);
        return {&binary_row<Op, C, R>, std::is_same_v<R, bool>};
    }
    return {};
}

template <class C>
const RowKernels* make_row_kernels() {
#define FULGURITE_UNARY(name) unary_kernel<ops::name, C>(),
#define FULGURITE_BINARY(name) binary_kernel<ops::name, C>(),
    static constexpr RowKernels kernels = {{FULGURITE_UNARY_OPS(FULGURITE_UNARY)},
                                           {FULGURITE_BINARY_OPS(FULGURITE_BINARY)}};
#undef FULGURITE_UNARY
#undef FULGURITE_BINARY
    return &kernels;
}

}  // namespace
}  // namespace fulgurite::reference
