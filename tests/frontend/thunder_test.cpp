#include <cmath>
#include <limits>

#include <fulgurite/runtime/compile.h>
#include <fulgurite/tests/support/tensors.h>

// What went wrong in Lightning Thunder once (issue numbers are those of its tracker), and must go right here.

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {
fg::DType dtype_of(const fg::Tensor& x) { return x.dtype(); }

Tensor zeros(const fg::Shape& shape, fg::DType dtype) { return fg::zeros(shape, {.dtype = dtype}); }

/// The bytes that a program keeps for its intermediates.
std::int64_t arena_of(const auto& f, const auto&... specs) {
    const fg::Trace trace = fg::trace(f, specs...);
    return fg::compile(trace, {}, fg::compile_context()).program->arena_bytes();
}
}  // namespace

TEST_CASE("bfloat16 rotary embedding rounds jitted as eagerly (#1889)", "[thunder]") {
    const auto rotate = [](Tensor cos, Tensor sin, Tensor a, Tensor b) { return cos * a + (-b) * sin; };
    const auto wave = [](double from) {
        return fg::sin(fg::arange(64, {.dtype = fg::float32}) * 0.37 + from).to(fg::bfloat16);
    };
    auto jitted = fg::jit(rotate);
    const Tensor eager = rotate(wave(0), wave(1), wave(2), wave(3));
    CHECK(eager.dtype() == fg::bfloat16);
    CHECK(values(jitted(wave(0), wave(1), wave(2), wave(3))) == values(eager));
}

TEST_CASE("the gradients of sigmoid and silu far out are 0, not NaN (#1892)", "[thunder]") {
    const Tensor far = fg::tensor({-100.0f, -1000.0f, 100.0f, -std::numeric_limits<float>::max()});
    auto sigmoid = fg::jit(fg::grad([](Tensor x) { return fg::sum(fg::sigmoid(x)); }));
    CHECK(values(sigmoid(far)) == List{0, 0, 0, 0});
    auto silu = fg::jit(fg::grad([](Tensor x) { return fg::sum(fg::silu(x)); }));
    CHECK(values(silu(far)) == List{0, 0, 1, 0});
}

TEST_CASE("types are promoted as in PyTorch (#1239, #1970, #1723, #818, #812, #2341)", "[thunder]") {
    const Tensor f32 = zeros({3}, fg::float32), f64_number = zeros({}, fg::float64);
    CHECK(dtype_of(f32 / f64_number) == fg::float32);
    CHECK(dtype_of(fg::maximum(zeros({}, fg::float32), zeros({1, 10}, fg::bfloat16))) == fg::bfloat16);
    CHECK(dtype_of(fg::where(f32 == 0, -0.0, 0.0)) == fg::float32);
    CHECK(std::signbit(fg::where(fg::tensor({true}), -0.0, 0.0).item<float>()));
    const Tensor seven = fg::tensor({std::int64_t{-7}}), two = fg::tensor({std::int64_t{2}});
    CHECK(fg::prims::div(seven, two).item<std::int64_t>() == -3);
    CHECK(dtype_of(seven / two) == fg::float32);
    CHECK((seven / two).item<float>() == -3.5f);
    CHECK(fg::floor_divide(seven, two).item<std::int64_t>() == -4);
    CHECK(dtype_of(fg::cat({zeros({1}, fg::bfloat16), zeros({1}, fg::float16)}, 0)) == fg::float32);
}

TEST_CASE("what no_grad computed is a constant of what follows (#1423)", "[thunder]") {
    const auto f = [](Tensor x, Tensor y) {
        Tensor constant;
        {
            const fg::NoGradGuard guard;
            constant = x * 1;
        }
        return fg::sum(constant + y);
    };
    auto gradient = fg::jit(fg::grad<0, 1>(f));
    const auto [dx, dy] = gradient(fg::tensor({1.0, 2.0}), fg::tensor({3.0, 4.0}));
    CHECK(values(dx) == List{0, 0});
    CHECK(values(dy) == List{1, 1});
}

TEST_CASE("a broadcast shape is another signature, and a dtype argument is part of it (#1525, #406)",
          "[thunder]") {
    auto f = fg::jit([](Tensor x, Tensor y) { return x + y; });
    CHECK(f(fg::ones({2, 2}), fg::ones({1})).shape() == fg::Shape({2, 2}));
    CHECK(f(fg::ones({2, 1}), fg::ones({8})).shape() == fg::Shape({2, 8}));
    CHECK(fg::cache_misses(f) == 2);
    auto convert = fg::jit([](Tensor x, fg::DType dtype) { return x.to(dtype); });
    CHECK(dtype_of(convert(fg::ones({2}), fg::float64)) == fg::float64);
    CHECK(dtype_of(convert(fg::ones({2}), fg::int32)) == fg::int32);
    CHECK(fg::cache_misses(convert) == 2);
}

TEST_CASE("a chain of relu and matmul keeps two activations alive (#1337)", "[thunder]") {
    constexpr std::int64_t n = 64, bytes = n * n * 4;
    const auto chain = [](Tensor x, Tensor w) {
        for (int i = 0; i < 10; ++i) x = fg::matmul(fg::relu(x), w);
        return x;
    };
    const fg::TensorSpec square({n, n});
    CHECK(arena_of(chain, square, square) <= 2 * bytes);
    CHECK(arena_of(chain, square, square) >= bytes);
}
