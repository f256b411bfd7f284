#include <fulgurite/tests/samples/values.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include <fulgurite/core/ops/create.h>
#include <fulgurite/core/ops/layout.h>

namespace fulgurite::tests {

namespace {
template <class F>
decltype(auto) with_element_type(DType dtype, const F& f) {
    switch (dtype) {
        case DType::bool_:
            return f(bool{});
        case DType::uint8:
            return f(std::uint8_t{});
        case DType::int8:
            return f(std::int8_t{});
        case DType::int16:
            return f(std::int16_t{});
        case DType::int32:
            return f(std::int32_t{});
        case DType::int64:
            return f(std::int64_t{});
        case DType::float16:
            return f(Half{});
        case DType::bfloat16:
            return f(BFloat16{});
        case DType::float32:
            return f(float{});
        case DType::float64:
            return f(double{});
    }
    throw std::logic_error("no such dtype");
}

template <class T>
T element_from(double value) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        return T(static_cast<float>(value));
    else
        return static_cast<T>(value);
}

/// Calls f(place in row-major order, place in memory) for each element.
template <class F>
void for_each_element(const Shape& shape, const Strides& strides, const F& f) {
    const std::int64_t count = numel_of(shape);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i, place = 0;
        for (int d = shape.size(); d-- > 0;) {
            place += rest % shape[d] * strides[d];
            rest /= shape[d];
        }
        f(i, place);
    }
}

Tensor allocated(const TensorSpec& spec, std::int64_t elements, std::int64_t offset) {
    const auto bytes = static_cast<std::size_t>(elements * size_of(spec.dtype));
    auto storage = StoragePtr::adopt(Storage::allocate(bytes, cpu));
    // What lies between the elements must not matter.
    if (bytes > 0) std::memset(storage->data(), spec.dtype == bool_ ? 1 : 0x7f, bytes);
    return Tensor::concrete(spec, std::move(storage), offset);
}

double value_in(Range range, std::int64_t k) {
    const auto odd = static_cast<double>(2 * k + 1);  // 1 to 255
    switch (range) {
        case Range::any:
            return (odd - 128) / 32;
        case Range::positive:
            return odd / 64;
        case Range::small:
            return (odd - 128) / 128;
        case Range::away:
            return (odd - 128 + (odd < 128 ? -16 : 16)) / 32;
        case Range::even:
            return (odd - 128 + (odd < 128 ? -17 : 17)) / 32;
    }
    return 0;
}
}  // namespace

Tensor values(DType dtype, const Shape& shape, std::uint32_t seed, Range range) {
    const auto count = static_cast<std::size_t>(numel_of(shape));
    std::vector<double> elements(count);
    const std::int64_t step =
        2 * static_cast<std::int64_t>(seed % 29) + 41;  // odd: all 128 values before one repeats
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t k =
            (static_cast<std::int64_t>(i) * step + 37 * static_cast<std::int64_t>(seed)) % 128;
        if (is_floating_point(dtype))
            elements[i] = value_in(range, k);
        else if (dtype == bool_)
            elements[i] = (k / 7) % 2 ? 1 : 0;
        else
            elements[i] = static_cast<double>(k % 11 - (dtype == uint8 || range == Range::positive ? 0 : 5));
        if (range >= Range::away && !is_floating_point(dtype) && dtype != bool_ && elements[i] == 0)
            elements[i] = 3;
    }
    return numbers(dtype, shape, elements);
}

Tensor numbers(DType dtype, const Shape& shape, const std::vector<double>& elements) {
    const Tensor out = allocated(TensorSpec(shape, dtype), static_cast<std::int64_t>(elements.size()), 0);
    with_element_type(dtype, [&](auto type) {
        using T = decltype(type);
        auto* data = static_cast<T*>(out.data());
        for (std::size_t i = 0; i < elements.size(); ++i) data[i] = element_from<T>(elements[i]);
    });
    return out;
}

Tensor edge_numbers(DType dtype) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return numbers(dtype, {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 80.0, -80.0, 30000.0, -30000.0, 1e-4, inf, -inf,
                           std::numeric_limits<double>::quiet_NaN()});
}

std::vector<double> elements_of(const Tensor& tensor) {
    std::vector<double> out(static_cast<std::size_t>(tensor.numel()));
    with_element_type(tensor.dtype(), [&](auto type) {
        const auto* data = static_cast<const decltype(type)*>(tensor.data());
        for_each_element(tensor.shape(), tensor.strides(), [&](std::int64_t i, std::int64_t place) {
            out[static_cast<std::size_t>(i)] = static_cast<double>(data[place]);
        });
    });
    return out;
}

std::string bytes_of(const Tensor& tensor) {
    const auto size = static_cast<std::size_t>(size_of(tensor.dtype()));
    std::string out(static_cast<std::size_t>(tensor.numel()) * size, '\0');
    const auto* data = static_cast<const char*>(tensor.data());
    for_each_element(tensor.shape(), tensor.strides(), [&](std::int64_t i, std::int64_t place) {
        std::memcpy(out.data() + static_cast<std::size_t>(i) * size,
                    data + place * static_cast<std::int64_t>(size), size);
    });
    return out;
}

Tensor cast(const Tensor& x, DType dtype) { return numbers(dtype, x.shape(), elements_of(x)); }

Tensor laid_out(const Tensor& x, const Strides& strides, std::int64_t offset) {
    std::int64_t end = offset;
    for (int d = 0; d < x.dim(); ++d) end += std::max<std::int64_t>(x.shape()[d] - 1, 0) * strides[d];
    const TensorSpec spec(x.shape(), x.dtype(), cpu, strides);
    const Tensor out = allocated(spec, x.numel() == 0 ? offset : end + 1, offset);
    const std::string bytes = bytes_of(x);
    const auto size = static_cast<std::size_t>(size_of(x.dtype()));
    auto* data = static_cast<char*>(out.data());
    const std::int64_t count = x.numel();
    std::vector<bool> written(static_cast<std::size_t>(end - offset + 1));
    for_each_element(x.shape(), strides, [&](std::int64_t i, std::int64_t place) {
        if (count == 0 || written[static_cast<std::size_t>(place)]) return;
        written[static_cast<std::size_t>(place)] = true;
        std::memcpy(data + place * static_cast<std::int64_t>(size),
                    bytes.data() + static_cast<std::size_t>(i) * size, size);
    });
    return out;
}

std::string_view name_of(Layout layout) {
    switch (layout) {
        case Layout::reversed:
            return "reversed";
        case Layout::stepped:
            return "stepped";
        case Layout::expanded:
            return "expanded";
    }
    return "?";
}

Tensor with_layout(const Tensor& x, Layout layout) {
    Strides strides = Strides::filled(x.dim(), 1);
    switch (layout) {
        case Layout::reversed:
            for (int d = 1; d < x.dim(); ++d)
                strides[d] = strides[d - 1] * std::max<std::int64_t>(x.shape()[d - 1], 1);
            return laid_out(x, strides);
        case Layout::stepped:
            strides = contiguous_strides(x.shape());
            for (std::int64_t& stride : strides) stride *= 2;
            return laid_out(x, strides, 3);
        case Layout::expanded:
            strides = contiguous_strides(x.shape());
            if (x.dim() > 0) strides[0] = 0;
            return laid_out(x, strides, 1);
    }
    return x;
}

Tolerance tolerance_of(DType dtype) {
    switch (dtype) {
        case DType::float16:
            return {2e-3, 2e-3};
        case DType::bfloat16:
            return {1.6e-2, 1.6e-2};
        case DType::float32:
            return {1e-5, 2e-6};
        case DType::float64:
            return {1e-12, 1e-13};
        default:
            return {};
    }
}

std::string difference(const Tensor& got, const Tensor& expected, Tolerance tolerance) {
    if (got.shape() != expected.shape()) {
        return "shape: got " + to_string(got.spec()) + ", expected " + to_string(expected.spec());
    }
    const std::vector<double> a = elements_of(got), b = elements_of(expected);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
        if (std::isfinite(b[i]) &&
            std::abs(a[i] - b[i]) <= tolerance.absolute + tolerance.relative * std::abs(b[i]))
            continue;
        std::ostringstream text;
        text.precision(17);
        text << "element " << i << " of " << to_string(got.spec()) << ": got " << a[i] << ", expected "
             << b[i];
        return text.str();
    }
    return {};
}

std::string bitwise_difference(const Tensor& got, const Tensor& expected) {
    const TensorSpec& a = got.spec();
    const TensorSpec& b = expected.spec();
    const bool alike = a.shape == b.shape && a.dtype == b.dtype && a.device == b.device && a.weak == b.weak;
    if (!alike) return "metadata: got " + to_string(a) + ", expected " + to_string(b);
    if (got.numel() > 0 && !same_layout(a.shape, a.strides, b.strides)) {
        return "strides: got " + to_string(a.strides) + ", expected " + to_string(b.strides) + " for " +
               to_string(b.shape);
    }
    if (bytes_of(got) == bytes_of(expected)) return {};
    const std::string text = difference(got, expected, {});
    return text.empty() ? "the bits of " + to_string(a) + " differ in zeros or NaNs" : text;
}

}  // namespace fulgurite::tests
