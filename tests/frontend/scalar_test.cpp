#include <cmath>
#include <limits>

#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Scalar;
using fg::Tensor;

TEST_CASE("another value of a Scalar is another run of the same program") {
    auto f = fg::jit([](Tensor x, Scalar<double> by) { return x * by + by; });
    CHECK(values(f(fg::tensor({1.0, 2.0}), 3)) == List{6, 9});
    CHECK(values(f(fg::tensor({1.0, 2.0}), 0.5)) == List{1, 1.5});
    CHECK(values(f(fg::tensor({1.0, 2.0}), Scalar<double>(-1.0))) == List{-2, -3});
    CHECK(fg::cache_misses(f) == 1);
    CHECK(fg::cache_hits(f) == 2);
}

TEST_CASE("a Scalar is weak: the tensor decides the dtype") {
    auto f = fg::jit([](Tensor x, Scalar<double> a, Scalar<int> b, Scalar<bool> c) {
        return std::tuple(x * a, x * b, x * c, a * b);
    });
    const auto [a, b, c, number] = f(fg::tensor({2.0f}), 1.5, 3, true);
    CHECK(a.dtype() == fg::float32);
    CHECK(b.dtype() == fg::float32);
    CHECK(c.dtype() == fg::float32);
    CHECK(values(a) == List{3});
    CHECK(values(b) == List{6});
    CHECK(values(c) == List{2});
    CHECK(number.item<double>() == 4.5);
    const auto [of_int, b2, c2, number2] = f(fg::tensor({2}), 1.5, 3, true);
    CHECK(is_floating_point(of_int.dtype()));
    CHECK(b2.dtype() == fg::int32);
}

TEST_CASE("a Scalar in a tree, a list or an optional is an input like a tensor") {
    struct Settings {
        Scalar<float> rate = 0.1f;
        std::vector<Scalar<int>> counts;
        std::optional<Scalar<double>> decay;
    };
    auto f = fg::jit([](const Settings& s, Tensor x) {
        Tensor y = x * s.rate;
        for (const auto& count : s.counts) y = y + count;
        return s.decay ? y * *s.decay : y;
    });
    CHECK(values(f({0.5f, {1, 2}, {}}, fg::tensor({2.0}))) == List{4});
    CHECK(values(f({1.0f, {3, 4}, {}}, fg::tensor({2.0}))) == List{9});
    CHECK(fg::cache_misses(f) == 1);
    CHECK(values(f({1.0f, {3, 4}, 2.0}, fg::tensor({2.0}))) == List{18});
    CHECK(values(f({1.0f, {3}, 2.0}, fg::tensor({2.0}))) == List{10});
    CHECK(fg::cache_misses(f) == 3);
    CHECK_THAT(fg::to_string(fg::last_traces(f).front()), ContainsSubstring("arg0.rate"));
}

TEST_CASE("reading value() while tracing guards the program") {
    auto f = fg::jit([](Tensor x, Scalar<int> n, Scalar<double> by) {
        for (int i = 0; i < n.value(); ++i) x = x * by;
        return x;
    });
    CHECK(values(f(fg::tensor({1.0}), 2, 3.0)) == List{9});
    CHECK(values(f(fg::tensor({1.0}), 3, 3.0)) == List{27});
    CHECK(fg::cache_misses(f) == 2);
    CHECK(values(f(fg::tensor({1.0}), 2, 3.0)) == List{9});
    CHECK(values(f(fg::tensor({1.0}), 3, 3.0)) == List{27});
    CHECK(fg::cache_misses(f) == 2);
    CHECK_THAT(fg::explain(f), ContainsSubstring("guarded by its Scalars"));
}

TEST_CASE("outside of a trace a Scalar is its number") {
    const Scalar<double> x = 2.5;
    CHECK(x.value() == 2.5);
    CHECK(static_cast<bool>(x));
    CHECK_FALSE(static_cast<bool>(Scalar<int>(0)));
    CHECK(values(fg::tensor({2.0}) * x) == List{5});
    CHECK(Scalar<double>(fg::tensor(1.5)).value() == 1.5);
}

TEST_CASE("a traced Scalar has no bool, and one computed in the trace no value") {
    auto branch = fg::jit([](Tensor x, Scalar<double> s) { return s ? x : -x; });
    CHECK_THAT(thrown<fg::TraceError>([&] { branch(fg::tensor({1.0}), 1.0); }),
               ContainsSubstring("no bool") && ContainsSubstring("where("));
    auto computed = fg::jit([](Tensor x, Scalar<double> s) {
        const Scalar<double> twice = s * 2;
        return x * twice.value();
    });
    CHECK_THAT(thrown<fg::TraceError>([&] { computed(fg::tensor({1.0}), 1.0); }),
               ContainsSubstring("computed from it") && ContainsSubstring("scalar_test.cpp"));
}

TEST_CASE("a Scalar parameter by reference is rebound to what was computed") {
    auto f = fg::jit([](Scalar<std::int64_t>& step, Scalar<double>& rate, Tensor x) {
        step = step + 1;
        rate = rate * 0.5;
        return x * step;
    });
    Scalar<std::int64_t> step = 0;
    Scalar<double> rate = 8.0;
    for (int i = 0; i < 3; ++i) f(step, rate, fg::tensor({1.0}));
    CHECK(step.value() == 3);
    CHECK(rate.value() == 1);
    CHECK(values(f(step, rate, fg::tensor({1.0}))) == List{4});
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("a Scalar may not be rebound to a plain number while tracing") {
    auto f = fg::jit([](Scalar<double>& s, Tensor x) {
        s = 2.0;
        return x;
    });
    Scalar<double> s = 1.0;
    CHECK_THROWS_AS(f(s, fg::tensor({1.0})), fg::TraceError);
    CHECK(s.value() == 1.0);
}

TEST_CASE("infinities, NaN and large integers pass through a Scalar") {
    auto f = fg::jit([](Tensor x, Scalar<double> s) { return x * s; });
    CHECK(values(f(fg::tensor({2.0}), std::numeric_limits<double>::infinity()))[0] ==
          std::numeric_limits<double>::infinity());
    CHECK(std::isnan(values(f(fg::tensor({2.0}), std::nan("")))[0]));
    auto g = fg::jit([](Tensor x, Scalar<std::int64_t> s) { return x + s; });
    const std::int64_t large = (std::int64_t{1} << 53) + 1;
    CHECK(g(fg::tensor(std::int64_t{0}), large).item<std::int64_t>() == large);
}
