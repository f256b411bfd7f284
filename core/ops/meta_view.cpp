#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite::meta {

namespace {
Tensor view_of(const Tensor& x, const Shape& shape, const Strides& strides, std::int64_t offset = 0) {
    return Tensor::abstract_view(TensorSpec(shape, x.dtype(), x.device(), strides), offset);
}
}  // namespace

Tensor expand(const Tensor& x, const Shape& shape) {
    const char* const op = "expand";
    require_defined(op, x);
    const int lead = shape.size() - x.dim();
    Strides strides = Strides::filled(shape.size(), 0);
    bool fits = lead >= 0;
    for (int i = 0; fits && i < x.dim(); ++i) {
        const std::int64_t size = x.shape()[i];
        if (size == shape[lead + i])
            strides[lead + i] = x.strides()[i];
        else
            fits = size == 1;
    }
    if (!fits)
        fail<ShapeError>(
            op, "expected a shape that " + to_string(x.spec()) + " broadcasts to, got " + to_string(shape));
    return view_of(x, shape, strides);
}

Tensor view(const Tensor& x, const Shape& shape) {
    const char* const op = "view";
    require_defined(op, x);
    if (numel_of(shape) != x.numel()) {
        fail<ShapeError>(op, "expected a shape of " + std::to_string(x.numel()) + " elements, got " +
                                 to_string(shape) + " for " + to_string(x.spec()));
    }
    const std::optional<Strides> strides = view_strides(x.spec(), shape);
    if (!strides) {
        fail<ShapeError>(op, "expected strides that allow the shape " + to_string(shape) + ", got " +
                                 to_string(x.spec()) + ": use reshape, which copies");
    }
    return view_of(x, shape, *strides);
}

Tensor permute(const Tensor& x, const Dims& dims) {
    const char* const op = "permute";
    require_rank(op, x, dims, "dimensions");
    require_dims(op, x, dims);
    Shape shape;
    Strides strides;
    for (const std::int64_t dim : dims) {
        shape.push_back(x.shape()[static_cast<int>(dim)]);
        strides.push_back(x.strides()[static_cast<int>(dim)]);
    }
    return view_of(x, shape, strides);
}

Tensor slice(const Tensor& x, const Dims& starts, const Dims& ends, const Dims& steps) {
    const char* const op = "slice";
    require_rank(op, x, starts, "starts");
    require_rank(op, x, ends, "ends");
    require_rank(op, x, steps, "steps");
    Shape shape;
    Strides strides;
    std::int64_t offset = 0;
    bool is_empty = false;
    for (int i = 0; i < x.dim(); ++i) {
        if (starts[i] < 0 || starts[i] > ends[i] || ends[i] > x.shape()[i] || steps[i] < 1) {
            fail<IndexError>(op, "expected 0 <= start <= end <= size and step >= 1, got starts " +
                                     to_string(starts) + ", ends " + to_string(ends) + ", steps " +
                                     to_string(steps) + " for " + to_string(x.spec()));
        }
        shape.push_back((ends[i] - starts[i] + steps[i] - 1) / steps[i]);
        strides.push_back(x.strides()[i] * (shape[i] > 1 ? steps[i] : 1));
        offset += starts[i] * x.strides()[i];
        is_empty = is_empty || shape[i] == 0;
    }
    return view_of(x, shape, strides, is_empty ? 0 : offset);
}

Tensor alias(const Tensor& x) { return Tensor::abstract_view(x.spec(), 0); }

}  // namespace fulgurite::meta
