#pragma once

#include <algorithm>
#include <cstdint>

#include <fulgurite/executors/reference/gemm.h>
#include <fulgurite/executors/reference/gemm_kernels.h>
#include <fulgurite/executors/reference/scratch.h>
#include <fulgurite/runtime/thread_pool.h>

/// The product of one pair of large matrices: A and B are packed, a block at a time, into panels that the
/// micro-kernels read in order.
namespace fulgurite::reference {

template <class T>
struct Matrix {
    T* data;
    std::int64_t row_stride, column_stride;

    Matrix block(std::int64_t row, std::int64_t column) const {
        return {data + row * row_stride + column * column_stride, row_stride, column_stride};
    }
    Matrix transposed() const { return {data, column_stride, row_stride}; }
};

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Items of parallel_for that make some 20 us of work when one item is so many multiply-adds.
constexpr std::int64_t gemm_grain(std::int64_t work) {
    return std::max<std::int64_t>(1, (std::int64_t{1} << 20) / std::max<std::int64_t>(work, 1));
}

/// Packs the first `rows` <= `panel` rows of A as out[p * panel + row], the rest as zeros.
template <class T>
void pack_panel(T* out, const Matrix<const T>& a, std::int64_t rows, std::int64_t k, std::int64_t panel) {
    if (rows < panel) {
        std::fill_n(out, panel * k, T{0});
    }
    if (a.row_stride == 1) {
        for (std::int64_t p = 0; p < k; ++p) {
            std::copy_n(a.data + p * a.column_stride, rows, out + p * panel);
        }
        return;
    }
    std::int64_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        const T* in = a.data + row * a.row_stride;
        for (std::int64_t p = 0; p < k; ++p, in += a.column_stride) {
            for (std::int64_t i = 0; i < 4; ++i) {
                out[p * panel + row + i] = in[i * a.row_stride];
            }
        }
    }
    for (; row < rows; ++row) {
        const T* in = a.data + row * a.row_stride;
        for (std::int64_t p = 0; p < k; ++p) {
            out[p * panel + row] = in[p * a.column_stride];
        }
    }
}

template <class T>
class BlockedGemm {
public:
    BlockedGemm(const GemmSizes& sizes, T* c, std::int64_t ldc, const Matrix<const T>& a,
                const Matrix<const T>& b)
        : kernels_(gemm_kernels<T>()),
          sizes_(sizes),
          c_(c),
          ldc_(ldc),
          a_(a),
          b_(b),
          k_step_(even_step(sizes.k, max_k, 8)),
          m_step_(even_step(sizes.m, max_m, kernels_.panel_rows)),
          n_step_(even_step(sizes.n, max_n, kernels_.panel_columns())),
          packed_a_(k_step_ * m_step_),
          packed_b_(k_step_ * n_step_) {}

    void run() {
        for (std::int64_t n = 0; n < sizes_.n; n += n_step_) {
            for (std::int64_t k = 0; k < sizes_.k; k += k_step_) {
                const std::int64_t columns = std::min(n_step_, sizes_.n - n),
                                   depth = std::min(k_step_, sizes_.k - k);
                pack(packed_b_.data(), b_.block(k, n).transposed(), columns, depth, kernels_.panel_columns());
                for (std::int64_t m = 0; m < sizes_.m; m += m_step_) {
                    const std::int64_t rows = std::min(m_step_, sizes_.m - m);
                    pack(packed_a_.data(), a_.block(m, k), rows, depth, kernels_.panel_rows);
                    multiply(c_ + m * ldc_ + n, rows, columns, depth, k > 0);
                }
            }
        }
    }

private:
    /// A panel of B stays in the first cache for max_k, packed blocks of max_m and max_n in the last.
    static constexpr std::int64_t max_k = 384, max_m = 2048, max_n = 3072;
    static constexpr std::int64_t max_group_rows = 12, max_group_columns = 12;  // panels of one task

    /// Cuts `size` into equal steps of at most `most`, each a multiple of `unit`.
    static std::int64_t even_step(std::int64_t size, std::int64_t most, std::int64_t unit) {
        const std::int64_t steps = ceil_div(size, std::max(most / unit, std::int64_t{1}) * unit);
        return ceil_div(ceil_div(size, steps), unit) * unit;
    }

    static void pack(T* out, const Matrix<const T>& a, std::int64_t rows, std::int64_t depth,
                     std::int64_t panel) {
        parallel_for(ceil_div(rows, panel), gemm_grain(16 * panel * depth),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t i = begin; i < end; ++i) {
                             const std::int64_t first = i * panel;
                             pack_panel(out + first * depth, a.block(first, 0), std::min(panel, rows - first),
                                        depth, panel);
                         }
                     });
    }

    void multiply(T* c, std::int64_t rows, std::int64_t columns, std::int64_t depth, bool add) {
        const std::int64_t row_panels = ceil_div(rows, kernels_.panel_rows);
        const std::int64_t column_panels = ceil_div(columns, kernels_.panel_columns());
        std::int64_t group_rows = std::min(max_group_rows, row_panels);
        std::int64_t group_columns = std::min(max_group_columns, column_panels);
        const std::int64_t panel_work = kernels_.panel_rows * kernels_.panel_columns() * depth;
        // Smaller tasks until there are enough of them to even out; the result does not depend on the cuts.
        const std::int64_t wanted = 4 * num_threads();
        while (ceil_div(row_panels, group_rows) * ceil_div(column_panels, group_columns) < wanted &&
               group_rows * group_columns * panel_work > 2 * gemm_grain(1)) {
            std::int64_t& larger = group_rows >= group_columns ? group_rows : group_columns;
            larger = ceil_div(larger, 2);
        }
        const std::int64_t column_groups = ceil_div(column_panels, group_columns);
        const std::int64_t tasks = ceil_div(row_panels, group_rows) * column_groups;
        parallel_for(tasks, gemm_grain(group_rows * group_columns * panel_work),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t task = begin; task < end; ++task) {
                             const std::int64_t i = task / column_groups * group_rows,
                                                j = task % column_groups * group_columns;
                             for (std::int64_t column = j;
                                  column < std::min(j + group_columns, column_panels); ++column) {
                                 for (std::int64_t row = i; row < std::min(i + group_rows, row_panels);
                                      ++row) {
                                     multiply_panels(c, row, column, rows, columns, depth, add);
                                 }
                             }
                         }
                     });
    }

    void multiply_panels(T* c, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns,
                         std::int64_t depth, bool add) {
        const std::int64_t first_row = row * kernels_.panel_rows,
                           first_column = column * kernels_.panel_columns();
        const std::int64_t height = std::min<std::int64_t>(kernels_.panel_rows, rows - first_row);
        const std::int64_t width = std::min<std::int64_t>(kernels_.panel_columns(), columns - first_column);
        const std::int64_t vectors = ceil_div(width, kernels_.width);
        const auto kernel = kernels_.packed[vectors - 1][height - 1];
        const T* const a = packed_a_.data() + first_row * depth;
        const T* const b = packed_b_.data() + first_column * depth;
        T* const out = c + first_row * ldc_ + first_column;
        if (width == vectors * kernels_.width) {
            return kernel(depth, a, b, out, ldc_, add);
        }
        alignas(64) T tile[GemmKernels<T>::max_panel_rows * GemmKernels<T>::max_panel_columns];
        kernel(depth, a, b, tile, kernels_.panel_columns(), false);
        for (std::int64_t i = 0; i < height; ++i) {
            for (std::int64_t j = 0; j < width; ++j) {
                const T value = tile[i * kernels_.panel_columns() + j];
                out[i * ldc_ + j] = add ? out[i * ldc_ + j] + value : value;
            }
        }
    }

    const GemmKernels<T>& kernels_;
    GemmSizes sizes_;
    T* c_;
    std::int64_t ldc_;
    Matrix<const T> a_, b_;
    std::int64_t k_step_, m_step_, n_step_;
    Scratch<T> packed_a_, packed_b_;
};

}  // namespace fulgurite::reference
