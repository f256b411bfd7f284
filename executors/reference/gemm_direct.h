#pragma once

#include <algorithm>
#include <cstdint>

#include <fulgurite/executors/reference/gemm_blocked.h>

/// Products too small, or too flat, to be worth packing.
namespace fulgurite::reference {

/// Rows i of A (k contiguous) times columns j of B (k contiguous).
template <class T>
void gemm_dots(const GemmSizes& sizes, T* c, std::int64_t ldc, const Matrix<const T>& a,
               const Matrix<const T>& b) {
    const auto dot = gemm_kernels<T>().dot;
    parallel_for(sizes.n, gemm_grain(8 * sizes.m * sizes.k), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j) {
            for (std::int64_t i = 0; i < sizes.m; ++i) {
                c[i * ldc + j] = dot(sizes.k, a.data + i * a.row_stride, b.data + j * b.column_stride);
            }
        }
    });
}

/// Columns [0, n) of C; the rows of B are contiguous and readable up to the next multiple of the vector's
/// width.
template <class T>
void gemm_columns(const GemmSizes& sizes, std::int64_t n, T* c, std::int64_t ldc, const Matrix<const T>& a,
                  const T* b, std::int64_t ldb) {
    using Kernels = GemmKernels<T>;
    const Kernels& kernels = gemm_kernels<T>();
    for (std::int64_t i = 0; i < sizes.m; i += Kernels::max_direct_rows) {
        const std::int64_t rows = std::min<std::int64_t>(Kernels::max_direct_rows, sizes.m - i);
        const T* const left = a.data + i * a.row_stride;
        for (std::int64_t j = 0; j < n;) {
            const std::int64_t vectors = n - j >= kernels.panel_columns() ? 2 : 1;
            const std::int64_t columns = std::min(vectors * kernels.width, n - j);
            const auto kernel = kernels.direct[vectors - 1][rows - 1];
            T* const out = c + i * ldc + j;
            if (columns == vectors * kernels.width) {
                kernel(sizes.k, left, a.row_stride, a.column_stride, b + j, ldb, out, ldc);
            } else {
                alignas(64) T tile[Kernels::max_direct_rows * Kernels::max_panel_columns];
                kernel(sizes.k, left, a.row_stride, a.column_stride, b + j, ldb, tile, kernels.width);
                for (std::int64_t row = 0; row < rows; ++row) {
                    std::copy_n(tile + row * kernels.width, columns, out + row * ldc);
                }
            }
            j += columns;
        }
    }
}

/// Copies columns [first, n) of B so that its rows are contiguous and padded to whole vectors, and multiplies
/// by them.
template <class T>
void gemm_copied_columns(const GemmSizes& sizes, std::int64_t first, T* c, std::int64_t ldc,
                         const Matrix<const T>& a, const Matrix<const T>& b) {
    const std::int64_t columns = sizes.n - first;
    const std::int64_t ldb = ceil_div(columns, gemm_kernels<T>().width) * gemm_kernels<T>().width;
    const Scratch<T> copy(sizes.k * ldb);
    pack_panel(copy.data(), b.block(0, first).transposed(), columns, sizes.k, ldb);
    gemm_columns(sizes, columns, c + first, ldc, a, static_cast<const T*>(copy.data()), ldb);
}

template <class T>
void gemm_direct(const GemmSizes& sizes, T* c, std::int64_t ldc, const Matrix<const T>& a,
                 const Matrix<const T>& b) {
    if (b.column_stride != 1) {
        return gemm_copied_columns(sizes, 0, c, ldc, a, b);
    }
    const std::int64_t width = gemm_kernels<T>().width, whole = sizes.n / width * width;
    const std::int64_t panels = ceil_div(whole, gemm_kernels<T>().panel_columns());
    const std::int64_t panel = gemm_kernels<T>().panel_columns();
    parallel_for(panels, gemm_grain(panel * sizes.m * sizes.k), [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t j = begin * panel;
        gemm_columns(sizes, std::min(end * panel, whole) - j, c + j, ldc, a, b.data + j, b.row_stride);
    });
    if (whole < sizes.n) {
        gemm_copied_columns(sizes, whole, c, ldc, a, b);
    }
}

}  // namespace fulgurite::reference
