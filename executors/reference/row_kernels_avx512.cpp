#include <fulgurite/executors/reference/row_loops.h>

namespace fulgurite::reference {

const RowKernels* row_kernels_avx512() { return make_row_kernels<float>(); }

}  // namespace fulgurite::reference
