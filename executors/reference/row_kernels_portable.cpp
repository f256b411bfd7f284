#include <fulgurite/executors/reference/row_loops.h>

namespace fulgurite::reference {

const RowKernels* row_kernels_portable(Compute compute) {
    switch (compute) {
        case Compute::float32:
            return make_row_kernels<float>();
        case Compute::float64:
            return make_row_kernels<double>();
        case Compute::int64:
            return make_row_kernels<std::int64_t>();
    }
    return nullptr;
}

}  // namespace fulgurite::reference
