#include "train.h"

#include <cmath>
#include <numbers>

namespace language_model {

namespace {
double learning_rate_at(std::int64_t step, const TrainOptions& options) {
    const double warm_up = std::max(1.0, 0.05 * static_cast<double>(options.steps));
    const double done = static_cast<double>(step);
    if (done < warm_up) return options.learning_rate * (done + 1) / warm_up;
    const double progress = (done - warm_up) / std::max(1.0, static_cast<double>(options.steps) - warm_up);
    return options.learning_rate * (0.1 + 0.45 * (1 + std::cos(std::numbers::pi * progress)));
}
}  // namespace

Model train(std::span<const std::uint8_t> text, const TrainOptions& options, const OnStep& on_step) {
    std::mt19937_64 random(options.seed);
    Model model = make_model(random);
    fg::AdamWState<Model> state = fg::adamw_state(model);

    const auto loss = [](const Model& m, fg::Tensor contexts, fg::Tensor targets) {
        return fg::cross_entropy(logits(m, contexts), targets);
    };
    const double decay = options.weight_decay;
    auto step = fg::jit(
        [loss, decay](Model& m, fg::AdamWState<Model>& s, fg::Tensor contexts, fg::Tensor targets, fg::Scalar<double> lr) {
            auto [value, gradients] = fg::value_and_grad(loss)(m, contexts, targets);
            fg::adamw(m, gradients, s, {.lr = lr, .weight_decay = decay});
            return value;
        },
        {.name = "training step"});

    std::uniform_int_distribution<std::int64_t> position(context_length, static_cast<std::int64_t>(text.size()) - 1);
    std::vector<std::int64_t> positions(static_cast<std::size_t>(options.batch));
    float last_loss = std::nanf("");
    for (std::int64_t i = 0; i < options.steps; ++i) {
        for (std::int64_t& p : positions) p = position(random);
        const Batch batch = make_batch(text, positions);
        const fg::Tensor value = step(model, state, batch.contexts, batch.targets, learning_rate_at(i, options));
        if (i % 50 == 0 || i + 1 == options.steps) last_loss = value.item<float>();
        on_step(i + 1, last_loss);
    }
    return model;
}

}  // namespace language_model
