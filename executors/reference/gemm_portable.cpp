#include <fulgurite/executors/reference/gemm_micro.h>

namespace fulgurite::reference {

template <class T>
const GemmKernels<T>* gemm_kernels_portable() {
    return make_gemm_kernels<Vector<T, 16>, 4>();
}

template const GemmKernels<float>* gemm_kernels_portable<float>();
template const GemmKernels<double>* gemm_kernels_portable<double>();

}  // namespace fulgurite::reference
