#pragma once

#include <cstdint>

namespace fulgurite::reference {

/// The innermost loops of the matrix product for one element type and one instruction set.
template <class T>
struct GemmKernels {
    /// C[rows, columns] (+)= A panel * B panel, `columns` a multiple of the vector's width. A panels hold
    /// `panel_rows` elements for each k, B panels `panel_columns`; what lies beyond rows and columns is not
    /// used.
    using Packed = void (*)(std::int64_t k, const T* a, const T* b, T* c, std::int64_t ldc, bool add);
    /// The same with A and B where they are; the columns of B are contiguous.
    using Direct = void (*)(std::int64_t k, const T* a, std::int64_t a_row_stride,
                            std::int64_t a_column_stride, const T* b, std::int64_t b_row_stride, T* c,
                            std::int64_t ldc);
    /// Sum of a[i] * b[i].
    using Dot = T (*)(std::int64_t k, const T* a, const T* b);

    static constexpr int max_vectors = 2, max_panel_rows = 14, max_direct_rows = 4;
    static constexpr int max_panel_columns = max_vectors * 64 / static_cast<int>(sizeof(T));

    int width;                                    ///< elements of a vector
    int panel_rows;                               ///< panels of B have max_vectors * width columns
    Packed packed[max_vectors][max_panel_rows];   ///< by vectors - 1, rows - 1
    Direct direct[max_vectors][max_direct_rows];  ///< by vectors - 1, rows - 1
    Dot dot;

    int panel_columns() const { return max_vectors * width; }
};

/// The best for this processor.
template <class T>
const GemmKernels<T>& gemm_kernels();

// One for each instruction set; those of x86 do not exist elsewhere.
template <class T>
const GemmKernels<T>* gemm_kernels_avx512();
template <class T>
const GemmKernels<T>* gemm_kernels_avx2();
template <class T>
const GemmKernels<T>* gemm_kernels_portable();

}  // namespace fulgurite::reference
