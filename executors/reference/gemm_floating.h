#pragma once

#include <fulgurite/executors/reference/gemm.h>

namespace fulgurite::reference {

/// gemm for float and double.
template <class T>
void gemm_floating(const GemmSizes& sizes, const Matrices& c, const Matrices& a, const Matrices& b);

}  // namespace fulgurite::reference
