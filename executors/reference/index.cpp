#include <string>

#include <fulgurite/core/errors.h>
#include <fulgurite/executors/reference/data.h>
#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/element.h>
#include <fulgurite/executors/reference/nest.h>
#include <fulgurite/executors/reference/part.h>
#include <fulgurite/executors/reference/pointwise.h>
#include <fulgurite/executors/reference/row_math.h>
#include <fulgurite/executors/reference/scratch.h>

namespace fulgurite::reference {

namespace {

/// A view converted to the compute type's own dtype, row-major; or the view itself where it has that dtype
/// already.
class Widened {
public:
    explicit Widened(const View& view)
        : original_(view),
          strides_(contiguous_strides(*view.shape)),
          native_(native_dtype(compute_of(view.dtype))),
          copy_(view.dtype == native_ ? 0 : numel_of(*view.shape)) {}

    View view() const {
        return original_.dtype == native_ ? original_
                                          : View{copy_.data(), native_, original_.shape, &strides_};
    }
    const Widened& read() const {
        if (original_.dtype != native_) {
            convert(view(), original_);
        }
        return *this;
    }
    void write_back() const {
        if (original_.dtype != native_) {
            convert(original_, view());
        }
    }

private:
    View original_;
    Strides strides_;
    DType native_;
    Scratch<std::int64_t> copy_;
};

/// All indices, row-major, each within [0, size).
class Indices {
public:
    Indices(const char* op, const View& index, std::int64_t size)
        : count_(numel_of(*index.shape)), values_(count_) {
        const Strides strides = contiguous_strides(*index.shape);
        convert({values_.data(), DType::int64, index.shape, &strides}, index);
        for (std::int64_t i = 0; i < count_; ++i) {
            if (values_[i] >= 0 && values_[i] < size) {
                continue;
            }
            fail<IndexError>(op, "index " + std::to_string(values_[i]) +
                                     " is out of range for a dimension of size " + std::to_string(size));
        }
    }
    std::int64_t count() const { return count_; }
    std::int64_t operator[](std::int64_t i) const { return values_[i]; }
    std::int64_t* data() const { return values_.data(); }

private:
    std::int64_t count_;
    Scratch<std::int64_t> values_;
};

/// Calls f(offsets) for each row of a nest, in order, in this thread.
template <int count, class F>
void walk_rows(const Nest<count>& nest, F&& f) {
    if (nest.empty()) {
        return;
    }
    Odometer<count> position(nest, 0);
    for (std::int64_t row = nest.outer(); row > 0; --row, position.next()) {
        f(position.offsets());
    }
}

template <class F>
void dispatch_native(DType dtype, F&& f) {
    if (dtype == DType::float32) {
        f(Type<float>{});
    } else if (dtype == DType::float64) {
        f(Type<double>{});
    } else {
        f(Type<std::int64_t>{});
    }
}

template <class C>
void accumulate(C& sum, C value) {
    if constexpr (std::is_integral_v<C>) {
        sum = static_cast<C>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
    } else {
        sum += value;
    }
}

/// The view without `dim`, seen as the shape of `like` with that dimension standing still.
Part standing(const View& view, int dim, const Shape& like) {
    return Part(view).set_stride(dim, 0).set_shape(like);
}

}  // namespace

void take(const View& out, const View& x, const View& index, int dim) {
    if (out.shape->contains(0)) {
        return;
    }
    const Indices indices("take", index, x.size(dim));
    Part target(out), indexed(out);  // of out: all but the index's dimensions, and those
    for (int i = 0; i < index.rank(); ++i) {
        target.drop(dim);
    }
    for (int i = out.rank() - 1; i >= 0; --i) {
        if (i < dim || i >= dim + index.rank()) {
            indexed.drop(i);
        }
    }
    Part source(x);
    source.drop(dim);
    const View to = target.view(), from = source.view(), places = indexed.view();
    const auto nest = make_nest<2>({&to, &from});
    const Strides order = contiguous_strides(*index.shape);
    const std::int64_t slice = std::max<std::int64_t>(1, numel_of(*from.shape));
    dispatch_size(x.dtype, [&]<class T>(Type<T>) {
        const auto run = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                std::int64_t offset = 0;
                for (int k = 0; k < index.rank(); ++k) {
                    offset += i / order[k] % index.size(k) * places.stride(k);
                }
                T* const first = out.as<T>() + offset;
                const T* const chosen = x.as<T>() + indices[i] * x.stride(dim);
                walk_rows(nest, [&](const std::array<std::int64_t, 2>& offsets) {
                    for (std::int64_t j = 0; j < nest.inner(); ++j) {
                        first[offsets[0] + j * nest.inner_stride(0)] =
                            chosen[offsets[1] + j * nest.inner_stride(1)];
                    }
                });
            }
        };
        parallel_for(indices.count(), std::max<std::int64_t>(1, parallel_elements / slice), run);
    });
}

void gather(const View& out, const View& x, int dim, const View& index) {
    if (out.shape->contains(0)) {
        return;
    }
    if (x.rank() == 0) {
        return copy(out, x);
    }
    const Indices indices("gather", index, x.size(dim));
    const Strides order = contiguous_strides(*index.shape);
    const View places{indices.data(), DType::int64, index.shape, &order};
    const Part part = standing(x, dim, *index.shape);
    const View from = part.view();
    const std::int64_t step = x.stride(dim);
    const auto nest = make_nest<3>({&out, &places, &from});
    dispatch_size(x.dtype, [&]<class T>(Type<T>) {
        for_each_block(nest, 8192, [&](const std::array<std::int64_t, 3>& offsets, std::int64_t n) {
            T* const to = out.as<T>() + offsets[0];
            const std::int64_t* const place = indices.data() + offsets[1];
            const T* const source = from.as<T>() + offsets[2];
            for (std::int64_t i = 0; i < n; ++i) {
                to[i * nest.inner_stride(0)] =
                    source[i * nest.inner_stride(2) + place[i * nest.inner_stride(1)] * step];
            }
        });
    });
}

void scatter_add(const View& out, const View& x, int dim, const View& index, const View& src) {
    copy(out, x);
    if (index.shape->contains(0)) {
        return;
    }
    const Indices indices("scatter_add", index, x.rank() == 0 ? 1 : x.size(dim));
    const Strides order = contiguous_strides(*index.shape);
    const View places{indices.data(), DType::int64, index.shape, &order};
    const Widened sums(out), wide_src(src);
    const View to = sums.read().view();
    const std::int64_t step = x.rank() == 0 ? 0 : to.stride(dim);
    const Part part = x.rank() == 0 ? Part(to) : standing(to, dim, *index.shape);
    const Part part_src = Part(wide_src.read().view()).set_shape(*index.shape);
    const View target = part.view(), added = part_src.view();
    // Operand 0 is the index, so that elements are added in its order.
    const auto nest = make_nest<3>({&places, &target, &added});
    dispatch_native(to.dtype, [&]<class C>(Type<C>) {
        walk_rows(nest, [&](const std::array<std::int64_t, 3>& offsets) {
            for (std::int64_t i = 0; i < nest.inner(); ++i) {
                const std::int64_t place = indices[offsets[0] + i * nest.inner_stride(0)];
                accumulate(to.as<C>()[offsets[1] + i * nest.inner_stride(1) + place * step],
                           added.as<C>()[offsets[2] + i * nest.inner_stride(2)]);
            }
        });
    });
    sums.write_back();
}

void index_add(const View& out, const View& x, int dim, const View& index, const View& src) {
    copy(out, x);
    if (src.shape->contains(0)) {
        return;
    }
    const Indices indices("index_add", index, x.size(dim));
    const Widened sums(out), wide_src(src);
    const View to = sums.read().view(), added = wide_src.read().view();
    const Part target = Part(to).drop(dim), source = Part(added).drop(dim);
    const View slice = target.view(), added_slice = source.view();
    const auto nest = make_nest<2>({&slice, &added_slice});
    dispatch_native(to.dtype, [&]<class C>(Type<C>) {
        // Threads share out the columns, so each element is added to in the order of the index.
        const auto add_rows = [&](const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
            for (std::int64_t i = 0; i < indices.count(); ++i) {
                C* const sum = to.as<C>() + offsets[0] + indices[i] * to.stride(dim);
                const C* const row = added.as<C>() + offsets[1] + i * added.stride(dim);
                for (std::int64_t j = 0; j < n; ++j) {
                    accumulate(sum[j * nest.inner_stride(0)], row[j * nest.inner_stride(1)]);
                }
            }
        };
        for_each_block(nest, 256, add_rows, indices.count());
    });
    sums.write_back();
}

}  // namespace fulgurite::reference
