#include <fulgurite/core/dtype.h>

#include <algorithm>
#include <string>

#include <fulgurite/core/errors.h>

namespace fulgurite {

namespace {
thread_local DType current_default_dtype = DType::float32;
}

DType promote_types(DType a, DType b) {
    // The enum is ordered so that the larger wins, but for the two pairs of which neither holds the other.
    const DType low = std::min(a, b), high = std::max(a, b);
    if (low == DType::uint8 && high == DType::int8) {
        return DType::int16;
    }
    if (low == DType::float16 && high == DType::bfloat16) {
        return DType::float32;
    }
    return high;
}

DType default_dtype() { return current_default_dtype; }

void set_default_dtype(DType dtype) {
    if (!is_floating_point(dtype)) {
        fail<ValueError>("set_default_dtype",
                         "expected a floating dtype, got " + std::string(name_of(dtype)));
    }
    current_default_dtype = dtype;
}

}  // namespace fulgurite
