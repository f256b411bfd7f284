#include <fulgurite/executors/reference/pointwise.h>

#include <cmath>
#include <limits>

#include <fulgurite/core/errors.h>
#include <fulgurite/executors/reference/data.h>
#include <fulgurite/runtime/thread_pool.h>
#include <fulgurite/tests/reference/sample.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using namespace fulgurite::tests;
namespace ref = fulgurite::reference;

namespace {

struct UnaryCase {
    const char* name;
    ref::UnaryOp op;
    std::function<double(double)> exact;
    bool integers, boolean = false;
};

const UnaryCase unary_cases[] = {
    {"neg", ref::UnaryOp::neg, [](double x) { return -x; }, true},
    {"abs", ref::UnaryOp::abs, [](double x) { return std::abs(x); }, true},
    {"sign", ref::UnaryOp::sign, [](double x) { return double((x > 0) - (x < 0)); }, true},
    {"floor", ref::UnaryOp::floor, [](double x) { return std::floor(x); }, true},
    {"ceil", ref::UnaryOp::ceil, [](double x) { return std::ceil(x); }, true},
    {"trunc", ref::UnaryOp::trunc, [](double x) { return std::trunc(x); }, true},
    {"round", ref::UnaryOp::round, [](double x) { return std::nearbyint(x); }, true},
    {"exp", ref::UnaryOp::exp, [](double x) { return std::exp(x); }, false},
    {"expm1", ref::UnaryOp::expm1, [](double x) { return std::expm1(x); }, false},
    {"log", ref::UnaryOp::log, [](double x) { return std::log(x); }, false},
    {"log1p", ref::UnaryOp::log1p, [](double x) { return std::log1p(x); }, false},
    {"sin", ref::UnaryOp::sin, [](double x) { return std::sin(x); }, false},
    {"cos", ref::UnaryOp::cos, [](double x) { return std::cos(x); }, false},
    {"tan", ref::UnaryOp::tan, [](double x) { return std::tan(x); }, false},
    {"tanh", ref::UnaryOp::tanh, [](double x) { return std::tanh(x); }, false},
    {"sqrt", ref::UnaryOp::sqrt, [](double x) { return std::sqrt(x); }, false},
    {"rsqrt", ref::UnaryOp::rsqrt, [](double x) { return 1 / std::sqrt(x); }, false},
    {"reciprocal", ref::UnaryOp::reciprocal, [](double x) { return 1 / x; }, false},
    {"erf", ref::UnaryOp::erf, [](double x) { return std::erf(x); }, false},
    {"logical_not", ref::UnaryOp::logical_not, [](double x) { return double(x == 0); }, true, true},
    {"isnan", ref::UnaryOp::isnan, [](double x) { return double(std::isnan(x)); }, true, true},
    {"isfinite", ref::UnaryOp::isfinite, [](double x) { return double(std::isfinite(x)); }, true, true},
};

struct BinaryCase {
    const char* name;
    ref::BinaryOp op;
    std::function<double(double, double)> exact;
    bool boolean = false, nonzero = false;
};

double python_remainder(double x, double y) { return x - std::floor(x / y) * y; }

const BinaryCase binary_cases[] = {
    {"add", ref::BinaryOp::add, [](double x, double y) { return x + y; }},
    {"sub", ref::BinaryOp::sub, [](double x, double y) { return x - y; }},
    {"mul", ref::BinaryOp::mul, [](double x, double y) { return x * y; }},
    {"div", ref::BinaryOp::div, [](double x, double y) { return x / y; }, false, true},
    {"maximum", ref::BinaryOp::maximum, [](double x, double y) { return std::max(x, y); }},
    {"minimum", ref::BinaryOp::minimum, [](double x, double y) { return std::min(x, y); }},
    {"remainder", ref::BinaryOp::remainder, python_remainder, false, true},
    {"fmod", ref::BinaryOp::fmod, [](double x, double y) { return std::fmod(x, y); }, false, true},
    {"eq", ref::BinaryOp::eq, [](double x, double y) { return double(x == y); }, true},
    {"ne", ref::BinaryOp::ne, [](double x, double y) { return double(x != y); }, true},
    {"lt", ref::BinaryOp::lt, [](double x, double y) { return double(x < y); }, true},
    {"le", ref::BinaryOp::le, [](double x, double y) { return double(x <= y); }, true},
    {"gt", ref::BinaryOp::gt, [](double x, double y) { return double(x > y); }, true},
    {"ge", ref::BinaryOp::ge, [](double x, double y) { return double(x >= y); }, true},
    {"logical_and", ref::BinaryOp::logical_and, [](double x, double y) { return double(x && y); }, true},
    {"logical_or", ref::BinaryOp::logical_or, [](double x, double y) { return double(x || y); }, true},
    {"logical_xor", ref::BinaryOp::logical_xor, [](double x, double y) { return double(!x != !y); }, true},
};

/// Whole results of integers; wraps like the dtype.
double expected_of(DType dtype, double exact) {
    if (is_floating_point(dtype)) {
        return rounded(dtype, exact);
    }
    return rounded(dtype, static_cast<double>(static_cast<std::int64_t>(exact)));
}

const Shape shapes[] = {{}, {1}, {0}, {3, 0, 2}, {2, 2}, {3, 5}, {2, 3, 4}, {2, 1, 3, 2}, {3, 700}, {2000}};

}  // namespace

TEST_CASE("unary prims over all dtypes and layouts", "[pointwise]") {
    std::mt19937 random(1);
    for (const UnaryCase& test : unary_cases) {
        for (const DType dtype : all_dtypes) {
            if (!test.integers && !is_floating_point(dtype)) {
                continue;
            }
            for (const Shape& shape : shapes) {
                for (const Layout layout : input_layouts) {
                    Sample x(dtype, shape, layout), out(test.boolean ? bool_ : dtype, shape, Layout::padded);
                    x.fill_random(random);
                    ref::unary(test.op, out.view(), x.view());
                    const double ulps = dtype == float32 ? 2 : dtype == float64 ? 1 : 0;
                    for (std::int64_t i = 0; i < x.count(); ++i) {
                        const double expected = expected_of(out.dtype(), test.exact(x[i]));
                        if (!close(out.dtype(), out[i], expected, ulps)) {
                            FAIL(test.name << " " << describe(dtype, shape, int(layout)) << " of " << x[i]
                                           << " is " << out[i] << ", not " << expected);
                        }
                    }
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("binary prims over all dtypes and layouts", "[pointwise]") {
    std::mt19937 random(2);
    for (const BinaryCase& test : binary_cases) {
        for (const DType dtype : all_dtypes) {
            for (const Shape& shape : shapes) {
                for (const Layout layout : input_layouts) {
                    const Shape& other = random() % 3 ? shape : shapes[0];
                    Sample x(dtype, shape, layout), y(dtype, other, input_layouts[random() % 5]);
                    Sample out(test.boolean ? bool_ : dtype, shape,
                               random() % 2 ? Layout::contiguous : Layout::padded);
                    x.fill_random(random);
                    y.fill_random(random, test.nonzero);
                    ref::binary(test.op, out.view(), x.view(), y.view());
                    for (std::int64_t i = 0; i < x.count(); ++i) {
                        const double right = y[other.empty() ? 0 : i];
                        const double expected = expected_of(out.dtype(), test.exact(x[i], right));
                        if (!close(out.dtype(), out[i], expected)) {
                            FAIL(test.name << " " << describe(dtype, shape, int(layout)) << " of " << x[i]
                                           << " and " << right << " is " << out[i] << ", not " << expected);
                        }
                    }
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("bitwise prims take integers and bool", "[pointwise]") {
    Sample x(int16, {4}), y(int16, {4}), out(int16, {4});
    x.fill([](std::int64_t i) { return double(5 * i - 7); });
    y.fill([](std::int64_t i) { return double(3 - i); });
    const auto check = [&](auto exact) {
        for (std::int64_t i = 0; i < 4; ++i) {
            CHECK(out[i] == exact(int(x[i]), int(y[i])));
        }
    };
    ref::bitwise_and(out.view(), x.view(), y.view());
    check([](int a, int b) { return a & b; });
    ref::bitwise_or(out.view(), x.view(), y.view());
    check([](int a, int b) { return a | b; });
    ref::bitwise_xor(out.view(), x.view(), y.view());
    check([](int a, int b) { return a ^ b; });
    ref::bitwise_not(out.view(), x.view());
    check([](int a, int) { return ~a; });
    Sample b(bool_, {2}), c(bool_, {2});
    b.set(1, 1);
    ref::bitwise_not(c.view(), b.view());
    CHECK(c[0] == 1);
    CHECK(c[1] == 0);
    Sample f(float32, {4});
    CHECK_THROWS_AS(ref::bitwise_not(f.view(), f.view()), DTypeError);
    CHECK_THROWS_AS(ref::exp(out.view(), x.view()), DTypeError);
    CHECK_THROWS_AS(ref::eq(out.view(), x.view(), y.view()), DTypeError);
}

TEST_CASE("integers wrap and do not divide by zero", "[pointwise]") {
    Sample x(int64, {2}), y(int64, {2}), out(int64, {2});
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    x.view().as<std::int64_t>()[0] = least;
    y.set(0, -1);
    y.set(1, 3);
    ref::div(out.view(), x.view(), y.view());
    CHECK(out.view().as<std::int64_t>()[0] == least);
    ref::remainder(out.view(), x.view(), y.view());
    CHECK(out[0] == 0);
    ref::sub(out.view(), x.view(), y.view());
    CHECK(out.view().as<std::int64_t>()[0] == least + 1);
    ref::neg(out.view(), x.view());
    CHECK(out.view().as<std::int64_t>()[0] == least);
    y.set(1, 0);
    CHECK_THROWS_AS(ref::div(out.view(), x.view(), y.view()), ValueError);
    CHECK_THROWS_AS(ref::remainder(out.view(), x.view(), y.view()), ValueError);
    CHECK_THROWS_AS(ref::fmod(out.view(), x.view(), y.view()), ValueError);
    Sample base(int32, {4}), exponent(int32, {4}), power(int32, {4});
    base.fill([](std::int64_t i) { return double(i - 1); });
    exponent.fill([](std::int64_t) { return 5.0; });
    ref::pow(power.view(), base.view(), exponent.view());
    CHECK(power[0] == -1);
    CHECK(power[1] == 0);
    CHECK(power[3] == 32);
    exponent.fill([](std::int64_t) { return -3.0; });
    ref::pow(power.view(), base.view(), exponent.view());
    CHECK(power[0] == -1);
    CHECK(power[2] == 1);
    CHECK(power[3] == 0);
}

TEST_CASE("special floats", "[pointwise]") {
    const double nan = std::nan(""), inf = INFINITY;
    for (const DType dtype : {float16, bfloat16, float32, float64}) {
        Sample x(dtype, {4}), y(dtype, {4}), out(dtype, {4}), flags(bool_, {4});
        const double left[] = {nan, 1, -inf, 5}, right[] = {1, nan, 2, -3};
        x.fill([&](std::int64_t i) { return left[i]; });
        y.fill([&](std::int64_t i) { return right[i]; });
        ref::maximum(out.view(), x.view(), y.view());
        CHECK((std::isnan(out[0]) && std::isnan(out[1]) && out[2] == 2 && out[3] == 5));
        ref::minimum(out.view(), x.view(), y.view());
        CHECK((std::isnan(out[0]) && std::isnan(out[1]) && out[2] == -inf && out[3] == -3));
        ref::remainder(out.view(), x.view(), y.view());
        CHECK(out[3] == -1);
        ref::isfinite(flags.view(), x.view());
        CHECK((flags[0] == 0 && flags[1] == 1 && flags[2] == 0 && flags[3] == 1));
        ref::exp(out.view(), x.view());
        CHECK((std::isnan(out[0]) && out[2] == 0));
        ref::tanh(out.view(), x.view());
        CHECK((std::isnan(out[0]) && out[2] == -1));
        ref::div(out.view(), y.view(), x.view());
        CHECK((std::isnan(out[0]) && out[2] == 0));
    }
}

TEST_CASE("float32 exp and tanh are within 2 ulp everywhere", "[pointwise]") {
    const std::int64_t count = 400'000;
    std::vector<float> x(count), out(count);
    const Shape shape{count};
    const Strides strides{1};
    const View from{x.data(), float32, &shape, &strides}, to{out.data(), float32, &shape, &strides};
    const auto worst = [&](double (*exact)(double)) -> double {
        double most = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double expected = exact(double(x[i]));
            if (expected > std::numeric_limits<float>::max()) {
                if (out[i] != INFINITY) {
                    return INFINITY;
                }
                continue;
            }
            const double unit = std::max(std::exp2(std::floor(std::log2(std::abs(expected))) - 23), 0x1p-149);
            most = std::max(most, expected == 0 ? 0 : std::abs(double(out[i]) - expected) / unit);
        }
        return most;
    };
    for (std::int64_t i = 0; i < count; ++i) {
        x[std::size_t(i)] = float(-106.0 + 196.0 * double(i) / count);
    }
    ref::exp(to, from);
    CHECK(worst([](double v) { return std::exp(v); }) <= 2);
    for (std::int64_t i = 0; i < count; ++i) {
        x[std::size_t(i)] = float(-10.0 + 20.0 * (double(i) + 0.5) / count);
    }
    ref::tanh(to, from);
    CHECK(worst([](double v) { return std::tanh(v); }) <= 2);
    for (std::int64_t i = 0; i < count; ++i) {
        x[std::size_t(i)] = float(std::exp(-80.0 + 84.0 * double(i) / count));
    }
    ref::tanh(to, from);
    CHECK(worst([](double v) { return std::tanh(v); }) <= 2);
}

TEST_CASE("convert goes from any dtype to any", "[pointwise]") {
    std::mt19937 random(3);
    for (const DType from : all_dtypes) {
        for (const DType to : all_dtypes) {
            for (const Layout layout : input_layouts) {
                Sample x(from, {3, 40}, layout),
                    out(to, {3, 40}, layout == Layout::repeated ? Layout::padded : layout);
                x.fill_random(random);
                ref::convert(out.view(), x.view());
                for (std::int64_t i = 0; i < x.count(); ++i) {
                    if (!close(to, out[i], rounded(to, x[i]))) {
                        FAIL(name_of(from) << " " << x[i] << " to " << name_of(to) << " is " << out[i]);
                    }
                }
            }
        }
    }
    Sample x(float64, {4}), out(int32, {4});
    const double values[] = {-2.9, 2.9, 1e30, std::nan("")};
    x.fill([&](std::int64_t i) { return values[i]; });
    ref::convert(out.view(), x.view());
    CHECK(out[0] == -2);
    CHECK(out[1] == 2);
}

TEST_CASE("where chooses", "[pointwise]") {
    std::mt19937 random(4);
    for (const DType dtype : all_dtypes) {
        for (const Layout layout : input_layouts) {
            Sample condition(bool_, {3, 4}, layout), x(dtype, {3, 4}, Layout::transposed), y(dtype, {}),
                out(dtype, {3, 4});
            condition.fill_random(random);
            x.fill_random(random);
            y.fill_random(random);
            ref::where(out.view(), condition.view(), x.view(), y.view());
            for (std::int64_t i = 0; i < 12; ++i) {
                CHECK(out[i] == (condition[i] != 0 ? x[i] : y[0]));
            }
        }
    }
}

TEST_CASE("large tensors are cut over the threads", "[pointwise][threads]") {
    const int threads = num_threads();
    set_num_threads(3);
    Sample x(float32, {300, 500}, Layout::transposed), y(float32, {500}), out(float32, {300, 500});
    x.fill([](std::int64_t i) { return double(i % 1000); });
    y.fill([](std::int64_t i) { return double(i); });
    ref::add(out.view(), x.view(), y.view());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < x.count(); ++i) {
        wrong += out[i] != double(i % 1000) + double(i % 500);
    }
    CHECK(wrong == 0);
    ref::mul(out.view(), out.view(), out.view());
    for (std::int64_t i = 0; i < x.count(); ++i) {
        const double sum = double(i % 1000) + double(i % 500);
        wrong += out[i] != sum * sum;
    }
    CHECK(wrong == 0);
    set_num_threads(threads);
}
