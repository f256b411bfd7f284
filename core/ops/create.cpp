#include <fulgurite/core/ops/create.h>

#include <cmath>
#include <cstring>

#include <fulgurite/core/ops/promote.h>

namespace fulgurite {

namespace {
TensorOptions options_like(const Tensor& x, const LikeOptions& options) {
    return {.dtype = options.dtype.value_or(x.dtype()), .device = options.device.value_or(x.device())};
}

/// Bytes from the first element to past the last that the strides reach.
std::size_t extent_bytes(const TensorSpec& spec) {
    std::int64_t last = 0;
    for (int i = 0; i < spec.rank(); ++i) {
        if (spec.shape[i] == 0) return 0;
        last = checked_add(last, checked_mul(spec.shape[i] - 1, spec.strides[i]));
    }
    return static_cast<std::size_t>(checked_mul(last + 1, size_of(spec.dtype)));
}

std::int64_t count_between(const Number& start, const Number& end, const Number& step) {
    const bool is_floating = std::max({start.category(), end.category(), step.category()}) == Category::floating;
    const double span = is_floating ? (end.as_double() - start.as_double()) / step.as_double() : 0;
    const bool leads = step.as_double() != 0 && std::isfinite(span) &&
                       (end.as_double() - start.as_double()) * step.as_double() >= 0;
    if (!leads) {
        fail<ValueError>("arange", "expected a step that leads from start to end, got start " +
                                       std::to_string(start.as_double()) + ", end " + std::to_string(end.as_double()) +
                                       " and step " + std::to_string(step.as_double()));
    }
    if (is_floating) return static_cast<std::int64_t>(std::ceil(span));
    const std::int64_t by = step.as_int();
    return (end.as_int() - start.as_int() + by + (by > 0 ? -1 : 1)) / by;
}
}  // namespace

Tensor full(const Shape& shape, const Operand& value, const TensorOptions& options, std::source_location where) {
    const OpScope scope("full");
    const DType dtype = dtype_of_operand(value);
    const DType own = is_weak(value) && is_floating_point(dtype) ? default_dtype() : dtype;
    return detail::call_at(where, prims::full, shape, value, options.dtype.value_or(own), options.device);
}

Tensor zeros(const Shape& shape, const TensorOptions& options, std::source_location where) {
    const OpScope scope("zeros");
    return full(shape, 0.0, options, where);
}

Tensor ones(const Shape& shape, const TensorOptions& options, std::source_location where) {
    const OpScope scope("ones");
    return full(shape, 1.0, options, where);
}

Tensor empty(const Shape& shape, const TensorOptions& options, std::source_location where) {
    if (is_tracing()) return zeros(shape, options, where);
    const TensorSpec spec(shape, options.dtype.value_or(default_dtype()), options.device);
    return Tensor::concrete(spec, StoragePtr::adopt(Storage::allocate(extent_bytes(spec), spec.device)));
}

Tensor full_like(const Tensor& x, const Operand& value, const LikeOptions& options, std::source_location where) {
    return full(x.shape(), value, options_like(x, options), where);
}

Tensor zeros_like(const Tensor& x, const LikeOptions& options, std::source_location where) {
    return zeros(x.shape(), options_like(x, options), where);
}

Tensor ones_like(const Tensor& x, const LikeOptions& options, std::source_location where) {
    return ones(x.shape(), options_like(x, options), where);
}

Tensor arange(Number end, const TensorOptions& options, std::source_location where) {
    const Number zero = end.category() == Category::floating ? Number(0.0) : Number(0);
    return arange(zero, end, Number(1), options, where);
}

Tensor arange(Number start, Number end, Number step, const TensorOptions& options, std::source_location where) {
    const LocationScope location(where);
    const OpScope scope("arange");
    const std::int64_t count = count_between(start, end, step);
    const Category category = std::max({start.category(), end.category(), step.category()});
    const DType own = category == Category::floating ? default_dtype() : int64;
    return prims::iota(count, start, step, options.dtype.value_or(own), options.device);
}

Tensor eye(std::int64_t n, std::int64_t m, DType dtype, Device device, std::source_location where) {
    return detail::call_at(where, ops::eye, n, m, dtype, device);
}

Tensor eye(std::int64_t n, const TensorOptions& options, std::source_location where) {
    return eye(n, n, options.dtype.value_or(default_dtype()), options.device, where);
}

Tensor decompose::eye(const std::int64_t& n, const std::int64_t& m, const DType& dtype, const Device& device) {
    const auto numbers = [&device](std::int64_t count) { return prims::iota(count, 0, 1, int64, device); };
    const Tensor rows = expanded(reshaped(numbers(n), {n, 1}), {n, m});
    return converted(prims::eq(rows, expanded(numbers(m), {n, m})), dtype);
}

namespace detail {
Tensor copy_of(const void* data, std::size_t bytes, const Shape& shape, DType dtype) {
    const TensorSpec spec(shape, dtype);
    auto storage = StoragePtr::adopt(Storage::allocate(bytes, cpu));
    if (bytes > 0) std::memcpy(storage->data(), data, bytes);
    return Tensor::concrete(spec, std::move(storage));
}

void throw_ragged(std::size_t expected, std::size_t got) {
    fail<ShapeError>("tensor", "expected rows of one length, got " + std::to_string(expected) + " and " +
                                   std::to_string(got));
}
}  // namespace detail

Tensor from_blob(void* data, const TensorSpec& spec, std::function<void()> release) {
    return Tensor::concrete(
        spec, StoragePtr::adopt(Storage::wrap(data, extent_bytes(spec), spec.device, std::move(release))));
}

}  // namespace fulgurite
