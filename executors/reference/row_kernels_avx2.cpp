#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#endif

#include <fulgurite/executors/reference/row_loops.h>

namespace fulgurite::reference {

const RowKernels* row_kernels_avx2() {
    return make_row_kernels<float>();
}

}  // namespace fulgurite::reference
