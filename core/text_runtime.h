#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

#include <fulgurite/core/op.h>
#include <fulgurite/core/text.h>
#include <fulgurite/core/tracing.h>

/// What makes the text of a trace compile as the body of a C++ function that returns std::vector<Tensor>:
///
///     std::vector<Tensor> printed() {
///         using namespace fulgurite;
///         using namespace fulgurite::text;
///         auto x = input(float32, {2, 3}, {3, 1}, cpu);
///         ...
///         return output(t0);
///     }
///     const text::Feed feed({x}, {});
///     std::vector<Tensor> results = printed();
namespace fulgurite::text {

/// RAII: the tensors that input() and capture() take on this thread, in order. Feeds nest; the innermost
/// counts.
class Feed {
public:
    explicit Feed(std::vector<Tensor> inputs, std::vector<Tensor> captures = {});
    ~Feed();
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

private:
    friend Tensor take(bool capture, const TensorSpec& spec);
    std::vector<Tensor> inputs_, captures_;
    std::size_t next_input_ = 0, next_capture_ = 0;
    Feed* outer_;
};

/// An undefined tensor or an empty optional.
struct None {
    operator Tensor() const { return {}; }
    template <class T>
    operator std::optional<T>() const {
        return std::nullopt;
    }
};
inline constexpr None none{};

/// Marks a run-time number.
struct Weak {};
inline constexpr Weak weak{};

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr double from_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// The next tensor of the feed. Throws ValueError where there is none, or one of another dtype, shape, device
/// or strides.
Tensor input(DType dtype, const Shape& shape, const Strides& strides, Device device);
Tensor input(DType dtype, const Shape& shape, const Strides& strides, Device device, Weak);
Tensor capture(DType dtype, const Shape& shape, const Strides& strides, Device device);
Tensor capture(DType dtype, const Shape& shape, const Strides& strides, Device device, Weak);
/// Throws ValueError unless the parameter of a region is so.
void expect(const Tensor& tensor, DType dtype, const Shape& shape, const Strides& strides, Device device);
void expect(const Tensor& tensor, DType dtype, const Shape& shape, const Strides& strides, Device device,
            Weak);

/// An output and what is said of its storage.
inline Tensor shares(const Tensor& tensor, std::int64_t) { return tensor; }
inline Tensor shares(const Tensor& tensor, const Tensor&) { return tensor; }
/// A copy.
Tensor fresh(const Tensor& tensor);

template <class... T>
std::vector<Tensor> output(const T&... tensors) {
    return {static_cast<Tensor>(tensors)...};
}

/// Calls `f` under no_grad.
template <class F>
auto no_grad(F&& f) {
    const NoGradGuard guard;
    return f();
}

namespace detail {
/// Throws ValueError for another number of results than the text binds.
void require_results(std::size_t expected, std::size_t got);

template <std::size_t n>
auto bind(const std::vector<Tensor>& tensors) {
    require_results(n, tensors.size());
    std::array<Tensor, n> out;
    for (std::size_t i = 0; i < n; ++i) out[i] = tensors[i];
    return out;
}

/// One argument of call<n>, flattened.
struct Packed {
    Flat flat;
};
void append(Flat& out, const Packed& value);
void append(Flat& out, const char* value);
void append(Flat& out, None);
template <class T>
void append(Flat& out, const T& value) {
    append(out, Packed{tree_flatten(value)});
}

std::vector<Tensor> run(std::string_view name, Flat arguments);
}  // namespace detail

/// The n tensors of any result.
template <std::size_t n, class T>
auto unpack(const T& result) {
    return detail::bind<n>(tree_flatten(result).tensors);
}

/// Several arguments as one element of a list.
template <class... T>
detail::Packed item(const T&... parts) {
    detail::Packed packed;
    (detail::append(packed.flat, parts), ...);
    return packed;
}
/// A list or map as an argument of call<n>.
template <class... T>
detail::Packed list(const T&... elements) {
    detail::Packed packed;
    packed.flat.statics.atoms.push_back(Atom::begin(sizeof...(elements)));
    (detail::append(packed.flat, elements), ...);
    return packed;
}

namespace detail {
template <std::size_t n>
auto results(const std::vector<Tensor>& tensors) {
    if constexpr (n == 1)
        return bind<1>(tensors)[0];
    else if constexpr (n > 1)
        return bind<n>(tensors);
}
}  // namespace detail

/// Calls the operator "executor::name", found as parse finds it: one tensor for n = 1, else an array.
template <std::size_t n, class... T>
auto call(std::string_view name, const T&... arguments) {
    return detail::results<n>(detail::run(name, item(arguments...).flat));
}

/// The lambdas of an op with regions; only the first, which computes the results, runs.
template <class F>
struct Regions {
    F first;
};
template <class F, class... Rest>
Regions<F> regions(F first, const Rest&...) {
    return {std::move(first)};
}

namespace detail {
/// Calls `f` with as many of the tensors as it has parameters.
template <class F, class... T>
std::vector<Tensor> apply(const F& f, const std::vector<Tensor>& tensors, const T&... taken) {
    if constexpr (std::is_invocable_v<const F&, const T&...>)
        return f(taken...);
    else
        return apply(f, tensors, taken..., tensors.at(sizeof...(taken)));
}
}  // namespace detail

/// An op with regions.
template <std::size_t n, class F, class... T>
auto call(std::string_view, const Regions<F>& regions, const T&... arguments) {
    return detail::results<n>(detail::apply(regions.first, item(arguments...).flat.tensors));
}

/// A fused region: its body, as it is.
template <std::size_t n, class F>
auto call(std::string_view, std::initializer_list<Tensor>, F&& body) {
    return detail::results<n>(body());
}

}  // namespace fulgurite::text
