#pragma once

#include <cstdint>

#include <fulgurite/core/dtype.h>

namespace fulgurite::reference {

/// A batch of matrices; strides in elements.
struct Matrices {
    void* data = nullptr;
    std::int64_t batch_stride = 0;
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 1;
};

/// How many products there are, and C[m, n] = A[m, k] B[k, n].
struct GemmSizes {
    std::int64_t batch = 1;
    std::int64_t m = 0, n = 0, k = 0;
};

/// C = A B for every batch, all of one dtype. A and B may have any strides, 0 included; C's column stride
/// must be 1, and C must not overlap A or B. float16 and bfloat16 accumulate in float32, integers modulo
/// 2^64, bool_ is "or" of "and"s. The result depends on the sizes and the processor's vector width, never on
/// the number of threads.
void gemm(DType dtype, const GemmSizes& sizes, const Matrices& c, const Matrices& a, const Matrices& b);

}  // namespace fulgurite::reference
