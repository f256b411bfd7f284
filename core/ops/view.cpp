#include <fulgurite/core/ops/view.h>

#include <algorithm>

#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite {

namespace {
/// The shape with its -1 replaced by what is left.
Shape inferred_shape(const char* op, const Tensor& x, const Shape& asked) {
    Shape shape = asked;
    int open = -1;
    std::int64_t known = 1;
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1 && open < 0)
            open = i;
        else if (shape[i] >= 0)
            known = checked_mul(known, shape[i]);
        else
            fail<ShapeError>(op, "expected sizes of at least 0 and at most one -1, got " + to_string(asked));
    }
    if (open >= 0 && known > 0) shape[open] = x.numel() / known;
    const bool ambiguous = open >= 0 && known == 0;
    if (!ambiguous && numel_of(shape) == x.numel()) return shape;
    fail<ShapeError>(op, "expected a shape of " + std::to_string(x.numel()) + " elements for " +
                             to_string(x.spec()) + ", got " + to_string(asked));
}

Dims wrapped_dims(const char* op, const Tensor& x, const Dims& dims) {
    Dims out;
    for (const std::int64_t dim : dims) out.push_back(wrap_dim(dim, x.dim(), op));
    meta::require_dims(op, x, out);
    return out;
}

/// One dimension of x, which must have some.
int dim_of(const char* op, const Tensor& x, std::int64_t dim) {
    if (x.dim() == 0) fail<IndexError>(op, "expected a tensor with dimensions, got " + to_string(x.spec()));
    return wrap_dim(dim, x.dim(), op);
}

Tensor sliced(const Tensor& x, int dim, std::int64_t start, std::int64_t end, std::int64_t step = 1) {
    if (start == 0 && end == x.shape()[dim] && step == 1) return x;
    Dims starts = Dims::filled(x.dim(), 0);
    Dims ends = x.shape();
    Dims steps = Dims::filled(x.dim(), 1);
    starts[dim] = start;
    ends[dim] = end;
    steps[dim] = step;
    return prims::slice(x, starts, ends, steps);
}
}  // namespace

namespace decompose {

Tensor reshape(const Tensor& x, const Shape& shape) {
    return reshaped(x, inferred_shape("reshape", x, shape));
}

Tensor view(const Tensor& x, const Shape& asked) {
    const Shape shape = inferred_shape("view", x, asked);
    if (x.shape() == shape) return x;
    if (view_strides(x.spec(), shape)) return prims::view(x, shape);
    fail<ShapeError>("view", "expected strides that allow the shape " + to_string(shape) + ", got " +
                                 to_string(x.spec()) + ": use reshape, which copies");
}

Tensor permute(const Tensor& x, const Dims& dims) {
    meta::require_rank("permute", x, dims, "dimensions");
    const Dims order = wrapped_dims("permute", x, dims);
    return std::is_sorted(order.begin(), order.end()) ? x : prims::permute(x, order);
}

Tensor transpose(const Tensor& x, const std::int64_t& dim0, const std::int64_t& dim1) {
    return swapped(x, wrap_dim(dim0, x.dim(), "transpose"), wrap_dim(dim1, x.dim(), "transpose"));
}

Tensor t(const Tensor& x) {
    if (x.dim() > 2) fail<ShapeError>("t", "expected at most 2 dimensions, got " + to_string(x.spec()));
    return x.dim() == 2 ? swapped(x, 0, 1) : x;
}

Tensor movedim(const Tensor& x, const Dims& source, const Dims& destination) {
    if (source.size() != destination.size()) {
        fail<ValueError>("movedim", "expected as many sources as destinations, got " + to_string(source) +
                                        " and " + to_string(destination));
    }
    const Dims from = wrapped_dims("movedim", x, source);
    const Dims to = wrapped_dims("movedim", x, destination);
    Dims order = Dims::filled(x.dim(), -1);
    for (int i = 0; i < from.size(); ++i) order[static_cast<int>(to[i])] = from[i];
    int next = 0;
    for (std::int64_t& place : order) {
        if (place >= 0) continue;
        while (from.contains(next)) ++next;
        place = next++;
    }
    return permute(x, order);
}

Tensor expand(const char* op, const Tensor& x, const Shape& asked) {
    Shape shape = asked;
    const int lead = shape.size() - x.dim();
    bool fits = lead >= 0;
    for (int i = 0; fits && i < shape.size(); ++i) {
        if (shape[i] == -1 && i >= lead) shape[i] = x.shape()[i - lead];
        fits = shape[i] >= 0 && (i < lead || x.shape()[i - lead] == 1 || x.shape()[i - lead] == shape[i]);
    }
    if (fits) return expanded(x, shape);
    fail<ShapeError>(
        op, "expected a shape that " + to_string(x.spec()) + " broadcasts to, got " + to_string(asked));
}

Tensor squeeze(const Tensor& x, const Dims& dim) {
    const Dims dims = x.dim() == 0 ? Dims() : wrapped_dims("squeeze", x, dim);
    Shape shape;
    for (int i = 0; i < x.dim(); ++i) {
        if (x.shape()[i] != 1 || (!dims.empty() && !dims.contains(i))) shape.push_back(x.shape()[i]);
    }
    return reshaped(x, shape);
}

Tensor unsqueeze(const Tensor& x, const std::int64_t& dim) {
    Shape shape = x.shape();
    shape.insert(wrap_dim(dim, x.dim() + 1, "unsqueeze"), 1);
    return reshaped(x, shape);
}

Tensor flatten(const Tensor& x, const std::int64_t& start_dim, const std::int64_t& end_dim) {
    const int start = wrap_dim(start_dim, x.dim(), "flatten");
    const int end = wrap_dim(end_dim, x.dim(), "flatten");
    if (x.dim() == 0) return reshaped(x, {1});
    if (start > end) {
        fail<ValueError>("flatten", "expected start_dim before end_dim, got " + std::to_string(start_dim) +
                                        " and " + std::to_string(end_dim) + " for " + to_string(x.spec()));
    }
    Shape shape;
    std::int64_t run = 1;
    for (int i = 0; i < x.dim(); ++i) {
        run = i > start && i <= end ? checked_mul(run, x.shape()[i]) : x.shape()[i];
        if (i < start || i >= end) shape.push_back(run);
    }
    return reshaped(x, shape);
}

Tensor slice(const Tensor& x, const std::int64_t& dim, const std::int64_t& start, const std::int64_t& end,
             const std::int64_t& step) {
    const int at = dim_of("slice", x, dim);
    if (step < 1) fail<ValueError>("slice", "expected a step of at least 1, got " + std::to_string(step));
    const std::int64_t size = x.shape()[at];
    const auto bound = [size](std::int64_t i) {
        return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size);
    };
    const std::int64_t first = bound(start);
    return sliced(x, at, first, std::max(first, bound(end)), step);
}

Tensor select(const Tensor& x, const std::int64_t& dim, const std::int64_t& index) {
    const int at = dim_of("select", x, dim);
    const std::int64_t size = x.shape()[at];
    if (index < -size || index >= size) {
        fail<IndexError>("select", "expected an index of dimension " + std::to_string(dim) + " of " +
                                       to_string(x.spec()) + ", got " + std::to_string(index));
    }
    const std::int64_t first = index < 0 ? index + size : index;
    Shape shape = x.shape();
    shape.erase(at);
    return reshaped(sliced(x, at, first, first + 1), shape);
}

Tensor narrow(const Tensor& x, const std::int64_t& dim, const std::int64_t& start,
              const std::int64_t& length) {
    const int at = dim_of("narrow", x, dim);
    const std::int64_t size = x.shape()[at];
    const std::int64_t first = start < 0 ? start + size : start;
    if (first < 0 || length < 0 || first > size - length) {
        fail<IndexError>("narrow", "expected a part of dimension " + std::to_string(dim) + " of " +
                                       to_string(x.spec()) + ", got start " + std::to_string(start) +
                                       " and length " + std::to_string(length));
    }
    return sliced(x, at, first, first + length);
}

std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, const std::int64_t& dim) {
    const int at = dim_of("split", x, dim);
    std::int64_t total = 0;
    bool fits = true;
    for (const std::int64_t size : sizes) {
        fits = fits && size >= 0;
        total = checked_add(total, size);
    }
    if (!fits || total != x.shape()[at]) {
        fail<ShapeError>("split", "expected sizes of at least 0 that sum up to " +
                                      std::to_string(x.shape()[at]) + ", got a sum of " +
                                      std::to_string(total) + " for " + to_string(x.spec()));
    }
    std::vector<Tensor> parts;
    std::int64_t start = 0;
    for (const std::int64_t size : sizes) {
        parts.push_back(sliced(x, at, start, start + size));
        start += size;
    }
    return parts;
}

Tensor contiguous(const Tensor& x) { return x.is_contiguous() ? x : prims::clone(x); }

Tensor clone(const Tensor& x) { return prims::clone(x); }

Tensor to(const Tensor& x, const ToOptions& options) {
    const DType dtype = options.dtype.value_or(x.dtype());
    const Device device = options.device.value_or(x.device());
    // The narrower of the two dtypes travels.
    const bool convert_first = size_of(dtype) <= size_of(x.dtype());
    const Tensor y = convert_first ? converted(x, dtype) : x;
    return converted(y.device() == device ? y : prims::device_put(y, device), dtype);
}

Tensor stop_gradient(const Tensor& x) { return prims::stop_gradient(x); }

}  // namespace decompose

namespace {
/// The sizes of parts of at most `size`; one part of an empty dimension.
std::vector<std::int64_t> part_sizes(std::int64_t total, std::int64_t size) {
    if (total == 0) return {0};
    std::vector<std::int64_t> sizes;
    for (; total > 0; total -= size) sizes.push_back(std::min(size, total));
    return sizes;
}
}  // namespace

std::vector<Tensor> split(TensorArg x, std::int64_t size, std::int64_t dim) {
    const LocationScope location(x.where);
    const std::int64_t total = x.tensor.shape()[dim_of("split", x.tensor, dim)];
    if (size < 1 && (size < 0 || total > 0)) {
        fail<ValueError>("split", "expected a size of at least 1, got " + std::to_string(size));
    }
    return split(x, part_sizes(total, size), dim);
}

std::vector<Tensor> chunk(TensorArg x, std::int64_t chunks, std::int64_t dim) {
    const LocationScope location(x.where);
    if (chunks < 1) fail<ValueError>("chunk", "expected at least 1 chunk, got " + std::to_string(chunks));
    const std::int64_t total = x.tensor.shape()[dim_of("chunk", x.tensor, dim)];
    return split(x, part_sizes(total, (total + chunks - 1) / chunks), dim);
}

}  // namespace fulgurite
