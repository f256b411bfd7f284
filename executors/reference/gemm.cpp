#include <fulgurite/executors/reference/gemm.h>

#include <algorithm>
#include <type_traits>

#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/gemm_floating.h>
#include <fulgurite/executors/reference/scratch.h>
#include <fulgurite/runtime/thread_pool.h>

namespace fulgurite::reference {

namespace {

template <class T>
T* element(const Matrices& x, std::int64_t batch, std::int64_t row, std::int64_t column = 0) {
    return static_cast<T*>(x.data) + batch * x.batch_stride + row * x.row_stride + column * x.column_stride;
}

/// Calls f(batch, row) for every row of C, cut over the threads by the work of a row.
template <class F>
void for_each_row(const GemmSizes& sizes, std::int64_t row_work, F&& f) {
    const std::int64_t grain = std::max<std::int64_t>(1, 65536 / std::max<std::int64_t>(row_work, 1));
    parallel_for(sizes.batch * sizes.m, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            f(i / sizes.m, i % sizes.m);
        }
    });
}

template <class T>
void clear(const GemmSizes& sizes, const Matrices& c) {
    for_each_row(sizes, sizes.n, [&](std::int64_t batch, std::int64_t row) {
        std::fill_n(element<T>(c, batch, row), sizes.n, T{});
    });
}

/// Integers modulo 2^64, then modulo the type's own size; for bool "+" is "or" and "*" is "and".
template <class T>
void gemm_integers(const GemmSizes& sizes, const Matrices& c, const Matrices& a, const Matrices& b) {
    for_each_row(sizes, sizes.n * sizes.k, [&](std::int64_t batch, std::int64_t row) {
        const Scratch<std::uint64_t> sums(sizes.n);
        std::fill_n(sums.data(), sizes.n, std::uint64_t{0});
        for (std::int64_t p = 0; p < sizes.k; ++p) {
            const auto left = static_cast<std::uint64_t>(*element<T>(a, batch, row, p));
            const T* const right = element<T>(b, batch, p);
            if (left == 0) {
                continue;
            }
            for (std::int64_t j = 0; j < sizes.n; ++j) {
                sums[j] += left * static_cast<std::uint64_t>(right[j * b.column_stride]);
            }
        }
        T* const out = element<T>(c, batch, row);
        for (std::int64_t j = 0; j < sizes.n; ++j) {
            out[j] = static_cast<T>(sums[j]);
        }
    });
}

/// A contiguous copy as floats; a batch that repeats is copied once.
template <class T>
Matrices widen(const Scratch<float>& copy, const Matrices& x, std::int64_t batches, std::int64_t rows,
               std::int64_t columns) {
    for_each_row({batches, rows, columns, 1}, columns, [&](std::int64_t batch, std::int64_t row) {
        const T* const in = element<T>(x, batch, row);
        float* const out = copy.data() + (batch * rows + row) * columns;
        for (std::int64_t j = 0; j < columns; ++j) {
            out[j] = static_cast<float>(in[j * x.column_stride]);
        }
    });
    return {copy.data(), batches == 1 ? 0 : rows * columns, columns, 1};
}

/// 16-bit floats by way of float32 copies.
template <class T>
void gemm_by_floats(const GemmSizes& sizes, const Matrices& c, const Matrices& a, const Matrices& b) {
    const std::int64_t a_batches = a.batch_stride == 0 ? 1 : sizes.batch;
    const std::int64_t b_batches = b.batch_stride == 0 ? 1 : sizes.batch;
    const Scratch<float> wide_a(a_batches * sizes.m * sizes.k), wide_b(b_batches * sizes.k * sizes.n);
    const Scratch<float> wide_c(sizes.batch * sizes.m * sizes.n);
    gemm_floating<float>(sizes, {wide_c.data(), sizes.m * sizes.n, sizes.n, 1},
                         widen<T>(wide_a, a, a_batches, sizes.m, sizes.k),
                         widen<T>(wide_b, b, b_batches, sizes.k, sizes.n));
    for_each_row(sizes, sizes.n, [&](std::int64_t batch, std::int64_t row) {
        const float* const in = wide_c.data() + (batch * sizes.m + row) * sizes.n;
        T* const out = element<T>(c, batch, row);
        for (std::int64_t j = 0; j < sizes.n; ++j) {
            out[j] = T(in[j]);
        }
    });
}

/// A batch that shares B and whose rows follow each other is one taller product.
void fold_batch(GemmSizes& sizes, const Matrices& c, const Matrices& a, const Matrices& b) {
    const bool foldable = sizes.batch > 1 && b.batch_stride == 0 &&
                          a.batch_stride == sizes.m * a.row_stride &&
                          c.batch_stride == sizes.m * c.row_stride;
    if (foldable) {
        sizes = {1, sizes.batch * sizes.m, sizes.n, sizes.k};
    }
}

}  // namespace

void gemm(DType dtype, const GemmSizes& given, const Matrices& c, const Matrices& a, const Matrices& b) {
    GemmSizes sizes = given;
    if (sizes.batch == 0 || sizes.m == 0 || sizes.n == 0) {
        return;
    }
    fold_batch(sizes, c, a, b);
    dispatch(dtype, [&]<class T>(Type<T>) {
        if (sizes.k == 0) {
            return clear<T>(sizes, c);
        }
        if constexpr (std::is_floating_point_v<T>) {
            gemm_floating<T>(sizes, c, a, b);
        } else if constexpr (std::is_integral_v<T>) {
            gemm_integers<T>(sizes, c, a, b);
        } else {
            gemm_by_floats<T>(sizes, c, a, b);
        }
    });
}

}  // namespace fulgurite::reference
