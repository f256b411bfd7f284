#include "model.h"

#include <cmath>
#include <numeric>

namespace language_model {

namespace {
template <class Distribution>
fg::Tensor random_tensor(const fg::Shape& shape, Distribution distribution, std::mt19937_64& random) {
    std::vector<float> values(static_cast<std::size_t>(fg::numel_of(shape)));
    for (float& value : values) value = distribution(random);
    return fg::tensor(values, shape);
}

Linear make_linear(std::int64_t in, std::int64_t out, std::mt19937_64& random) {
    const float bound = 1 / std::sqrt(static_cast<float>(in));
    const std::uniform_real_distribution<float> uniform(-bound, bound);
    return {random_tensor({out, in}, uniform, random), random_tensor({out}, uniform, random)};
}

fg::Tensor apply(const Linear& layer, fg::Tensor x) { return fg::linear(x, layer.weight, layer.bias); }
}  // namespace

Model make_model(std::mt19937_64& random, ModelSize size) {
    return {random_tensor({byte_values, size.embedding}, std::normal_distribution<float>(0, 1), random),
            make_linear(context_length * size.embedding, size.hidden1, random),
            make_linear(size.hidden1, size.hidden2, random), make_linear(size.hidden2, byte_values, random)};
}

fg::Tensor logits(const Model& model, fg::Tensor contexts) {
    const fg::Tensor embedded = fg::flatten(fg::embedding(contexts, model.embedding), 1, 2);
    const fg::Tensor h1 = fg::relu(apply(model.hidden1, embedded));
    const fg::Tensor h2 = fg::relu(apply(model.hidden2, h1));
    return apply(model.output, h2);
}

Batch make_batch(std::span<const std::uint8_t> text, std::span<const std::int64_t> positions) {
    const auto count = static_cast<std::int64_t>(positions.size());
    std::vector<std::int64_t> contexts, targets;
    contexts.reserve(positions.size() * static_cast<std::size_t>(context_length));
    for (const std::int64_t position : positions) {
        for (std::int64_t i = position - context_length; i < position; ++i) contexts.push_back(text[static_cast<std::size_t>(i)]);
        targets.push_back(text[static_cast<std::size_t>(position)]);
    }
    return {fg::tensor(contexts, {count, context_length}), fg::tensor(targets, {count})};
}

double mean_loss(const Model& model, std::span<const std::uint8_t> text) {
    constexpr std::int64_t batch = 4096;
    auto total = fg::jit(
        [](const Model& m, fg::Tensor contexts, fg::Tensor targets) {
            return fg::cross_entropy(logits(m, contexts), targets, {.reduction = fg::Reduction::sum});
        },
        {.name = "held-out loss"});
    double sum = 0;
    const auto end = static_cast<std::int64_t>(text.size());
    for (std::int64_t first = context_length; first < end; first += batch) {
        std::vector<std::int64_t> positions(static_cast<std::size_t>(std::min(batch, end - first)));
        std::iota(positions.begin(), positions.end(), first);
        const Batch b = make_batch(text, positions);
        sum += total(model, b.contexts, b.targets).item<double>();
    }
    return sum / static_cast<double>(end - context_length);
}

std::array<float, byte_values> next_byte_probabilities(const Model& model, std::span<const std::uint8_t> context) {
    static const auto probabilities = fg::jit(
        [](const Model& m, fg::Tensor contexts) { return fg::softmax(logits(m, contexts), -1); }, {.name = "next byte"});
    const std::vector<std::int64_t> last(context.end() - context_length, context.end());
    const fg::Tensor row = probabilities(model, fg::tensor(last, {1, context_length}));
    std::array<float, byte_values> out{};
    std::copy_n(row.span<float>().begin(), out.size(), out.begin());
    return out;
}

}  // namespace language_model
