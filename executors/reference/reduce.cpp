#include <fulgurite/executors/reference/reduce.h>

#include <fulgurite/core/errors.h>
#include <fulgurite/executors/reference/nest.h>
#include <fulgurite/executors/reference/part.h>
#include <fulgurite/executors/reference/reduce_ops.h>
#include <fulgurite/executors/reference/row_io.h>
#include <fulgurite/executors/reference/scratch.h>

namespace fulgurite::reference {

using namespace reductions;

namespace {

constexpr std::int64_t block = 1024;              // elements that are added in the compute type itself
constexpr std::int64_t segment_elements = 65536;  // of a long reduction, which is cut over the threads
constexpr std::int64_t column_block = 32;         // rows that are added in the compute type itself
constexpr std::int64_t column_segment = 1024;     // rows

/// What is kept (out and x) and what is reduced (x) as loops.
struct Plan {
    Nest<2> kept;
    Nest<1> reduced;
    std::int64_t reduced_count = 1;

    Plan(const View& out, const View& x, const Dims& dims) {
        int kept_dim = 0;
        for (int i = 0; i < x.rank(); ++i) {
            if (dims.contains(i)) {
                reduced.add(x.size(i), {x.stride(i)});
                reduced_count *= x.size(i);
            } else {
                kept.add(x.size(i), {out.stride(kept_dim++), x.stride(i)});
            }
        }
        kept.finish();
        reduced.finish();
    }
    /// Whether x is read in better order along what is kept.
    bool by_columns() const {
        const std::int64_t across = std::abs(kept.inner_stride(1)), along = std::abs(reduced.inner_stride(0));
        return kept.inner() >= 8 && across != 0 && (across < along || reduced.inner() == 1);
    }
};

/// Rows of x in the compute type: in place where they are that already, or in a buffer of `block` elements.
template <class C>
class Rows {
public:
    Rows(const View& x, std::int64_t stride)
        : data_(x.as<std::byte>()),
          element_(size_of(x.dtype)),
          stride_(stride),
          direct_(stride == 1 && x.dtype == dtype_of<C>()),
          load_(load_row(x.dtype, compute_of(dtype_of<C>()))) {}

    const C* read(C* buffer, std::int64_t offset, std::int64_t n) const {
        const void* const from = data_ + offset * element_;
        if (direct_) {
            return static_cast<const C*>(from);
        }
        load_(buffer, from, stride_, n);
        return buffer;
    }

private:
    const std::byte* data_;
    std::int64_t element_, stride_;
    bool direct_;
    LoadRow load_;
};

/// Always the same tree: lanes, each in order, then halves.
template <class Op, class C>
C reduce_block(const C* x, std::int64_t n) {
    constexpr std::int64_t lanes = 32;
    if (n < lanes) {
        C result = x[0];
        for (std::int64_t i = 1; i < n; ++i) {
            result = Op::combine(result, x[i]);
        }
        return result;
    }
    C parts[lanes];
    for (std::int64_t j = 0; j < lanes; ++j) {
        parts[j] = x[j];
    }
    std::int64_t i = lanes;
    for (; i + lanes <= n; i += lanes) {
        for (std::int64_t j = 0; j < lanes; ++j) {
            parts[j] = Op::combine(parts[j], x[i + j]);
        }
    }
    for (std::int64_t j = 0; i < n; ++i, ++j) {
        parts[j] = Op::combine(parts[j], x[i]);
    }
    for (std::int64_t half = lanes / 2; half > 0; half /= 2) {
        for (std::int64_t j = 0; j < half; ++j) {
            parts[j] = Op::combine(parts[j], parts[j + half]);
        }
    }
    return parts[0];
}

template <class Op, class C>
class Reduction {
public:
    Reduction(const View& out, const View& x, const Plan& plan)
        : plan_(plan),
          out_(out),
          rows_(x, plan.reduced.inner_stride(0)),
          columns_(x, plan.kept.inner_stride(1)),
          store_(store_row(compute_of(dtype_of<C>()), out.dtype)) {}

    void run() {
        const std::int64_t work = plan_.reduced_count;
        if (plan_.by_columns()) {
            // Long reductions are cut into segments instead, see reduce_columns.
            for_each_block(
                plan_.kept, block, [&](const auto& offsets, std::int64_t n) { reduce_columns(offsets, n); },
                work);
        } else {
            for_each_block(
                plan_.kept, block / 16, [&](const auto& offsets, std::int64_t n) { reduce_rows(offsets, n); },
                work);
        }
    }

private:
    using T = Total<C>;

    void write(std::int64_t offset, const C* values, std::int64_t n) {
        store_(out_.as<std::byte>() + offset * size_of(out_.dtype), plan_.kept.inner_stride(0), values, n);
    }

    void reduce_rows(const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
        C results[block / 16];
        for (std::int64_t i = 0; i < n; ++i) {
            results[i] = static_cast<C>(reduce_all(offsets[1] + i * plan_.kept.inner_stride(1)));
        }
        write(offsets[0], results, n);
    }

    /// One result: segments of a length that the shape fixes, each of blocks.
    T reduce_all(std::int64_t offset) {
        const std::int64_t inner = plan_.reduced.inner(), pieces = (inner + block - 1) / block;
        const std::int64_t count = plan_.reduced.outer() * pieces;
        const std::int64_t grain = std::max<std::int64_t>(1, segment_elements / std::min(inner, block));
        if (count <= grain) {
            return reduce_pieces(offset, 0, count, pieces);
        }
        const Scratch<T> totals((count + grain - 1) / grain);
        parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
            totals[begin / grain] = reduce_pieces(offset, begin, end, pieces);
        });
        T total = totals[0];
        for (std::int64_t i = 1; i < (count + grain - 1) / grain; ++i) {
            total = Op::combine(total, totals[i]);
        }
        return total;
    }

    T reduce_pieces(std::int64_t offset, std::int64_t begin, std::int64_t end, std::int64_t pieces) {
        C buffer[block];
        T total = Op::template identity<T>();
        Odometer<1> position(plan_.reduced, begin / pieces);
        std::int64_t piece = begin % pieces;
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t first = piece * block, n = std::min(block, plan_.reduced.inner() - first);
            const std::int64_t at = offset + position.offsets()[0] + first * plan_.reduced.inner_stride(0);
            const T part = static_cast<T>(reduce_block<Op>(rows_.read(buffer, at, n), n));
            total = i == begin ? part : Op::combine(total, part);
            if (++piece == pieces) {
                piece = 0;
                position.next();
            }
        }
        return total;
    }

    /// n results side by side, whose rows are walked together.
    void reduce_columns(const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
        const std::int64_t count = plan_.reduced_count;
        const std::int64_t grain = std::max(column_segment, (count + 255) / 256);
        const std::int64_t segments = (count + grain - 1) / grain;
        const Scratch<T> totals(segments * n);
        parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
            reduce_segment(totals.data() + begin / grain * n, offsets[1], begin, end, n);
        });
        C results[block];
        for (std::int64_t j = 0; j < n; ++j) {
            T total = totals[j];
            for (std::int64_t i = 1; i < segments; ++i) {
                total = Op::combine(total, totals[i * n + j]);
            }
            results[j] = static_cast<C>(total);
        }
        write(offsets[0], results, n);
    }

    void reduce_segment(T* totals, std::int64_t offset, std::int64_t begin, std::int64_t end,
                        std::int64_t n) {
        C buffer[block], sums[block];
        const std::int64_t inner = plan_.reduced.inner();
        Odometer<1> position(plan_.reduced, begin / inner);
        std::int64_t place = begin % inner;
        for (std::int64_t first = begin; first < end; first += column_block) {
            const std::int64_t last = std::min(first + column_block, end);
            for (std::int64_t i = first; i < last; ++i) {
                const std::int64_t at =
                    offset + position.offsets()[0] + place * plan_.reduced.inner_stride(0);
                const C* const row = columns_.read(buffer, at, n);
                if (i == first) {
                    std::copy_n(row, n, sums);
                } else {
                    for (std::int64_t j = 0; j < n; ++j) {
                        sums[j] = Op::combine(sums[j], row[j]);
                    }
                }
                if (++place == inner) {
                    place = 0;
                    position.next();
                }
            }
            if (first == begin) {
                std::copy_n(sums, n, totals);
            } else {
                for (std::int64_t j = 0; j < n; ++j) {
                    totals[j] = Op::combine(totals[j], static_cast<T>(sums[j]));
                }
            }
        }
    }

    const Plan& plan_;
    const View& out_;
    Rows<C> rows_, columns_;
    StoreRow store_;
};

template <class Op, class C>
void reduce_in(const View& out, const View& x, const Plan& plan) {
    if (plan.reduced_count > 0) {
        return Reduction<Op, C>(out, x, plan).run();
    }
    if (!Op::has_identity) {
        fail<ValueError>(Op::name, "there is no extremum of nothing: x is " + to_string(*x.shape));
    }
    const StoreRow store = store_row(compute_of(dtype_of<C>()), out.dtype);
    const C identity = Op::template identity<C>();
    for_each_block(plan.kept, block, [&](const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
        std::byte* const to = out.as<std::byte>();
        for (std::int64_t i = 0; i < n; ++i) {
            store(to + (offsets[0] + i * plan.kept.inner_stride(0)) * size_of(out.dtype), 1, &identity, 1);
        }
    });
}

template <class Op>
void reduce(const View& out, const View& x, const Dims& dims) {
    if (out.shape->contains(0)) {
        return;
    }
    const Plan plan(out, x, dims);
    switch (compute_of(x.dtype)) {
        case Compute::float32:
            return reduce_in<Op, float>(out, x, plan);
        case Compute::float64:
            return reduce_in<Op, double>(out, x, plan);
        case Compute::int64:
            return reduce_in<Op, std::int64_t>(out, x, plan);
    }
}

/// The place of the first best element of a line.
template <class Op, class C>
std::int64_t find_place(const View& x, std::int64_t offset, std::int64_t stride, std::int64_t length) {
    const Rows<C> rows(x, stride);
    C buffer[block], best{};
    std::int64_t place = -1;
    for (std::int64_t first = 0; first < length; first += block) {
        const std::int64_t n = std::min(block, length - first);
        const C* const row = rows.read(buffer, offset + first * stride, n);
        for (std::int64_t i = 0; i < n; ++i) {
            if (place >= 0 && !Op::better(row[i], best) && row[i] == row[i]) {
                continue;
            }
            place = first + i;
            best = row[i];
            if (best != best) {
                return place;
            }
        }
    }
    return place;
}

template <class Op, class C>
void find_places(const View& out, const View& x, int dim) {
    const std::int64_t length = x.rank() == 0 ? 1 : x.size(dim), stride = x.rank() == 0 ? 1 : x.stride(dim);
    const Part part = x.rank() == 0 ? Part(x) : Part(x).drop(dim);
    const View lines = part.view();
    const auto nest = make_nest<2>({&out, &lines});
    for_each_block(
        nest, 64,
        [&](const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
            for (std::int64_t i = 0; i < n; ++i) {
                out.as<std::int64_t>()[offsets[0] + i * nest.inner_stride(0)] =
                    find_place<Op, C>(x, offsets[1] + i * nest.inner_stride(1), stride, length);
            }
        },
        length);
}

template <class Op>
void arg_reduce(const View& out, const View& x, int dim) {
    if (out.shape->contains(0)) {
        return;
    }
    if (x.shape->contains(0)) {
        fail<ValueError>(Op::place_name, "there is no extremum of nothing: x is " + to_string(*x.shape));
    }
    switch (compute_of(x.dtype)) {
        case Compute::float32:
            return find_places<Op, float>(out, x, dim);
        case Compute::float64:
            return find_places<Op, double>(out, x, dim);
        case Compute::int64:
            return find_places<Op, std::int64_t>(out, x, dim);
    }
}

}  // namespace

void sum(const View& out, const View& x, const Dims& dims) { reduce<Sum>(out, x, dims); }
void prod(const View& out, const View& x, const Dims& dims) { reduce<Product>(out, x, dims); }
void amax(const View& out, const View& x, const Dims& dims) { reduce<Maximum>(out, x, dims); }
void amin(const View& out, const View& x, const Dims& dims) { reduce<Minimum>(out, x, dims); }
void argmax(const View& out, const View& x, int dim) { arg_reduce<Maximum>(out, x, dim); }
void argmin(const View& out, const View& x, int dim) { arg_reduce<Minimum>(out, x, dim); }

}  // namespace fulgurite::reference
