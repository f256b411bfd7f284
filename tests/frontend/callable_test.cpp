#include <functional>

#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {

Tensor plus_one(Tensor x) { return x + 1; }
Tensor times_two(const Tensor& x) noexcept { return x * 2; }
const Tensor& itself(const Tensor& x) { return x; }

struct Scale {
    double by;
    Tensor operator()(Tensor x) const { return x * by; }
};

struct Overloaded {
    Tensor operator()(Tensor x) const { return x + 10; }
    Tensor operator()(Tensor x, Tensor y) const { return x + y; }
};

struct Layer {
    Tensor weight;
};

Tensor one(double value) { return fg::tensor({value}); }

}  // namespace

TEST_CASE("jit takes function pointers, function objects and lambdas of every kind") {
    const double by = 3;
    const Tensor captured = one(4);
    CHECK(values(fg::jit(&plus_one)(one(1))) == List{2});
    CHECK(values(fg::jit(plus_one)(one(1))) == List{2});
    CHECK(values(fg::jit(&times_two)(one(1))) == List{2});
    CHECK(values(fg::jit(&itself)(one(1))) == List{1});
    CHECK(values(fg::jit(Scale{5})(one(2))) == List{10});
    CHECK(values(fg::jit(std::function<Tensor(Tensor)>(&plus_one))(one(1))) == List{2});
    CHECK(values(fg::jit([](Tensor x) { return x * x; })(one(3))) == List{9});
    CHECK(values(fg::jit([by](Tensor x) { return x * by; })(one(3))) == List{9});
    CHECK(values(fg::jit([&](Tensor x) { return x * captured; })(one(3))) == List{12});
    CHECK(values(fg::jit([](Tensor x) noexcept { return x - 1; })(one(3))) == List{2});
    CHECK(values(fg::jit([](Tensor&& x) { return x - 1; })(one(3))) == List{2});
    CHECK(values(fg::jit([] { return fg::ones({2}); })()) == List{1, 1});
}

TEST_CASE("grad and custom_vjp take them too") {
    CHECK(values(fg::grad(fg::jit(&plus_one))(one(1))) == List{1});
    CHECK(values(fg::grad(&times_two)(one(1))) == List{2});
    CHECK(values(fg::jit(fg::grad(Scale{5}))(one(1))) == List{5});
    CHECK(values(fg::jit(fg::grad([](const auto& x) { return fg::sum(x * x); }))(one(3))) == List{6});
    const auto custom = fg::custom_vjp(
        &plus_one, [](Tensor x) { return std::pair(x + 1, x); },
        [](const Tensor&, const Tensor& cotangent) { return cotangent * 7; });
    CHECK(values(fg::jit(fg::grad(custom))(one(1))) == List{7});
}

TEST_CASE("a generic lambda is compiled for each list of argument types") {
    auto f = fg::jit([](const auto& a, const auto&... more) { return (a + ... + more); });
    CHECK(values(f(one(1))) == List{1});
    CHECK(values(f(one(1), one(2))) == List{3});
    CHECK(values(f(one(1), fg::Scalar<double>(5.0), one(2))) == List{8});
    CHECK(fg::cache_misses(f) == 3);
    CHECK(values(f(one(3), one(2))) == List{5});
    CHECK(fg::cache_misses(f) == 3);
}

TEST_CASE("an overloaded function object is called by its arguments") {
    auto f = fg::jit(Overloaded{});
    CHECK(values(f(one(1))) == List{11});
    CHECK(values(f(one(1), one(2))) == List{3});
}

TEST_CASE("the jitted function converts its arguments as the plain one does") {
    auto f = fg::jit([](const Layer& layer, fg::Scalar<float> scale, int repeat) {
        Tensor y = layer.weight;
        for (int i = 0; i < repeat; ++i) y = y * scale;
        return y;
    });
    CHECK(values(f({one(3)}, 2, 3u)) == List{24});
    CHECK(values(f(Layer{one(3)}, fg::Scalar<float>(0.5f), 1)) == List{1.5});
}

TEST_CASE("copies of a jitted function share its programs") {
    const auto f = fg::jit(&plus_one);
    const auto copy = f;
    f(one(1));
    copy(one(2));
    CHECK(fg::cache_misses(f) == 1);
    CHECK(fg::cache_hits(copy) == 1);
}

TEST_CASE("a function may return nothing, numbers, or a tree of tensors") {
    auto nothing = fg::jit([](Tensor& x) { x = x + 1; });
    Tensor x = one(1);
    nothing(x);
    CHECK(values(x) == List{2});

    auto mixed = fg::jit(
        [](Tensor y) { return std::tuple(y + 1, 42, std::string("name"), std::vector{y * 2, y * 3}); });
    for (int i = 0; i < 2; ++i) {
        const auto [sum, number, text, list] = mixed(one(2));
        CHECK(values(sum) == List{3});
        CHECK(number == 42);
        CHECK(text == "name");
        CHECK(list.size() == 2);
        CHECK(values(list.at(1)) == List{6});
    }
}

TEST_CASE("a function without tensor arguments, or that ignores them, is a program too") {
    auto constant = fg::jit([](int n) { return fg::arange(n); });
    CHECK(values(constant(3)) == List{0, 1, 2});
    CHECK(values(constant(3)) == List{0, 1, 2});
    CHECK(fg::cache_hits(constant) == 1);
    auto ignoring = fg::jit([](Tensor, Tensor b) { return b; });
    CHECK(values(ignoring(one(1), one(2))) == List{2});
}
