#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace fulgurite {

/// Most dimensions a tensor may have.
inline constexpr int max_rank = 8;

/// A short list of int64 kept in place: a shape, strides (in elements), or dimension numbers.
/// Constructing more than max_rank entries throws ShapeError.
class Dims {
public:
    constexpr Dims() = default;
    /// A list of one: `.dim = 1`.
    template <std::integral T>
        requires(!std::same_as<T, bool>)
    Dims(T value) : Dims({static_cast<std::int64_t>(value)}) {}
    Dims(std::initializer_list<std::int64_t> values) : Dims(values.begin(), values.size()) {}
    Dims(std::span<const std::int64_t> values) : Dims(values.data(), values.size()) {}
    Dims(const std::vector<std::int64_t>& values) : Dims(values.data(), values.size()) {}
    Dims(const std::int64_t* values, std::size_t count) {
        check_rank(count);
        std::copy_n(values, count, values_.begin());
        size_ = static_cast<std::int32_t>(count);
    }
    static Dims filled(int count, std::int64_t value) {
        check_rank(static_cast<std::size_t>(count));
        Dims dims;
        dims.size_ = count;
        std::fill_n(dims.values_.begin(), count, value);
        return dims;
    }

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::int64_t operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
    std::int64_t& operator[](int i) { return values_[static_cast<std::size_t>(i)]; }
    std::int64_t back() const { return values_[static_cast<std::size_t>(size_ - 1)]; }
    const std::int64_t* data() const { return values_.data(); }
    const std::int64_t* begin() const { return values_.data(); }
    const std::int64_t* end() const { return values_.data() + size_; }
    std::int64_t* begin() { return values_.data(); }
    std::int64_t* end() { return values_.data() + size_; }

    void push_back(std::int64_t value) {
        check_rank(static_cast<std::size_t>(size_) + 1);
        values_[static_cast<std::size_t>(size_++)] = value;
    }
    void insert(int at, std::int64_t value) {
        push_back(value);
        std::rotate(begin() + at, end() - 1, end());
    }
    void erase(int at) {
        std::copy(begin() + at + 1, end(), begin() + at);
        --size_;
    }
    bool contains(std::int64_t value) const { return std::find(begin(), end(), value) != end(); }

    friend bool operator==(const Dims& a, const Dims& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    static void check_rank(std::size_t rank) {
        if (rank > max_rank) throw_rank(rank);
    }
    [[noreturn]] static void throw_rank(std::size_t rank);

    std::array<std::int64_t, max_rank> values_{};
    std::int32_t size_ = 0;
};

using Shape = Dims;
using Strides = Dims;

/// "[2, 3]".
std::string to_string(const Dims& dims);

/// Elements of a shape; throws ShapeError when the product does not fit in int64.
std::int64_t numel_of(const Shape& shape);

/// Row-major strides of a shape (PyTorch's contiguous layout).
Strides contiguous_strides(const Shape& shape);

/// Whether the strides are row-major for the shape; dimensions of size 1 and empty tensors do not count.
bool is_contiguous(const Shape& shape, const Strides& strides);

/// `dim` counted from the front; throws IndexError "[op] ..." unless -rank <= dim < rank (a 0-dim tensor
/// counts as 1-dim).
int wrap_dim(std::int64_t dim, int rank, const char* op);

/// The shape both broadcast to (NumPy's rule); throws ShapeError naming both shapes.
Shape broadcast_shapes(const Shape& a, const Shape& b, const char* op);

/// Checked int64 arithmetic for sizes; throws ShapeError on overflow.
std::int64_t checked_mul(std::int64_t a, std::int64_t b);
std::int64_t checked_add(std::int64_t a, std::int64_t b);

}  // namespace fulgurite
