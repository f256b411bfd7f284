#include <fulgurite/transforms/cse.h>

#include <fulgurite/tests/passes/toys.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

TEST_CASE("cse merges equal calls, and calls that thereby become equal") {
    const fg::Trace merged =
        fg::cse(traced([](Tensor x) { return fg::exp(x + 1) * fg::exp(x + 1) - fg::exp(x + 1); }, vector4));
    CHECK(count_calls(merged, "add") == 1);
    CHECK(count_calls(merged, "exp") == 1);
    check(merged, fg::Stage::traced);
}

TEST_CASE("calls of other options, numbers or operands are not equal") {
    const fg::Trace trace = traced(
        [](Tensor x) {
            return std::vector{fg::sum(x, {.dim = 0}),
                               fg::sum(x, {.dim = 1}),
                               fg::sum(x, {.dim = 0, .keepdim = true}),
                               x * 2,
                               x * 2.0,
                               x * 0.0,
                               x * -0.0,
                               fg::sub(x, x + 1),
                               fg::sub(x + 1, x)};
        },
        fg::TensorSpec({2, 2}));
    const fg::Trace merged = fg::cse(trace);
    CHECK(count_calls(merged, "sum") == 3);
    CHECK(count_calls(merged, "mul") == 4);
    CHECK(count_calls(merged, "sub") == 2);
    CHECK(count_calls(merged, "add") == 1);
}

TEST_CASE("random calls are never merged, but their arguments are rewritten") {
    const fg::Trace merged =
        fg::cse(traced([](Tensor x) { return std::pair(toys::noise(x + 1), toys::noise(x + 1)); }, vector4));
    CHECK(count_calls(merged, "add") == 1);
    REQUIRE(count_calls(merged, "toys::noise") == 2);
    const fg::ValueId sum = call_of(merged, "add").results[0];
    for (const auto& call : merged.body) {
        if (call->symbol->name == "toys::noise") CHECK(call->operands[0] == sum);
    }
    CHECK(merged.outputs[0] != merged.outputs[1]);
    check(merged, fg::Stage::traced);
}

TEST_CASE("a composite with a random part is not merged, and its parts are rewritten") {
    const fg::Trace merged =
        fg::cse(traced([](Tensor x) { return std::pair(toys::noisy(x + 1), toys::noisy(x + 1)); }, vector4));
    CHECK(count_calls(merged, "add") == 1);
    REQUIRE(count_calls(merged, "toys::noisy") == 2);
    const fg::ValueId sum = call_of(merged, "add").results[0];
    for (const auto& call : merged.body) {
        if (call->symbol->name != "toys::noisy") continue;
        CHECK(call->operands[0] == sum);
        CHECK(call->subsymbols[0]->operands[0] == sum);
    }
    check(merged, fg::Stage::traced);
}

TEST_CASE("a composite's parts are rewritten where a neighbour was merged") {
    const fg::Trace merged = fg::cse(traced(
        [](Tensor x) {
            const Tensor a = fg::exp(x), b = fg::exp(x);
            return std::pair(fg::gelu(a), fg::silu(b));
        },
        vector4));
    const fg::ValueId shared = call_of(merged, "exp").results[0];
    CHECK(call_of(merged, "silu").operands[0] == shared);
    CHECK(call_of(merged, "silu").subsymbols[0]->operands[0] == shared);
    check(merged, fg::Stage::traced);
}

TEST_CASE("effects are not merged") {
    const fg::Trace merged = fg::cse(traced(
        [](Tensor x) {
            toys::observe(x);
            toys::observe(x);
            return x + 1;
        },
        vector4));
    CHECK(count_calls(merged, "toys::observe") == 2);
}

TEST_CASE("a call under no_grad is another than the same call outside") {
    const fg::Trace merged = fg::cse(traced(
        [](Tensor x) { return fg::exp(x) + fg::no_grad([](Tensor y) { return fg::exp(y); })(x); }, vector4));
    CHECK(count_calls(merged, "exp") == 2);
}

TEST_CASE("custom rules are not merged, but what they use freely is rewritten") {
    const auto f = [](Tensor x) {
        const Tensor a = fg::exp(x), b = fg::exp(x);
        const auto scaled = [](const Tensor& by) {
            return fg::custom_vjp([=](Tensor y) { return y * by; },
                                  [=](Tensor y) { return std::pair(y * by, y); },
                                  [=](const Tensor&, const Tensor& cotangent) { return cotangent * by; });
        };
        return scaled(a)(x) + scaled(b)(x);
    };
    const fg::Trace merged = fg::cse(traced(f, vector4));
    CHECK(count_calls(merged, "exp") == 1);
    CHECK(count_calls(merged, "custom_vjp") == 2);
    check(merged, fg::Stage::traced);
    CHECK(values(fg::jit(f)(fg::tensor({0.0}))) == List{0});
}

TEST_CASE("outputs that are merged are parted again") {
    auto f = fg::jit([](Tensor x) { return std::pair(x + 1, x + 1); });
    f(fg::ones({4}));
    const fg::Trace& last = fg::last_traces(f).back();
    CHECK(count_calls(last, "prims::add") == 1);
    CHECK(count_calls(last, "prims::clone") == 1);
    CHECK(last.outputs[0] != last.outputs[1]);
}

TEST_CASE("what views one tensor needs no clone") {
    auto f = fg::jit([](Tensor x) {
        const Tensor y = x + 1;
        return std::tuple(y, y, fg::reshape(y, {2, 2}), x, fg::reshape(x, {2, 2}));
    });
    f(fg::ones({4}));
    CHECK(count_calls(fg::last_traces(f).back(), "prims::clone") == 0);
}

TEST_CASE("what a composite decomposed into is merged with what its gradient rule computes again") {
    const auto f = [](Tensor x) { return fg::sum(fg::gelu(x)); };
    auto step = fg::jit(fg::value_and_grad(f));
    step(fg::ones({3}));
    CHECK(count_calls(fg::last_traces(step).back(), "prims::erf") == 1);
}
