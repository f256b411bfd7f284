#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {
struct State {
    Tensor mean;
    std::vector<Tensor> history;
    int steps = 0;
};
}  // namespace

TEST_CASE("a tensor by non-const reference is assigned after the call") {
    auto f = fg::jit([](Tensor& x, const Tensor& y, Tensor z) {
        x = x + y;
        z = z * 100;
        return x * 2;
    });
    Tensor x = fg::tensor({1.0}), y = fg::tensor({2.0}), z = fg::tensor({5.0});
    const Tensor before = x;
    CHECK(values(f(x, y, z)) == List{6});
    CHECK(values(x) == List{3});
    CHECK(values(f(x, y, z)) == List{10});
    CHECK(values(x) == List{5});
    CHECK(values(before) == List{1});
    CHECK(values(y) == List{2});
    CHECK(values(z) == List{5});
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("only the leaves that were rebound are assigned") {
    auto f = fg::jit([](State& state, Tensor x) {
        state.mean = state.mean * 0.5 + x * 0.5;
        state.history[1] = x;
    });
    State state{fg::tensor({4.0}), {fg::tensor({1.0}), fg::tensor({2.0})}};
    const Tensor kept = state.history[0];
    const Tensor x = fg::tensor({8.0});
    f(state, x);
    CHECK(values(state.mean) == List{6});
    CHECK(state.history[0].is_same(kept));
    CHECK(share_storage(state.history[1], x));
    CHECK(values(state.history[1]) == List{8});
}

TEST_CASE("two parameters may be exchanged") {
    auto f = fg::jit([](Tensor& a, Tensor& b) { std::swap(a, b); });
    Tensor a = fg::tensor({1.0}), b = fg::tensor({2.0});
    f(a, b);
    CHECK(values(a) == List{2});
    CHECK(values(b) == List{1});
}

TEST_CASE("a rebound leaf may have another shape, which is another signature next time") {
    auto f = fg::jit([](Tensor& x) { x = fg::cat({x, x}, 0); });
    Tensor x = fg::tensor({1.0});
    f(x);
    f(x);
    CHECK(values(x) == List{1, 1, 1, 1});
    CHECK(fg::cache_misses(f) == 2);
}

TEST_CASE("a reference argument that changes its structure is an error, and the caller's is untouched") {
    auto longer = fg::jit([](State& state, Tensor x) { state.history.push_back(x); });
    auto shorter = fg::jit([](Tensor, State& state) { state.mean = Tensor(); });
    State state{fg::tensor({4.0}), {fg::tensor({1.0})}};
    CHECK_THAT(thrown<fg::ValueError>([&] { longer(state, fg::tensor({1.0})); }),
               ContainsSubstring("structure") && ContainsSubstring("argument 0"));
    CHECK_THAT(thrown<fg::ValueError>([&] { shorter(fg::tensor({1.0}), state); }),
               ContainsSubstring("argument 1"));
    CHECK(state.history.size() == 1);
    CHECK(values(state.mean) == List{4});
}

TEST_CASE("a static leaf of a reference argument that changes is an error") {
    auto f = fg::jit([](State& state) {
        state.mean = state.mean + 1;
        ++state.steps;
    });
    State state{fg::tensor({4.0}), {}};
    CHECK_THROWS_AS(f(state), fg::ValueError);
    CHECK(state.steps == 0);
}

TEST_CASE("what is not rebound stays itself") {
    auto f = fg::jit([](Tensor& x) { return x + 1; });
    Tensor x = fg::tensor({1.0});
    const Tensor before = x;
    f(x);
    CHECK(x.is_same(before));
}

TEST_CASE("a generic function rebinds lvalues only") {
    auto f = fg::jit([](auto&& x) {
        x = x + 1;
        return x;
    });
    Tensor x = fg::tensor({1.0});
    CHECK(values(f(x)) == List{2});
    CHECK(values(x) == List{2});
    CHECK(values(f(Tensor(x))) == List{3});
    CHECK(values(x) == List{2});
    CHECK(fg::cache_misses(f) == 2);
}

TEST_CASE("rebinding passes through a jitted function within a jitted function") {
    auto inner = fg::jit([](Tensor& x) { x = x * 2; });
    auto outer = fg::jit([&](Tensor& x) {
        inner(x);
        inner(x);
        return x + 1;
    });
    Tensor x = fg::tensor({1.0});
    CHECK(values(outer(x)) == List{5});
    CHECK(values(x) == List{4});
}
