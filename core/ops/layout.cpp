#include <fulgurite/core/ops/layout.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace fulgurite {

namespace {
/// The dimensions from the longest stride to the shortest; of equal ones the first comes first.
std::array<int, max_rank> by_stride(const Strides& strides) {
    std::array<int, max_rank> order{};
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.begin() + strides.size(),
                     [&](int a, int b) { return strides[a] > strides[b]; });
    return order;
}
}  // namespace

bool is_dense(const Shape& shape, const Strides& strides) {
    const auto order = by_stride(strides);
    std::int64_t expected = 1;
    for (int i = shape.size(); i-- > 0;) {
        const int dim = order[static_cast<std::size_t>(i)];
        if (shape[dim] == 0) return true;
        if (shape[dim] == 1) continue;
        if (strides[dim] != expected) return false;
        expected *= shape[dim];
    }
    return true;
}

Strides preserved_strides(const Shape& shape, const Strides& strides) {
    if (is_contiguous(shape, strides) || !is_dense(shape, strides)) return contiguous_strides(shape);
    const auto order = by_stride(strides);
    Strides out = strides;
    std::int64_t next = 1;
    for (int i = shape.size(); i-- > 0;) {
        const int dim = order[static_cast<std::size_t>(i)];
        out[dim] = next;
        next *= std::max<std::int64_t>(shape[dim], 1);
    }
    return out;
}

bool same_layout(const Shape& shape, const Strides& a, const Strides& b) {
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] != 1 && a[i] != b[i]) return false;
    }
    return true;
}

std::optional<Strides> view_strides(const TensorSpec& spec, const Shape& shape) {
    if (spec.is_contiguous()) return contiguous_strides(shape);
    Strides out = Strides::filled(shape.size(), 0);
    int to = shape.size() - 1;
    std::int64_t chunk_stride = spec.strides.back();
    std::int64_t in_chunk = 1;  // elements of the source's chunk of mergeable dimensions
    std::int64_t viewed = 1;    // elements of the target dimensions laid over it
    for (int from = spec.rank() - 1; from >= 0; --from) {
        in_chunk *= spec.shape[from];
        const bool ends =
            from == 0 || (spec.shape[from - 1] != 1 && spec.strides[from - 1] != in_chunk * chunk_stride);
        if (!ends) continue;
        while (to >= 0 && (viewed < in_chunk || shape[to] == 1)) {
            out[to] = viewed * chunk_stride;
            viewed *= shape[to];
            --to;
        }
        if (viewed != in_chunk) return std::nullopt;
        if (from > 0) {
            chunk_stride = spec.strides[from - 1];
            in_chunk = 1;
            viewed = 1;
        }
    }
    if (to != -1) return std::nullopt;
    return out;
}

}  // namespace fulgurite
