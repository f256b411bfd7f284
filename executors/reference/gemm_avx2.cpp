#include <fulgurite/executors/reference/gemm_micro.h>

namespace fulgurite::reference {

template <class T>
const GemmKernels<T>* gemm_kernels_avx2() {
    return make_gemm_kernels<Vector<T, 32>, 6>();
}

template const GemmKernels<float>* gemm_kernels_avx2<float>();
template const GemmKernels<double>* gemm_kernels_avx2<double>();

}  // namespace fulgurite::reference
