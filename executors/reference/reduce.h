#pragma once

#include <fulgurite/executors/reference/view.h>

/// Reductions. `out` has the shape of `x` without the reduced dimensions, and its dtype, unless said
/// otherwise. The order of the additions is fixed by the shape and strides alone: float16, bfloat16 and
/// float32 are added in float32 within blocks of at most 1024 elements, and in float64 beyond; integers wrap.
namespace fulgurite::reference {

/// 0 over nothing; "or" of bool_.
void sum(const View& out, const View& x, const Dims& dims);
/// 1 over nothing; "and" of bool_.
void prod(const View& out, const View& x, const Dims& dims);

/// NaN where there is one. Throws ValueError over nothing, unless out is empty too.
void amax(const View& out, const View& x, const Dims& dims);
void amin(const View& out, const View& x, const Dims& dims);

/// int64: the first place along `dim` of the greatest (least) element, or of the first NaN. Throws ValueError
/// over nothing, unless out is empty too.
void argmax(const View& out, const View& x, int dim);
void argmin(const View& out, const View& x, int dim);

}  // namespace fulgurite::reference
