#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <fulgurite/fulgurite.h>

/// A neural probabilistic language model on bytes (Bengio et al., 2003): the embeddings of the last 16 bytes,
/// two hidden layers, and the next byte's distribution.
namespace language_model {

namespace fg = fulgurite;

inline constexpr std::int64_t context_length = 16;
inline constexpr std::int64_t byte_values = 256;

struct Linear {
    fg::Tensor weight;  ///< [out, in]
    fg::Tensor bias;    ///< [out]
};

/// The model is a plain struct: its fields name the values in the trace.
struct Model {
    fg::Tensor embedding;  ///< [256, embedding width]
    Linear hidden1, hidden2, output;
};

struct ModelSize {
    std::int64_t embedding = 24;
    std::int64_t hidden1 = 256;
    std::int64_t hidden2 = 128;
};

/// Weights drawn uniformly within +-1/sqrt(inputs), as torch.nn.Linear does; embeddings from a normal
/// distribution.
Model make_model(std::mt19937_64& random, ModelSize size = {});

/// Scores of the next byte, [batch, 256], for contexts [batch, 16] of int64 bytes.
fg::Tensor logits(const Model& model, fg::Tensor contexts);

/// A batch of contexts and the bytes that follow them.
struct Batch {
    fg::Tensor contexts;  ///< int64 [batch, 16]
    fg::Tensor targets;   ///< int64 [batch]
};
/// The contexts that end before each of `positions` (all at least 16).
Batch make_batch(std::span<const std::uint8_t> text, std::span<const std::int64_t> positions);

/// Mean cross entropy in nats a byte over every position of `text` that has a whole context.
double mean_loss(const Model& model, std::span<const std::uint8_t> text);

/// The distribution of the byte after `context`.
std::array<float, byte_values> next_byte_probabilities(const Model& model,
                                                       std::span<const std::uint8_t> context);

}  // namespace language_model
