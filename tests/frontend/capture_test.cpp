#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

TEST_CASE("a captured tensor is read through its storage at each call") {
    Tensor weight = fg::tensor({2.0});
    auto f = fg::jit([&](Tensor x) { return x * weight; });
    CHECK(values(f(fg::tensor({3.0}))) == List{6});
    weight.mutable_span<double>()[0] = 5;
    CHECK(values(f(fg::tensor({3.0}))) == List{15});
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("a captured tensor lives as long as the program") {
    const auto make = [] {
        const Tensor weight = fg::tensor({2.0});
        return fg::jit([weight](Tensor x) { return x * weight; });
    };
    auto f = make();
    for (int i = 0; i < 2; ++i) CHECK(values(f(fg::tensor({3.0}))) == List{6});
}

TEST_CASE("a tensor captured twice is one capture, and prints as such") {
    const Tensor weight = fg::tensor({2.0});
    auto f = fg::jit([&](Tensor x) { return x * weight + weight; });
    CHECK(values(f(fg::tensor({3.0}))) == List{8});
    CHECK(fg::last_traces(f).front().captures.size() == 1);
    CHECK_THAT(fg::to_string(fg::last_traces(f).front()), ContainsSubstring("capture(float64"));
}

TEST_CASE("a captured view is read through the base's storage") {
    Tensor base = fg::tensor({1.0, 2.0, 3.0, 4.0});
    const Tensor view = fg::slice(base, 0, 1, 4, 2);
    auto f = fg::jit([&](Tensor x) { return x + view; });
    CHECK(values(f(fg::tensor({10.0, 20.0}))) == List{12, 24});
    base.mutable_span<double>()[3] = 40;
    CHECK(values(f(fg::tensor({10.0, 20.0}))) == List{12, 60});
}

TEST_CASE("a captured tensor has no gradient, and the argument does") {
    const Tensor weight = fg::tensor({2.0});
    auto f = fg::jit(fg::grad([&](Tensor x) { return fg::sum(x * weight); }));
    CHECK(values(f(fg::tensor({3.0}))) == List{2});
}

TEST_CASE("a capture that is the result is that tensor") {
    const Tensor weight = fg::tensor({2.0});
    auto f = fg::jit([&](Tensor) { return weight; });
    const Tensor out = f(fg::tensor({1.0}));
    CHECK(share_storage(out, weight));
}

#ifdef NDEBUG
TEST_CASE("a rebound capture is not seen by a release build") {
    Tensor weight = fg::tensor({2.0});
    auto f = fg::jit([&](Tensor x) { return x * weight; });
    f(fg::tensor({3.0}));
    weight = fg::tensor({5.0});
    CHECK(values(f(fg::tensor({3.0}))) == List{6});
}
#else
TEST_CASE("a rebound capture is found by a debug build's second trace") {
    Tensor weight = fg::tensor({2.0});
    auto f = fg::jit([&](Tensor x) { return x * weight; }, {.name = "scaled"});
    f(fg::tensor({3.0}));
    weight = fg::tensor({5.0});
    CHECK_THAT(thrown<fg::TraceError>([&] { f(fg::tensor({3.0})); }),
               ContainsSubstring("scaled") && ContainsSubstring("pass what changes as an argument"));
}

TEST_CASE("a function that depends on a variable of its own is found by a debug build") {
    int by = 2;
    auto f = fg::jit([&](Tensor x) { return x * by; });
    CHECK(values(f(fg::tensor({3.0}))) == List{6});
    by = 3;
    CHECK_THROWS_AS(f(fg::tensor({3.0})), fg::TraceError);
}

TEST_CASE("a function that stays the same passes every check of a debug build") {
    auto f = fg::jit([](Tensor& x) { x = x + 1; });
    Tensor x = fg::tensor({0.0});
    for (int i = 0; i < 40; ++i) f(x);
    CHECK(values(x) == List{40});
    CHECK(fg::cache_misses(f) == 1);
}
#endif
