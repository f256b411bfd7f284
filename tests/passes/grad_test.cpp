#include <fulgurite/transforms/grad.h>

#include <fulgurite/tests/passes/toys.h>
#include <fulgurite/transforms/dce.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

// What the joint trace costs, read from the trace that runs.

namespace {

template <class F, class... A>
fg::Trace final_trace(const F& f, const A&... args) {
    auto jitted = fg::jit(f);
    jitted(args...);
    return fg::last_traces(jitted).back();
}

struct Layer {
    Tensor weight, bias;
};

}  // namespace

TEST_CASE("the forward runs once, and the backward reads its values") {
    const fg::Trace trace = final_trace(
        fg::value_and_grad([](Tensor x) { return fg::sum(fg::tanh(fg::exp(x))); }), fg::ones({4}));
    CHECK(count_calls(trace, "prims::exp") == 1);
    CHECK(count_calls(trace, "prims::tanh") == 1);
    CHECK(count_calls(trace, "prims::get_grad") == 0);
    CHECK(count_calls(trace, "prims::put_grad") == 0);
}

TEST_CASE("an argument that is not differentiated costs nothing") {
    const auto loss = [](Tensor w, Tensor x) { return fg::sum(fg::square(fg::matmul(x, w))); };
    const Tensor w = fg::ones({3, 2}), x = fg::ones({5, 3});
    CHECK(count_calls(final_trace(fg::value_and_grad(loss), w, x), "prims::matmul") == 2);
    CHECK(count_calls(final_trace(fg::value_and_grad<1>(loss), w, x), "prims::matmul") == 2);
    CHECK(count_calls(final_trace(fg::value_and_grad<0, 1>(loss), w, x), "prims::matmul") == 3);
    CHECK(count_calls(final_trace(loss, w, x), "prims::matmul") == 1);
}

TEST_CASE("frozen parameters cost nothing, by stop_gradient, no_grad or capture") {
    const Tensor x = fg::ones({5, 3}), frozen = fg::ones({3, 3}), trained = fg::ones({3, 2});
    const auto by_stop = [](const std::pair<Tensor, Tensor>& p, Tensor in) {
        return fg::sum(fg::square(fg::matmul(fg::matmul(in, fg::stop_gradient(p.first)), p.second)));
    };
    const auto by_no_grad = [](const std::pair<Tensor, Tensor>& p, Tensor in) {
        const Tensor hidden = fg::no_grad([](Tensor a, Tensor b) { return fg::matmul(a, b); })(in, p.first);
        return fg::sum(fg::square(fg::matmul(hidden, p.second)));
    };
    const auto by_capture = [&](Tensor w, Tensor in) {
        return fg::sum(fg::square(fg::matmul(fg::matmul(in, frozen), w)));
    };
    // Two products forward, one backward: none for the frozen one, nor for what leads to it.
    CHECK(count_calls(final_trace(fg::grad(by_stop), std::pair(frozen, trained), x), "prims::matmul") == 3);
    CHECK(count_calls(final_trace(fg::grad(by_no_grad), std::pair(frozen, trained), x), "prims::matmul") ==
          3);
    CHECK(count_calls(final_trace(fg::grad(by_capture), trained, x), "prims::matmul") == 3);
}

TEST_CASE("grad without the value does not compute what only the value needs") {
    const auto loss = [](Tensor x) { return fg::sum(fg::cos(fg::stop_gradient(x)) + x); };
    CHECK(count_calls(final_trace(fg::grad(loss), fg::ones({4})), "prims::cos") == 0);
    CHECK(count_calls(final_trace(fg::value_and_grad(loss), fg::ones({4})), "prims::cos") == 1);
}

TEST_CASE("a loss that does not depend on the argument gives zeros and no backward") {
    const auto loss = [](Tensor, Tensor y) { return fg::sum(fg::exp(y)); };
    const Tensor x = fg::ones({4}), y = fg::zeros({2});
    CHECK(values(fg::jit(fg::grad(loss))(x, y)) == List{0, 0, 0, 0});
    const fg::Trace trace = final_trace(fg::grad(loss), x, y);
    CHECK(trace.body.size() == 1);
    CHECK(count_calls(trace, "prims::full") == 1);
}

TEST_CASE("comparisons and integers end the flow of gradients") {
    const auto loss = [](Tensor x) {
        return fg::sum(fg::where(x > 0, x * x, -x) + fg::floor(x).to(fg::int64).to(fg::float64));
    };
    CHECK(values(fg::jit(fg::grad(loss))(fg::tensor({-2.0, 3.0}))) == List{-1, 6});
}

TEST_CASE("gradients of a value used several times add up") {
    const auto loss = [](Tensor x) { return fg::sum(x * x * x + 2 * x - x + fg::exp(x) * 0); };
    CHECK(values(fg::jit(fg::grad(loss))(fg::tensor({1.0, 2.0}))) == List{4, 13});
}

TEST_CASE("grad_transform gives the outputs and then the gradients, none for integers") {
    const fg::Trace trace = traced([](Tensor x, Tensor index) { return fg::sum(x * index); }, vector4,
                                   fg::TensorSpec({4}, fg::int64));
    const fg::Trace joint = fg::dce(fg::grad_transform(trace, 2));
    REQUIRE(joint.outputs.size() == 3);
    CHECK(joint.outputs[0] == trace.outputs[0]);
    CHECK(joint[joint.outputs[1]].spec == vector4);
    CHECK(joint.outputs[2] == fg::no_value);
    const fg::Trace one = fg::grad_transform(trace, 1);
    CHECK(one.outputs.size() == 2);
}

TEST_CASE("every trace that grad leaves behind passes the check") {
    auto step = fg::jit([](Layer& layer, Tensor x, Tensor y) {
        const auto loss = [](const Layer& l, Tensor a, Tensor b) {
            return fg::mean(fg::square(fg::relu(fg::linear(a, l.weight, l.bias)) - b));
        };
        auto [value, gradient] = fg::value_and_grad(loss)(layer, x, y);
        layer = fg::tree_map([](Tensor w, Tensor g) { return w - 0.1 * g; }, layer, gradient);
        return value;
    });
    Layer layer{fg::ones({2, 3}), fg::zeros({2})};
    step(layer, fg::ones({4, 3}), fg::zeros({4, 2}));
    for (const fg::Trace& trace : fg::last_traces(step)) {
        INFO(fg::to_string(trace));
        const bool claimed = trace.pass == "claim" || trace.pass == "fuse";
        if (trace.pass == "grad") continue;
        CHECK_NOTHROW(check(trace, claimed ? fg::Stage::claimed : fg::Stage::traced));
    }
}

TEST_CASE("gradients have their values' shapes, dtypes and a layout of their own") {
    const auto loss = [](Tensor a, Tensor b, Tensor c) {
        return fg::sum(a.t() * b) + fg::sum(c.to(fg::float32));
    };
    const Tensor a = fg::ones({2, 3}), b = fg::ones({3, 1}), c = fg::ones({2}, {.dtype = fg::float16});
    const auto [to_a, to_b, to_c] = fg::jit(fg::grad<0, 1, 2>(loss))(a, b, c);
    CHECK(to_a.shape() == a.shape());
    CHECK(to_b.shape() == b.shape());
    CHECK(to_c.dtype() == fg::float16);
    CHECK(values(to_b) == List{2, 2, 2});
}

TEST_CASE("an op without a gradient rule is an error that names it, where a gradient would pass") {
    const auto active = [](Tensor x) { return fg::sum(toys::opaque(x * 2)); };
    const auto inactive = [](Tensor x) { return fg::sum(toys::opaque(fg::stop_gradient(x)) * x); };
    CHECK_THAT(thrown<fg::ValueError>([&] { fg::trace(fg::grad(active), vector4); }),
               ContainsSubstring("toys::opaque") && ContainsSubstring("gradient rule"));
    CHECK_NOTHROW(fg::trace(fg::grad(inactive), vector4));
    CHECK_FALSE(fg::is_tracing());
}

TEST_CASE("get_grad and put_grad outside of a rule are errors") {
    CHECK_THROWS_AS(fg::get_grad(fg::ones({2})), fg::TraceError);
    CHECK_THROWS_AS(fg::trace([](Tensor x) { return fg::get_grad(x); }, vector4), fg::TraceError);
    CHECK_THROWS_AS(fg::put_grad(fg::ones({2}), fg::ones({2})), fg::TraceError);
}

TEST_CASE("a gradient within no_grad is computed, and carries none itself") {
    const auto cube = [](Tensor x) { return fg::sum(x * x * x); };
    const Tensor x = fg::tensor({2.0});
    {
        const fg::NoGradGuard guard;
        CHECK(values(fg::grad(cube)(x)) == List{12});
        CHECK(values(fg::jit(fg::grad(cube))(x)) == List{12});
    }
    const auto held = [&](Tensor y) { return fg::sum(fg::no_grad(fg::grad(cube))(y) * y); };
    CHECK(values(fg::jit(fg::grad(held))(x)) == List{12});
}
