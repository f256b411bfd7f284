#include <fulgurite/transforms/dce.h>

#include <fulgurite/tests/passes/toys.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

TEST_CASE("dce removes what no output needs, chains too") {
    const fg::Trace trace = traced(
        [](Tensor x) {
            const Tensor unused = fg::exp(fg::sin(x));
            fg::cos(unused);
            return x + 1;
        },
        vector4);
    const fg::Trace clean = fg::dce(trace);
    CHECK(trace.body.size() == 4);
    CHECK(clean.body.size() == 1);
    check(clean, fg::Stage::traced);
}

TEST_CASE("dce keeps effects and what they read") {
    const fg::Trace clean = fg::dce(traced(
        [](Tensor x) {
            toys::observe(fg::exp(x));
            return x + 1;
        },
        vector4));
    CHECK(count_calls(clean, "toys::observe") == 1);
    CHECK(count_calls(clean, "exp") == 1);
}

TEST_CASE("dce keeps an op of which one result is needed") {
    const fg::Trace clean = fg::dce(traced([](Tensor x) { return fg::split(x, {1, 3}, 0)[1]; }, vector4));
    CHECK(count_calls(clean, "split") == 1);
}

TEST_CASE("dce keeps inputs that nobody reads") {
    const fg::Trace clean = fg::dce(traced([](Tensor, Tensor b) { return b; }, vector4, vector4));
    CHECK(clean.inputs.size() == 2);
    CHECK(clean.body.empty());
}

TEST_CASE("dce keeps what a custom rule's regions use freely") {
    const auto f = [](Tensor x, Tensor by) {
        const Tensor scale = fg::exp(by);
        const auto scaled = fg::custom_vjp(
            [&](Tensor y) { return y * scale; }, [&](Tensor y) { return std::pair(y * scale, y); },
            [&](const Tensor&, const Tensor& cotangent) { return cotangent * scale; });
        return scaled(x);
    };
    const fg::Trace clean = fg::dce(traced(f, vector4, vector4));
    CHECK(count_calls(clean, "exp") == 1);
    check(clean, fg::Stage::traced);
    CHECK(values(fg::jit(f)(fg::tensor({3.0}), fg::tensor({0.0}))) == List{3});
}

TEST_CASE("a clean trace stays as it is, and the pass says so") {
    const fg::Trace trace = traced([](Tensor x) { return fg::exp(x); }, vector4);
    fg::PassLog log;
    CHECK(log.run("dce", trace, fg::dce).unchanged);
    CHECK(fg::dce(trace) == trace);
}
