#include <fulgurite/executors/reference/gemm_floating.h>

#include <fulgurite/executors/reference/gemm_blocked.h>
#include <fulgurite/executors/reference/gemm_direct.h>
#include <fulgurite/executors/reference/processor.h>

namespace fulgurite::reference {

namespace {

constexpr std::int64_t direct_work = 40 * 40 * 40;          // multiply-adds up to which packing does not pay
constexpr std::int64_t batch_work = std::int64_t{1} << 26;  // above, one product is cut over the threads

template <class T>
const GemmKernels<T>& choose_kernels() {
#if defined(__x86_64__)
    if (have_avx512()) {
        return *gemm_kernels_avx512<T>();
    }
    if (have_avx2()) {
        return *gemm_kernels_avx2<T>();
    }
#endif
    return *gemm_kernels_portable<T>();
}

template <class T>
void multiply(const GemmSizes& sizes, T* c, std::int64_t ldc, const Matrix<const T>& a,
              const Matrix<const T>& b) {
    if (sizes.n == 1 && ldc == 1 && sizes.m > 1) {  // a column is the row of the transposed product
        return multiply({1, 1, sizes.m, sizes.k}, c, std::int64_t{1}, b.transposed(), a.transposed());
    }
    const bool flat = sizes.m <= GemmKernels<T>::max_direct_rows;
    if (flat && a.column_stride == 1 && b.row_stride == 1 && sizes.k >= 16) {
        return gemm_dots(sizes, c, ldc, a, b);
    }
    const std::int64_t work = sizes.m * sizes.n * sizes.k;
    if (work <= direct_work || (flat && b.column_stride == 1)) {
        return gemm_direct(sizes, c, ldc, a, b);
    }
    BlockedGemm<T>(sizes, c, ldc, a, b).run();
}

}  // namespace

template <>
const GemmKernels<float>& gemm_kernels<float>() {
    static const GemmKernels<float>& kernels = choose_kernels<float>();
    return kernels;
}

template <>
const GemmKernels<double>& gemm_kernels<double>() {
    static const GemmKernels<double>& kernels = choose_kernels<double>();
    return kernels;
}

template <class T>
void gemm_floating(const GemmSizes& sizes, const Matrices& c, const Matrices& a, const Matrices& b) {
    const auto product = [&](std::int64_t batch) {
        const auto at = [batch](const Matrices& x) {
            return static_cast<T*>(x.data) + batch * x.batch_stride;
        };
        multiply<T>(sizes, at(c), c.row_stride, {at(a), a.row_stride, a.column_stride},
                    {at(b), b.row_stride, b.column_stride});
    };
    const std::int64_t work = sizes.m * sizes.n * sizes.k;
    const std::int64_t grain = sizes.batch > 1 && work > batch_work ? sizes.batch : gemm_grain(work);
    parallel_for(sizes.batch, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t batch = begin; batch < end; ++batch) {
            product(batch);
        }
    });
}

template void gemm_floating<float>(const GemmSizes&, const Matrices&, const Matrices&, const Matrices&);
template void gemm_floating<double>(const GemmSizes&, const Matrices&, const Matrices&, const Matrices&);

}  // namespace fulgurite::reference
