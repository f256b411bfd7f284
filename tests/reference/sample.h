#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/element.h>
#include <fulgurite/executors/reference/view.h>

/// Small tensors of any dtype and strides, and their values as doubles, for tests of the kernels.
namespace fulgurite::tests {

using reference::View;

inline constexpr DType all_dtypes[] = {bool_, uint8,   int8,     int16,   int32,
                                       int64, float16, bfloat16, float32, float64};

/// How a sample lies in memory.
enum class Layout { contiguous, transposed, padded, reversed, repeated };
inline constexpr Layout input_layouts[] = {Layout::contiguous, Layout::transposed, Layout::padded,
                                           Layout::reversed, Layout::repeated};

class Sample {
public:
    Sample(DType dtype, const Shape& shape, Layout layout = Layout::contiguous)
        : dtype_(dtype), shape_(shape), strides_(contiguous_strides(shape)) {
        const int rank = shape.size();
        std::int64_t step = layout == Layout::padded ? 2 : 1, first = 3;
        for (int i = 0; i < rank; ++i) {
            const int dim = layout == Layout::transposed ? i : rank - 1 - i;
            strides_[dim] = step;
            step *= std::max<std::int64_t>(shape[dim], 1) + (layout == Layout::padded ? 1 : 0);
        }
        if (layout == Layout::reversed && rank > 0) {
            first += std::max<std::int64_t>(0, shape[0] - 1) * strides_[0];
            strides_[0] = -strides_[0];
        }
        if (layout == Layout::repeated && rank > 0) {
            strides_[rank - 1] = 0;
        }
        bytes_.assign(static_cast<std::size_t>((step + 8) * size_of(dtype)), std::byte{0});
        data_ = bytes_.data() + first * size_of(dtype);
    }
    Sample(const Sample&) = delete;

    View view() const { return {data_, dtype_, &shape_, &strides_}; }
    DType dtype() const { return dtype_; }
    const Shape& shape() const { return shape_; }
    std::int64_t count() const { return numel_of(shape_); }

    /// Element i in row-major order.
    double operator[](std::int64_t i) const {
        return reference::dispatch(dtype_, [&]<class T>(reference::Type<T>) {
            return reference::element_cast<double>(*element<T>(i));
        });
    }
    void set(std::int64_t i, double value) {
        reference::dispatch(
            dtype_, [&]<class T>(reference::Type<T>) { *element<T>(i) = reference::element_cast<T>(value); });
    }
    Sample& fill(const std::function<double(std::int64_t)>& value) {
        for (std::int64_t i = 0; i < count(); ++i) {
            set(i, value(i));
        }
        return *this;
    }
    /// Small numbers that every dtype can hold; some are equal, none is 0 with `nonzero`.
    Sample& fill_random(std::mt19937& random, bool nonzero = false) {
        return fill([&](std::int64_t) {
            const bool is_unsigned = dtype_ == uint8 || dtype_ == bool_;
            const double whole = static_cast<int>(random() % 9) - (is_unsigned ? 0 : 4);
            const double value = is_floating_point(dtype_) ? whole + 0.25 : whole;
            return nonzero && value == 0 ? 1 : value;
        });
    }
    /// The place of element i from indices, as row-major number of another shape's element is split.
    std::vector<std::int64_t> index(std::int64_t i) const {
        std::vector<std::int64_t> places(static_cast<std::size_t>(shape_.size()));
        for (int dim = shape_.size() - 1; dim >= 0; --dim) {
            places[static_cast<std::size_t>(dim)] = i % shape_[dim];
            i /= shape_[dim];
        }
        return places;
    }
    double at(const std::vector<std::int64_t>& places) const {
        std::int64_t i = 0;
        for (int dim = 0; dim < shape_.size(); ++dim) {
            i = i * shape_[dim] + places[static_cast<std::size_t>(dim)];
        }
        return (*this)[i];
    }

private:
    template <class T>
    T* element(std::int64_t i) const {
        std::int64_t offset = 0;
        for (int dim = shape_.size() - 1; dim >= 0; --dim) {
            offset += i % shape_[dim] * strides_[dim];
            i /= shape_[dim];
        }
        return reinterpret_cast<T*>(data_) + offset;
    }

    DType dtype_;
    Shape shape_;
    Strides strides_;
    std::vector<std::byte> bytes_;
    std::byte* data_;
};

/// A double as an element of the dtype would hold it.
inline double rounded(DType dtype, double value) {
    return reference::dispatch(dtype, [&]<class T>(reference::Type<T>) {
        return reference::element_cast<double>(reference::element_cast<T>(value));
    });
}

/// Equal, both NaN, or apart by at most `ulps` units in the last place of the dtype.
inline bool close(DType dtype, double got, double expected, double ulps = 0) {
    if (std::isnan(got) || std::isnan(expected)) {
        return std::isnan(got) && std::isnan(expected);
    }
    if (got == expected) {
        return true;
    }
    const double digits = dtype == float64 ? 52 : dtype == float32 ? 23 : dtype == float16 ? 10 : 7;
    const double smallest = dtype == float64   ? 0x1p-1074
                            : dtype == float16 ? 0x1p-24
                            : dtype == float32 ? 0x1p-149
                                               : 0x1p-133;
    const double unit = std::max(std::exp2(std::floor(std::log2(std::abs(expected))) - digits), smallest);
    return std::abs(got - expected) <= ulps * unit;
}

inline std::string describe(DType dtype, const Shape& shape, int layout) {
    return std::string(name_of(dtype)) + to_string(shape) + " layout " + std::to_string(layout);
}

}  // namespace fulgurite::tests
