#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

// Outputs alias each other and the inputs as in an eager run; otherwise each has memory of its own.

TEST_CASE("one tensor returned twice is one storage") {
    auto f = fg::jit([](Tensor x) {
        const Tensor y = x * 2;
        return std::pair(y, y);
    });
    for (int i = 0; i < 2; ++i) {
        const auto [a, b] = f(fg::tensor({1.0, 2.0}));
        CHECK(values(b) == List{2, 4});
        CHECK(share_storage(a, b));
    }
}

TEST_CASE("two equal expressions stay two tensors") {
    auto f = fg::jit([](Tensor x) { return std::pair(x * 2, x * 2); });
    for (int i = 0; i < 2; ++i) {
        auto [a, b] = f(fg::tensor({1.0, 2.0}));
        CHECK_FALSE(share_storage(a, b));
        a.mutable_span<double>()[0] = 100;
        CHECK(values(b) == List{2, 4});
    }
}

TEST_CASE("views of two equal expressions stay apart too") {
    auto f = fg::jit([](Tensor x) { return std::tuple((x * 2).t(), x * 2, (x * 2)[0]); });
    const auto [a, b, c] = f(fg::tensor({{1.0, 2.0}, {3.0, 4.0}}));
    CHECK_FALSE(share_storage(a, b));
    CHECK_FALSE(share_storage(b, c));
    CHECK_FALSE(share_storage(a, c));
    CHECK(values(a) == List{2, 6, 4, 8});
    CHECK(values(c) == List{2, 4});
}

TEST_CASE("an input returned is that input, and a view of an input its view") {
    auto f = fg::jit([](Tensor x) { return std::tuple(x, x.t(), x[1], fg::reshape(x, {6})); });
    const Tensor x = fg::tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
    for (int i = 0; i < 2; ++i) {
        const auto [same, transposed, row, flat] = f(x);
        CHECK(share_storage(same, x));
        CHECK(share_storage(transposed, x));
        CHECK(transposed.strides() == fg::Strides({1, 3}));
        CHECK(share_storage(row, x));
        CHECK(values(row) == List{4, 5, 6});
        CHECK(share_storage(flat, x));
    }
}

TEST_CASE("views of a result share its storage") {
    auto f = fg::jit([](Tensor x) {
        const Tensor y = x + 1;
        return std::tuple(y, y.t(), fg::slice(y, 1, 1));
    });
    const auto [y, transposed, part] = f(fg::tensor({{1.0, 2.0}, {3.0, 4.0}}));
    CHECK(share_storage(y, transposed));
    CHECK(share_storage(y, part));
    CHECK(values(part) == List{3, 5});
}

TEST_CASE("a view whose base is no output keeps the base alive") {
    auto f = fg::jit([](Tensor x) { return (x + 1)[1]; });
    const Tensor row = f(fg::tensor({{1.0, 2.0}, {3.0, 4.0}}));
    f(fg::tensor({{9.0, 9.0}, {9.0, 9.0}}));
    CHECK(values(row) == List{4, 5});
}

TEST_CASE("an output that is an input and one that only equals it stay apart") {
    auto f = fg::jit([](Tensor x) { return std::pair(x, fg::clone(x)); });
    const Tensor x = fg::tensor({1.0});
    const auto [same, copy] = f(x);
    CHECK(share_storage(same, x));
    CHECK_FALSE(share_storage(copy, x));
}

TEST_CASE("one tensor given as two arguments") {
    auto f = fg::jit([](Tensor a, Tensor b) { return a * b + a; });
    const Tensor x = fg::tensor({3.0});
    CHECK(values(f(x, x)) == List{12});
    CHECK(values(f(x, fg::tensor({5.0}))) == List{18});
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("the results of two calls never share memory") {
    auto f = fg::jit([](Tensor x) { return fg::exp(x) + x; });
    const Tensor first = f(fg::tensor({0.0}));
    const Tensor second = f(fg::tensor({1.0}));
    CHECK_FALSE(share_storage(first, second));
    CHECK(values(first) == List{1});
}

TEST_CASE("a value and its gradient that are equal stay two tensors") {
    auto f = fg::jit([](Tensor x) {
        const Tensor value = fg::exp(x);
        return std::pair(value, fg::grad([](Tensor y) { return fg::exp(y); })(x));
    });
    const auto [value, gradient] = f(fg::tensor(0.0));
    CHECK_FALSE(share_storage(value, gradient));
    CHECK(values(gradient) == List{1});
}

TEST_CASE("eager views share storage, eager copies do not") {
    const Tensor x = fg::tensor({{1.0, 2.0}, {3.0, 4.0}});
    CHECK(share_storage(x.t(), x));
    CHECK(share_storage(x.view({4}), x));
    CHECK(share_storage(x.contiguous(), x));
    CHECK_FALSE(share_storage(x.t().contiguous(), x));
    CHECK_FALSE(share_storage(x.clone(), x));
}
