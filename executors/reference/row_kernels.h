#pragma once

#include <cstdint>

#include <fulgurite/executors/reference/row_io.h>

/// The lists of pointwise prims, in one place: each makes an enumerator, a kernel and a function of its name.
// clang-format off
#define FULGURITE_UNARY_OPS(X) \
    X(neg) X(abs) X(sign) X(floor) X(ceil) X(trunc) X(round) X(exp) X(expm1) X(log) X(log1p) X(sin) X(cos) X(tan) \
    X(tanh) X(sqrt) X(rsqrt) X(reciprocal) X(erf) X(logical_not) X(bitwise_not) X(isnan) X(isfinite)

#define FULGURITE_BINARY_OPS(X) \
    X(add) X(sub) X(mul) X(div) X(pow) X(maximum) X(minimum) X(remainder) X(fmod) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) \
    X(logical_and) X(logical_or) X(logical_xor) X(bitwise_and) X(bitwise_or) X(bitwise_xor)
// clang-format on

namespace fulgurite::reference {

#define FULGURITE_NAME(name) name,
#define FULGURITE_COUNT(name) +1
enum class UnaryOp : std::uint8_t { FULGURITE_UNARY_OPS(FULGURITE_NAME) };
enum class BinaryOp : std::uint8_t { FULGURITE_BINARY_OPS(FULGURITE_NAME) };
inline constexpr int unary_count = 0 FULGURITE_UNARY_OPS(FULGURITE_COUNT);
inline constexpr int binary_count = 0 FULGURITE_BINARY_OPS(FULGURITE_COUNT);
#undef FULGURITE_COUNT
#undef FULGURITE_NAME

/// out[i] = f(in[0][i], ...) over contiguous rows; out may be one of the inputs.
using RowFunction = void (*)(void* out, const void* const* in, std::int64_t n);

struct RowKernel {
    RowFunction run = nullptr;  ///< null: not defined for this compute type
    bool boolean = false;       ///< out is a row of bool, not of the compute type
};

/// The pointwise kernels of one compute type.
struct RowKernels {
    RowKernel unary[unary_count];
    RowKernel binary[binary_count];
};

/// The best for this processor.
const RowKernels& row_kernels(Compute compute);

/// By instruction set; those of x86 do not exist elsewhere. Only float32 has more than the portable one.
const RowKernels* row_kernels_avx512();
const RowKernels* row_kernels_avx2();
const RowKernels* row_kernels_portable(Compute compute);

}  // namespace fulgurite::reference
