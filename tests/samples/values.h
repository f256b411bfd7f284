#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fulgurite/core/tensor.h>

/// Tensors for tests, made and read element by element: no operation takes part, so that all can be tested
/// with them.
namespace fulgurite::tests {

/// What the elements of a floating tensor are like. All are exact in every floating dtype, and no element is
/// an integer or a half: functions with kinks and steps are smooth there.
enum class Range {
    any,       ///< from -4 to 4
    positive,  ///< from 0 to 4
    small,     ///< from -1 to 1
    away,      ///< from -4.5 to 4.5 but at least 1/2 away from 0
    even,      ///< the same, but no other range's element is a multiple: divisors
};

/// Distinct elements where there are few enough; another seed, others. Integers lie from -5 to 5 (uint8: 0 to
/// 10).
Tensor values(DType dtype, const Shape& shape, std::uint32_t seed = 1, Range range = Range::any);
inline Tensor values(const Shape& shape, std::uint32_t seed = 1, Range range = Range::any) {
    return values(DType::float32, shape, seed, range);
}

/// These numbers, converted to the dtype.
Tensor numbers(DType dtype, const Shape& shape, const std::vector<double>& elements);
inline Tensor numbers(DType dtype, const std::vector<double>& elements) {
    return numbers(dtype, {static_cast<std::int64_t>(elements.size())}, elements);
}
/// 0, -0, 1, -1, large and tiny numbers, infinities and NaN.
Tensor edge_numbers(DType dtype);

/// Elements in row-major order, as double (int64 beyond 2^53 is rounded).
std::vector<double> elements_of(const Tensor& tensor);
/// The bytes of the elements in row-major order.
std::string bytes_of(const Tensor& tensor);
/// x in another dtype, row-major.
Tensor cast(const Tensor& x, DType dtype);

/// The elements of x in memory of its own with these strides, `offset` elements after the storage's start.
/// Dimensions of stride 0 keep their first element.
Tensor laid_out(const Tensor& x, const Strides& strides, std::int64_t offset = 0);

/// The ways in which an operand may lie in memory.
enum class Layout {
    reversed,  ///< the first dimension is the fastest
    stepped,   ///< every second element of a larger block, from its third
    expanded,  ///< the first dimension repeats one element with stride 0
};
std::string_view name_of(Layout layout);
/// x so laid out. `expanded` has other elements than x: those of laid_out(x, contiguous_strides(...)) of it.
Tensor with_layout(const Tensor& x, Layout layout);

/// How far results may be from the truth: |a - b| <= absolute + relative * |b|. NaN equals NaN, and
/// infinities themselves.
struct Tolerance {
    double relative = 0;
    double absolute = 0;
};
/// For one operation in this dtype.
Tolerance tolerance_of(DType dtype);

/// An empty string where the elements agree, else the first disagreement in words. Shapes must be equal.
std::string difference(const Tensor& got, const Tensor& expected, Tolerance tolerance);
/// The same for equal bytes and equal metadata (strides of sizes of 1 aside).
std::string bitwise_difference(const Tensor& got, const Tensor& expected);

}  // namespace fulgurite::tests
