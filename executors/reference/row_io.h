#pragma once

#include <cstdint>

#include <fulgurite/core/dtype.h>

namespace fulgurite::reference {

/// What kernels compute in: float for float16, bfloat16 and float32, double for float64, int64 for integers
/// and bool_.
enum class Compute : std::uint8_t { float32, float64, int64 };
inline constexpr int compute_count = 3;

constexpr Compute compute_of(DType dtype) {
    if (!is_floating_point(dtype)) {
        return Compute::int64;
    }
    return dtype == DType::float64 ? Compute::float64 : Compute::float32;
}

/// The dtype whose elements are the compute type itself, so that rows of it need no copy.
constexpr DType native_dtype(Compute compute) {
    constexpr DType dtypes[compute_count] = {DType::float32, DType::float64, DType::int64};
    return dtypes[static_cast<int>(compute)];
}

/// Reads n elements, `stride` apart, into a contiguous row of the compute type.
using LoadRow = void (*)(void* row, const void* from, std::int64_t stride, std::int64_t n);
/// Writes a row of the compute type as n elements, `stride` apart. Floats become integers by truncation, with
/// what does not fit as on x86; integers wrap; bool_ is "not 0".
using StoreRow = void (*)(void* to, std::int64_t stride, const void* row, std::int64_t n);

LoadRow load_row(DType from, Compute to);
StoreRow store_row(Compute from, DType to);

}  // namespace fulgurite::reference
