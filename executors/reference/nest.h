#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <fulgurite/executors/reference/view.h>
#include <fulgurite/runtime/thread_pool.h>

namespace fulgurite::reference {

/// Elements of pointwise work that are worth a task.
inline constexpr std::int64_t parallel_elements = 32768;

/// The loops over several operands of one shape, with as few dimensions as the strides allow. The last
/// dimension is the inner one, along which operand 0 has its smallest stride.
template <int count>
struct Nest {
    int rank = 0;
    std::array<std::int64_t, max_rank> sizes;
    std::array<std::array<std::int64_t, count>, max_rank> strides;

    void add(std::int64_t size, const std::array<std::int64_t, count>& step) {
        if (size == 1) {
            return;
        }
        int at = rank++;
        for (; at > 0 && std::abs(strides[at - 1][0]) < std::abs(step[0]); --at) {
            sizes[at] = sizes[at - 1];
            strides[at] = strides[at - 1];
        }
        sizes[at] = size;
        strides[at] = step;
    }

    /// Merges dimensions that every operand walks as one; leaves at least one dimension.
    void finish() {
        int kept = 0;
        for (int i = 1; i < rank; ++i) {
            bool merges = true;
            for (int k = 0; k < count; ++k) {
                merges = merges && strides[kept][k] == sizes[i] * strides[i][k];
            }
            if (merges) {
                sizes[kept] *= sizes[i];
            } else {
                sizes[++kept] = sizes[i];
            }
            strides[kept] = strides[i];
        }
        if (rank == 0) {
            sizes[0] = 1;
            strides[0].fill(1);
        }
        rank = kept + 1;
    }

    std::int64_t inner() const { return sizes[rank - 1]; }
    std::int64_t inner_stride(int operand) const { return strides[rank - 1][operand]; }
    bool empty() const { return std::find(sizes.begin(), sizes.begin() + rank, 0) != sizes.begin() + rank; }
    std::int64_t outer() const {
        std::int64_t product = 1;
        for (int i = 0; i + 1 < rank; ++i) {
            product *= sizes[i];
        }
        return product;
    }
};

/// The nest over operand 0's shape; the others broadcast to it.
template <int count>
Nest<count> make_nest(const std::array<const View*, count>& operands) {
    Nest<count> nest;
    const int rank = operands[0]->rank();
    for (int i = 0; i < rank; ++i) {
        std::array<std::int64_t, count> step;
        for (int k = 0; k < count; ++k) {
            const View& view = *operands[static_cast<std::size_t>(k)];
            const int dim = i - (rank - view.rank());
            step[k] = dim < 0 || (view.size(dim) == 1) ? 0 : view.stride(dim);
        }
        nest.add(operands[0]->size(i), step);
    }
    nest.finish();
    return nest;
}

/// Walks positions of a nest's outer dimensions in order.
template <int count>
class Odometer {
public:
    Odometer(const Nest<count>& nest, std::int64_t row) : nest_(nest) {
        for (int i = nest.rank - 2; i >= 0; --i) {
            index_[i] = row % nest.sizes[i];
            row /= nest.sizes[i];
            for (int k = 0; k < count; ++k) {
                offsets_[k] += index_[i] * nest.strides[i][k];
            }
        }
    }
    void next() {
        for (int i = nest_.rank - 2; i >= 0; --i) {
            for (int k = 0; k < count; ++k) {
                offsets_[k] += nest_.strides[i][k];
            }
            if (++index_[i] < nest_.sizes[i]) {
                return;
            }
            for (int k = 0; k < count; ++k) {
                offsets_[k] -= nest_.sizes[i] * nest_.strides[i][k];
            }
            index_[i] = 0;
        }
    }
    const std::array<std::int64_t, count>& offsets() const { return offsets_; }

private:
    const Nest<count>& nest_;
    std::array<std::int64_t, max_rank> index_;
    std::array<std::int64_t, count> offsets_{};
};

/// Calls f(offsets of the operands, n) for pieces of rows of at most `block` elements, on several threads
/// when there is much to do. `work` is what an element costs, in additions.
template <int count, class F>
void for_each_block(const Nest<count>& nest, std::int64_t block, F&& f, std::int64_t work = 1) {
    if (nest.empty()) {
        return;
    }
    const std::int64_t inner = nest.inner(), pieces = (inner + block - 1) / block;
    const std::int64_t grain = std::max<std::int64_t>(1, parallel_elements / (std::min(inner, block) * work));
    parallel_for(nest.outer() * pieces, grain, [&](std::int64_t begin, std::int64_t end) {
        Odometer<count> position(nest, begin / pieces);
        std::int64_t piece = begin % pieces;
        for (std::int64_t i = begin; i < end; ++i) {
            std::array<std::int64_t, count> offsets = position.offsets();
            const std::int64_t first = piece * block;
            for (int k = 0; k < count; ++k) {
                offsets[k] += first * nest.inner_stride(k);
            }
            f(offsets, std::min(block, inner - first));
            if (++piece == pieces) {
                piece = 0;
                position.next();
            }
        }
    });
}

}  // namespace fulgurite::reference
