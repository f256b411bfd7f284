#include <cstring>

#include <fulgurite/executors/reference/data.h>
#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/nest.h>
#include <fulgurite/executors/reference/part.h>
#include <fulgurite/executors/reference/pointwise.h>

namespace fulgurite::reference {

namespace {

constexpr std::int64_t copy_block = 8192;
constexpr std::int64_t tile = 32;  // of a transposing copy: two tiles stay in the first cache

template <class T>
void copy_row(T* to, std::int64_t to_stride, const T* from, std::int64_t from_stride, std::int64_t n) {
    if (to_stride == 1 && from_stride == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
    } else if (to_stride == 1 && from_stride == 0) {
        std::fill_n(to, n, *from);
    } else {
        for (std::int64_t i = 0; i < n; ++i) {
            to[i * to_stride] = from[i * from_stride];
        }
    }
}

/// The last two dimensions as a matrix whose columns are what `from` has side by side.
template <class T>
void copy_transposed(const Nest<2>& nest, T* to, const T* from) {
    const int row_dim = nest.rank - 2, column_dim = nest.rank - 1;
    const std::int64_t rows = nest.sizes[row_dim], columns = nest.sizes[column_dim];
    const auto [to_row, from_row] = nest.strides[row_dim];
    const auto [to_column, from_column] = nest.strides[column_dim];
    for (std::int64_t i = 0; i < rows; i += tile) {
        for (std::int64_t j = 0; j < columns; j += tile) {
            const std::int64_t last_row = std::min(i + tile, rows), last_column = std::min(j + tile, columns);
            for (std::int64_t row = i; row < last_row; ++row) {
                for (std::int64_t column = j; column < last_column; ++column) {
                    to[row * to_row + column * to_column] = from[row * from_row + column * from_column];
                }
            }
        }
    }
}

bool transposes(const Nest<2>& nest) {
    return nest.rank >= 2 && nest.inner_stride(0) == 1 && nest.inner_stride(1) != 1 &&
           nest.strides[nest.rank - 2][1] == 1 && nest.sizes[nest.rank - 2] > 4;
}

/// Cuts the matrices of a transposing copy into bands of rows.
template <class T>
void copy_matrices(const Nest<2>& nest, T* to, const T* from) {
    Nest<2> outer = nest;
    outer.rank = nest.rank - 1;  // the rows are the inner dimension of what is left
    const std::int64_t work = nest.inner();
    for_each_block(
        outer, tile,
        [&](const std::array<std::int64_t, 2>& offsets, std::int64_t rows) {
            Nest<2> band;
            band.rank = 2;
            band.sizes[0] = rows;
            band.sizes[1] = nest.inner();
            band.strides[0] = nest.strides[nest.rank - 2];
            band.strides[1] = nest.strides[nest.rank - 1];
            copy_transposed(band, to + offsets[0], from + offsets[1]);
        },
        work);
}

}  // namespace

void copy(const View& out, const View& x) {
    const auto nest = make_nest<2>({&out, &x});
    if (nest.empty()) {
        return;
    }
    dispatch_size(out.dtype, [&]<class T>(Type<T>) {
        T* const to = out.as<T>();
        const T* const from = x.as<T>();
        if (transposes(nest)) {
            return copy_matrices(nest, to, from);
        }
        for_each_block(nest, copy_block, [&](const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
            copy_row(to + offsets[0], nest.inner_stride(0), from + offsets[1], nest.inner_stride(1), n);
        });
    });
}

void full(const View& out, const Number& value) {
    const Dims scalar;
    if (value.category() == Category::floating) {
        double number = value.as_double();
        return convert(out, {&number, DType::float64, &scalar, &scalar});
    }
    std::int64_t number = value.as_int();
    convert(out, {&number, DType::int64, &scalar, &scalar});
}

void iota(const View& out, const Number& start, const Number& step) {
    const bool integers = start.category() != Category::floating && step.category() != Category::floating;
    constexpr std::int64_t block = 1024;
    const StoreRow store = store_row(integers ? Compute::int64 : Compute::float64, out.dtype);
    const std::int64_t stride = out.stride(0);
    parallel_for(out.size(0), 16 * block, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t whole[block];
        double real[block];
        for (std::int64_t first = begin; first < end; first += block) {
            const std::int64_t n = std::min(block, end - first);
            for (std::int64_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::uint64_t>(first + i);
                const auto stepped = static_cast<std::uint64_t>(step.as_int()) * at;
                if (integers) {
                    whole[i] =
                        static_cast<std::int64_t>(static_cast<std::uint64_t>(start.as_int()) + stepped);
                } else {
                    real[i] = start.as_double() + static_cast<double>(first + i) * step.as_double();
                }
            }
            std::byte* const to = out.as<std::byte>() + first * stride * size_of(out.dtype);
            store(to, stride, integers ? static_cast<const void*>(whole) : real, n);
        }
    });
}

void cat(const View& out, std::span<const View> tensors, int dim) {
    std::int64_t at = 0;
    for (const View& tensor : tensors) {
        if (tensor.rank() != out.rank()) {
            continue;  // PyTorch lets an empty 1-dim tensor be catenated with anything
        }
        copy(Part(out).narrow(dim, at, tensor.size(dim)).view(), tensor);
        at += tensor.size(dim);
    }
}

void pad(const View& out, const View& x, const Dims& low, const Dims& high, const Number& value) {
    Part to(out), from(x);
    bool grows = false;
    for (int dim = 0; dim < x.rank(); ++dim) {
        grows = grows || low[dim] > 0 || high[dim] > 0;
        const std::int64_t begin = std::max<std::int64_t>(0, -low[dim]);
        const std::int64_t kept = x.size(dim) - begin - std::max<std::int64_t>(0, -high[dim]);
        const std::int64_t size = std::max<std::int64_t>(0, kept);
        from.narrow(dim, std::min(begin, x.size(dim)), size);
        to.narrow(dim, std::min(std::max<std::int64_t>(0, low[dim]), out.size(dim)), size);
    }
    if (grows) {
        full(out, value);
    }
    copy(to.view(), from.view());
}

void flip(const View& out, const View& x, const Dims& dims) {
    Part from(x);
    for (const std::int64_t dim : dims) {
        from.reverse(static_cast<int>(dim));
    }
    copy(out, from.view());
}

}  // namespace fulgurite::reference
