#pragma once

#include <functional>

#include "model.h"

namespace language_model {

struct TrainOptions {
    std::int64_t steps = 4000;
    std::int64_t batch = 256;
    double learning_rate =
        2e-3;  ///< at its peak: linear warm-up over the first 5 %, then a cosine to a tenth
    double weight_decay = 0.01;
    std::uint64_t seed = 1;
};

/// Called after each step with the number of steps done and the last loss that was read (every 50 steps).
using OnStep = std::function<void(std::int64_t done, float loss)>;

/// Trains on `text` with AdamW, one jitted step: loss, gradients and update in one program.
Model train(std::span<const std::uint8_t> text, const TrainOptions& options, const OnStep& on_step);

}  // namespace language_model
