#include <algorithm>
#include <numeric>

#include <fulgurite/executors/reference/data.h>
#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/nest.h>
#include <fulgurite/executors/reference/part.h>
#include <fulgurite/executors/reference/row_io.h>
#include <fulgurite/executors/reference/scratch.h>

/// Prims that walk the lines along one dimension.
namespace fulgurite::reference {

namespace {

/// Calls f(element offsets of the operands) for each line along `dim` of operands of one shape.
template <int count, class F>
void for_each_line(const std::array<View, count>& views, int dim, F&& f) {
    const auto drop = [dim](const View& view) {
        return view.rank() == 0 ? Part(view) : Part(view).drop(dim);
    };
    const std::int64_t length = views[0].rank() == 0 ? 1 : views[0].size(dim);
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        const Part parts[] = {drop(views[k])...};
        const View lines[] = {parts[k].view()...};
        const auto nest = make_nest<count>({&lines[k]...});
        for_each_block(
            nest, 64,
            [&](const std::array<std::int64_t, count>& offsets, std::int64_t n) {
                std::array<std::int64_t, count> at = offsets;
                for (std::int64_t i = 0; i < n; ++i) {
                    f(at);
                    for (int operand = 0; operand < count; ++operand) {
                        at[operand] += nest.inner_stride(operand);
                    }
                }
            },
            std::max<std::int64_t>(1, length));
    }(std::make_index_sequence<count>{});
}

std::int64_t line_stride(const View& view, int dim) { return view.rank() == 0 ? 1 : view.stride(dim); }

std::byte* at(const View& view, std::int64_t offset) {
    return view.as<std::byte>() + offset * size_of(view.dtype);
}

}  // namespace

void cumsum(const View& out, const View& x, int dim) {
    if (x.shape->contains(0)) {
        return;
    }
    const std::int64_t length = x.rank() == 0 ? 1 : x.size(dim);
    const bool integers = compute_of(x.dtype) == Compute::int64;
    const Compute compute = integers ? Compute::int64 : Compute::float64;
    const LoadRow load = load_row(x.dtype, compute);
    const StoreRow store = store_row(compute, out.dtype);
    for_each_line<2>({out, x}, dim, [&](const std::array<std::int64_t, 2>& offsets) {
        const Scratch<std::uint64_t> row(length);
        load(row.data(), at(x, offsets[1]), line_stride(x, dim), length);
        if (integers) {
            std::partial_sum(row.data(), row.data() + length, row.data());
        } else {
            double* const values = reinterpret_cast<double*>(row.data());
            std::partial_sum(values, values + length, values);
        }
        store(at(out, offsets[0]), line_stride(out, dim), row.data(), length);
    });
}

namespace {

/// NaN is the greatest.
template <class C>
bool before(C a, C b) {
    if constexpr (std::is_floating_point_v<C>) {
        if (b != b) {
            return a == a;
        }
    }
    return a < b;
}

template <class C>
void order_line(const C* line, std::int64_t* order, std::int64_t length, bool descending) {
    std::iota(order, order + length, std::int64_t{0});
    if (descending) {
        std::stable_sort(order, order + length, [line](auto a, auto b) { return before(line[b], line[a]); });
    } else {
        std::stable_sort(order, order + length, [line](auto a, auto b) { return before(line[a], line[b]); });
    }
}

template <class C>
void sort_lines(const View* values, const View* indices, const View& x, int dim, bool descending) {
    const std::int64_t length = x.rank() == 0 ? 1 : x.size(dim);
    const Compute compute = compute_of(x.dtype);
    const LoadRow load = load_row(x.dtype, compute);
    for_each_line<3>({x, values ? *values : x, indices ? *indices : x}, dim,
                     [&](const std::array<std::int64_t, 3>& offsets) {
                         const Scratch<C> line(length), sorted(length);
                         const Scratch<std::int64_t> order(length);
                         load(line.data(), at(x, offsets[0]), line_stride(x, dim), length);
                         order_line(line.data(), order.data(), length, descending);
                         if (values) {
                             for (std::int64_t i = 0; i < length; ++i) {
                                 sorted[i] = line[order[i]];
                             }
                             store_row(compute, values->dtype)(
                                 at(*values, offsets[1]), line_stride(*values, dim), sorted.data(), length);
                         }
                         if (indices) {
                             store_row(Compute::int64, indices->dtype)(
                                 at(*indices, offsets[2]), line_stride(*indices, dim), order.data(), length);
                         }
                     });
}

}  // namespace

void sort(const View* values, const View* indices, const View& x, int dim, bool descending) {
    if (x.shape->contains(0)) {
        return;
    }
    switch (compute_of(x.dtype)) {
        case Compute::float32:
            return sort_lines<float>(values, indices, x, dim, descending);
        case Compute::float64:
            return sort_lines<double>(values, indices, x, dim, descending);
        case Compute::int64:
            return sort_lines<std::int64_t>(values, indices, x, dim, descending);
    }
}

}  // namespace fulgurite::reference
