#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <fulgurite/core/ops/call.h>
#include <fulgurite/core/ops/named.h>
#include <fulgurite/core/ops/prims.h>

/// New tensors. While tracing, what is filled is recorded; what comes from data is captured by the trace.
namespace fulgurite {

struct TensorOptions {
    std::optional<DType> dtype = {};
    Device device = cpu;
};

struct LikeOptions {
    std::optional<DType> dtype = {};
    std::optional<Device> device = {};
};

namespace decompose {
Tensor eye(const std::int64_t& n, const std::int64_t& m, const DType& dtype, const Device& device);
}
namespace ops {
inline constexpr Composite<"eye", &decompose::eye> eye;
}

/// One number in every element; without a dtype that of the number (torch.full).
Tensor full(const Shape& shape, const Operand& value, const TensorOptions& options = {},
            std::source_location where = std::source_location::current());
/// Of the default dtype, unless told (torch.zeros).
Tensor zeros(const Shape& shape, const TensorOptions& options = {},
             std::source_location where = std::source_location::current());
/// torch.ones
Tensor ones(const Shape& shape, const TensorOptions& options = {},
            std::source_location where = std::source_location::current());
/// Elements that nobody has set (torch.empty); zeros while tracing.
Tensor empty(const Shape& shape, const TensorOptions& options = {},
             std::source_location where = std::source_location::current());
/// The shape, dtype and device of x; row-major (torch.full_like).
Tensor full_like(const Tensor& x, const Operand& value, const LikeOptions& options = {},
                 std::source_location where = std::source_location::current());
/// torch.zeros_like
Tensor zeros_like(const Tensor& x, const LikeOptions& options = {},
                  std::source_location where = std::source_location::current());
/// torch.ones_like
Tensor ones_like(const Tensor& x, const LikeOptions& options = {},
                 std::source_location where = std::source_location::current());

/// 0, 1, ... below `end`; of integers int64, of floats the default dtype (torch.arange).
Tensor arange(Number end, const TensorOptions& options = {},
              std::source_location where = std::source_location::current());
/// start, start + step, ... up to but not including `end`. Throws ValueError for a step that does not lead
/// there.
Tensor arange(Number start, Number end, Number step = 1, const TensorOptions& options = {},
              std::source_location where = std::source_location::current());
/// [n, m] (m = n unless told) with ones on the diagonal (torch.eye).
Tensor eye(std::int64_t n, std::int64_t m, DType dtype, Device device,
           std::source_location where = std::source_location::current());
Tensor eye(std::int64_t n, const TensorOptions& options = {},
           std::source_location where = std::source_location::current());

/// A C++ type that tensors have elements of.
template <class T>
concept Element = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> || Arithmetic<T>;

namespace detail {
/// A CPU tensor with a copy of `bytes` bytes.
Tensor copy_of(const void* data, std::size_t bytes, const Shape& shape, DType dtype);
[[noreturn]] void throw_ragged(std::size_t expected, std::size_t got);

template <class T>
Tensor from_elements(const std::vector<T>& elements, const Shape& shape) {
    if constexpr (std::is_same_v<T, bool>) {
        const std::vector<std::uint8_t> bytes(elements.begin(), elements.end());
        return copy_of(bytes.data(), bytes.size(), shape, bool_);
    } else {
        return copy_of(elements.data(), elements.size() * sizeof(T), shape, dtype_of<T>());
    }
}

template <class T>
void gather_elements(std::vector<T>& out, Shape& shape, int level, const T& value) {
    static_cast<void>(shape);
    static_cast<void>(level);
    out.push_back(value);
}
template <class T, class Inner>
void gather_elements(std::vector<T>& out, Shape& shape, int level, std::initializer_list<Inner> list) {
    if (shape.size() == level) shape.push_back(static_cast<std::int64_t>(list.size()));
    const auto expected = static_cast<std::size_t>(shape[level]);
    if (list.size() != expected) throw_ragged(expected, list.size());
    for (const Inner& inner : list) gather_elements(out, shape, level + 1, inner);
}

template <class T, class List>
Tensor from_list(const List& list) {
    std::vector<T> elements;
    Shape shape;
    gather_elements(elements, shape, 0, list);
    return from_elements(elements, shape);
}
}  // namespace detail

/// A tensor of the numbers given, of their C++ type: `tensor({{1.f, 2.f}, {3.f, 4.f}})` is float32[2, 2]
/// (torch.tensor). Throws ShapeError where rows differ in length.
template <Element T>
Tensor tensor(T value) {
    return detail::from_elements<T>({value}, {});
}
template <Element T>
Tensor tensor(std::initializer_list<T> list) {
    return detail::from_list<T>(list);
}
template <Element T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> list) {
    return detail::from_list<T>(list);
}
template <Element T>
Tensor tensor(std::initializer_list<std::initializer_list<std::initializer_list<T>>> list) {
    return detail::from_list<T>(list);
}
template <Element T>
Tensor tensor(
    std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> list) {
    return detail::from_list<T>(list);
}
/// A vector's elements, copied: 1-dim, or of the shape given. Throws ShapeError for another number of
/// elements.
template <Element T>
Tensor tensor(const std::vector<T>& elements) {
    return detail::from_elements(elements, {static_cast<std::int64_t>(elements.size())});
}
template <Element T>
Tensor tensor(const std::vector<T>& elements, const Shape& shape) {
    if (numel_of(shape) != static_cast<std::int64_t>(elements.size())) {
        fail<ShapeError>("tensor", "expected " + std::to_string(numel_of(shape)) +
                                       " elements for the shape " + to_string(shape) + ", got " +
                                       std::to_string(elements.size()));
    }
    return detail::from_elements(elements, shape);
}
/// Elements copied into a 1-dim tensor, or one of the shape given.
template <class T>
    requires Element<std::remove_const_t<T>>
Tensor from_span(std::span<T> elements) {
    return detail::copy_of(elements.data(), elements.size_bytes(),
                           {static_cast<std::int64_t>(elements.size())}, dtype_of<std::remove_const_t<T>>());
}
template <class T>
    requires Element<std::remove_const_t<T>>
Tensor from_span(std::span<T> elements, const Shape& shape) {
    return tensor(std::vector<std::remove_const_t<T>>(elements.begin(), elements.end()), shape);
}

/// Memory that somebody else owns as a tensor, without a copy; `release` runs when the last tensor of it is
/// gone (torch.from_blob).
Tensor from_blob(void* data, const TensorSpec& spec, std::function<void()> release = {});

}  // namespace fulgurite
