#pragma once

#include <cstdint>
#include <utility>

#include <fulgurite/executors/reference/gemm_kernels.h>
#include <fulgurite/executors/reference/vector.h>

/// The micro-kernels as templates over a Vector. Only the gemm_<instruction set>.cpp files include this, each
/// compiled for its own processor.
namespace fulgurite::reference {
namespace {

/// A tile of C in registers.
template <class Vec, int rows, int vectors>
struct Tile {
    using T = typename Vec::element;
    using V = typename Vec::type;

    V sums[rows][vectors];

    [[gnu::always_inline]] void clear() {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 2
            for (int j = 0; j < vectors; ++j) {
                sums[i][j] = Vec::broadcast(T{0});
            }
        }
    }

    [[gnu::always_inline]] void add_product(const T* a, std::int64_t a_row_stride, const T* b) {
        V right[vectors];
#pragma GCC unroll 2
        for (int j = 0; j < vectors; ++j) {
            right[j] = Vec::load(b + j * Vec::width);
        }
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
            const V left = Vec::broadcast(a[i * a_row_stride]);
#pragma GCC unroll 2
            for (int j = 0; j < vectors; ++j) {
                sums[i][j] = Vec::fma(left, right[j], sums[i][j]);
            }
        }
    }

    [[gnu::always_inline]] void store(T* c, std::int64_t ldc, bool add) {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 2
            for (int j = 0; j < vectors; ++j) {
                T* const out = c + i * ldc + j * Vec::width;
                Vec::store(out, add ? Vec::load(out) + sums[i][j] : sums[i][j]);
            }
        }
    }
};

template <class Vec, int panel_rows, int rows, int vectors>
void packed_kernel(std::int64_t k, const typename Vec::element* a, const typename Vec::element* b,
                   typename Vec::element* c, std::int64_t ldc, bool add) {
    constexpr int panel_columns = GemmKernels<typename Vec::element>::max_vectors * Vec::width;
    Tile<Vec, rows, vectors> tile;
    tile.clear();
    for (std::int64_t p = 0; p < k; ++p) {
        tile.add_product(a + p * panel_rows, 1, b + p * panel_columns);
    }
    tile.store(c, ldc, add);
}

template <class Vec, int rows, int vectors>
void direct_kernel(std::int64_t k, const typename Vec::element* a, std::int64_t a_row_stride,
                   std::int64_t a_column_stride, const typename Vec::element* b, std::int64_t b_row_stride,
                   typename Vec::element* c, std::int64_t ldc) {
    Tile<Vec, rows, vectors> tile;
    tile.clear();
    for (std::int64_t p = 0; p < k; ++p) {
        tile.add_product(a + p * a_column_stride, a_row_stride, b + p * b_row_stride);
    }
    tile.store(c, ldc, false);
}

template <class Vec>
typename Vec::element dot_kernel(std::int64_t k, const typename Vec::element* a,
                                 const typename Vec::element* b) {
    using T = typename Vec::element;
    constexpr int lanes = 4;
    typename Vec::type sums[lanes];
#pragma GCC unroll 4
    for (auto& sum : sums) {
        sum = Vec::broadcast(T{0});
    }
    std::int64_t p = 0;
    for (; p + lanes * Vec::width <= k; p += lanes * Vec::width) {
#pragma GCC unroll 4
        for (int j = 0; j < lanes; ++j) {
            sums[j] = Vec::fma(Vec::load(a + p + j * Vec::width), Vec::load(b + p + j * Vec::width), sums[j]);
        }
    }
    for (; p + Vec::width <= k; p += Vec::width) {
        sums[0] = Vec::fma(Vec::load(a + p), Vec::load(b + p), sums[0]);
    }
    T parts[Vec::width];
    Vec::store(parts, (sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (int half = Vec::width / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) {
            parts[i] += parts[i + half];
        }
    }
    for (; p < k; ++p) {
        parts[0] += a[p] * b[p];
    }
    return parts[0];
}

template <class Vec, int panel_rows, int vectors, int... row>
void fill_packed(GemmKernels<typename Vec::element>& kernels, std::integer_sequence<int, row...>) {
    ((kernels.packed[vectors - 1][row] = &packed_kernel<Vec, panel_rows, row + 1, vectors>), ...);
}

template <class Vec, int vectors, int... row>
void fill_direct(GemmKernels<typename Vec::element>& kernels, std::integer_sequence<int, row...>) {
    ((kernels.direct[vectors - 1][row] = &direct_kernel<Vec, row + 1, vectors>), ...);
}

template <class Vec, int panel_rows>
const GemmKernels<typename Vec::element>* make_gemm_kernels() {
    using Kernels = GemmKernels<typename Vec::element>;
    static const Kernels kernels = [] {
        Kernels made{};
        made.width = Vec::width;
        made.panel_rows = panel_rows;
        fill_packed<Vec, panel_rows, 1>(made, std::make_integer_sequence<int, panel_rows>{});
        fill_packed<Vec, panel_rows, 2>(made, std::make_integer_sequence<int, panel_rows>{});
        fill_direct<Vec, 1>(made, std::make_integer_sequence<int, Kernels::max_direct_rows>{});
        fill_direct<Vec, 2>(made, std::make_integer_sequence<int, Kernels::max_direct_rows>{});
        made.dot = &dot_kernel<Vec>;
        return made;
    }();
    return &kernels;
}

}  // namespace
}  // namespace fulgurite::reference
