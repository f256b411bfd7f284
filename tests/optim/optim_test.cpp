#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fulgurite/fulgurite.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;

namespace {

struct Layer {
    Tensor weight, bias;
    std::int64_t width = 2;
};
struct Model {
    std::vector<Layer> layers;
    Tensor scale;
};

Model model(DType dtype = float64) {
    const auto values = [dtype](std::vector<double> list) { return to(tensor(list), dtype); };
    return {{{values({1, -2}), values({0.5, 0.25}), 2}, {values({-1, 3}), {}, 2}}, values({2})};
}

/// 2 x of every leaf: the gradient of the sum of squares.
Model gradients(const Model& at) {
    return tree_map([](const Tensor& leaf) { return leaf * 2.0; }, at);
}

double element(const Tensor& x, std::int64_t i) { return x[i].item<double>(); }

/// What the formulas of the papers say, for one number.
struct AdamWNumber {
    double p, m = 0, v = 0;
    void step(double lr, double decay, int t) {
        const double g = 2 * p;
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        p -= lr * decay * p;
        p -= lr * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    }
};

}  // namespace

TEST_CASE("adamw follows its formulas, eagerly and jitted", "[optim]") {
    const auto step = [](Model& params, AdamWState<Model>& state, Scalar<double> lr) {
        adamw(params, gradients(params), state, {.lr = lr, .weight_decay = 0.1});
    };
    auto jitted = jit(step);
    for (const bool is_jitted : {false, true}) {
        Model params = model();
        AdamWState<Model> state = adamw_state(params);
        AdamWNumber expected{element(params.layers[0].weight, 1)};
        for (int t = 1; t <= 4; ++t) {
            const double lr = 0.1 / t;
            if (is_jitted)
                jitted(params, state, Scalar<double>(lr));
            else
                step(params, state, lr);
            expected.step(lr, 0.1, t);
        }
        CHECK(state.step.value() == 4);
        CHECK(std::abs(element(params.layers[0].weight, 1) - expected.p) < 1e-12);
        CHECK(std::abs(element(state.exp_avg.layers[0].weight, 1) - expected.m) < 1e-12);
        CHECK(std::abs(element(state.exp_avg_sq.layers[0].weight, 1) - expected.v) < 1e-12);
        CHECK(!params.layers[1].bias.defined());
    }
    CHECK(cache_misses(jitted) == 1);
}

TEST_CASE("low-precision parameters have a float32 state and keep their dtype", "[optim]") {
    Model params = model(bfloat16);
    AdamWState<Model> state = adamw_state(params);
    adamw(params, gradients(params), state);
    CHECK(params.scale.dtype() == bfloat16);
    CHECK(state.exp_avg.scale.dtype() == float32);
}

TEST_CASE("sgd follows torch.optim.SGD", "[optim]") {
    for (const bool nesterov : {false, true}) {
        Model params = model();
        SgdState<Model> state = sgd_state(params);
        double p = element(params.scale, 0), momentum = 0;
        for (int t = 0; t < 3; ++t) {
            sgd(params, gradients(params), state,
                {.lr = 0.1, .momentum = 0.5, .weight_decay = 0.01, .nesterov = nesterov});
            const double g = 2 * p + 0.01 * p;
            momentum = 0.5 * momentum + g;
            p -= 0.1 * (nesterov ? g + 0.5 * momentum : momentum);
        }
        CHECK(std::abs(element(params.scale, 0) - p) < 1e-12);
    }
}

TEST_CASE("trees of another structure are refused", "[optim]") {
    Model params = model();
    SgdState<Model> state = sgd_state(params);
    Model grads = gradients(params);
    grads.layers.pop_back();
    CHECK_THROWS_AS(sgd(params, grads, state), ValueError);
}

TEST_CASE("clip_grad_norm scales down what is too long, and nothing else", "[optim]") {
    std::map<std::string, Tensor> grads{{"a", tensor({3.0, 0.0})}, {"b", tensor({{4.0}})}};
    CHECK(std::abs(clip_grad_norm(grads, 10.0).item<double>() - 5) < 1e-12);
    CHECK(element(grads["a"], 0) == 3);
    clip_grad_norm(grads, 1.0);
    CHECK(std::abs(element(grads["a"], 0) - 0.6) < 1e-6);
    CHECK(std::abs(grads["b"].item<double>() - 0.8) < 1e-6);
}

TEST_CASE("the cosine schedule is the same for a number and a Scalar", "[optim]") {
    const CosineOptions options{.lr = 1, .min_lr = 0.1, .warmup_steps = 4, .total_steps = 10};
    CHECK(cosine_schedule(0, options) == 0.25);
    CHECK(cosine_schedule(4, options) == 1);
    CHECK(std::abs(cosine_schedule(7, options) - 0.55) < 1e-12);
    CHECK(std::abs(cosine_schedule(20, options) - 0.1) < 1e-12);
    auto scheduled = jit([&](Scalar<std::int64_t> step) { return cosine_schedule(step, options); });
    for (std::int64_t step = 0; step < 14; ++step) {
        CHECK(std::abs(scheduled(Scalar<std::int64_t>(step)).item<double>() -
                       cosine_schedule(step, options)) < 1e-12);
    }
    CHECK(cache_misses(scheduled) == 1);
}
