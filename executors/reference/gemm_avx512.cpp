#include <fulgurite/executors/reference/gemm_micro.h>

namespace fulgurite::reference {

template <class T>
const GemmKernels<T>* gemm_kernels_avx512() {
    return make_gemm_kernels<Vector<T, 64>, 14>();
}

template const GemmKernels<float>* gemm_kernels_avx512<float>();
template const GemmKernels<double>* gemm_kernels_avx512<double>();

}  // namespace fulgurite::reference
