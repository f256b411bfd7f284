#include "ngram.h"

#include <algorithm>
#include <cmath>

namespace language_model {

NgramModel::NgramModel(Bytes text) {
    for (std::size_t i = 0; i < highest_order; ++i) {
        levels_[i] = count_grams(text, i + 1);
    }
}

NgramModel::Level NgramModel::count_grams(Bytes text, std::size_t length) {
    Level level;
    const Key mask = ~Key{0} >> (8 * (sizeof(Key) - length));
    Key key = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        key = ((key << 8) | text[i]) & mask;
        if (i + 1 >= length) {
            ++level.grams[key];
        }
    }
    for (const auto& [gram, count] : level.grams) {
        Followers& followers = level.contexts[gram >> 8];
        followers.count += count;
        followers.kinds += 1;
    }
    return level;
}

double NgramModel::probability(Bytes context, std::uint8_t byte, int order) const {
    double probability = 1.0 / 256;
    Key history = 0;
    const std::size_t length = std::min(context.size(), static_cast<std::size_t>(order - 1));
    for (std::size_t n = 0; n <= length; ++n) {
        if (n > 0) {
            history |= Key{context[context.size() - n]} << (8 * (n - 1));
        }
        const auto followers = levels_[n].contexts.find(history);
        if (followers == levels_[n].contexts.end()) {
            break;  // nor was any longer context seen
        }
        const auto gram = levels_[n].grams.find((history << 8) | byte);
        const double seen = gram == levels_[n].grams.end() ? 0 : gram->second;
        const auto [count, kinds] = followers->second;
        probability = (seen + kinds * probability) / (count + kinds);
    }
    return probability;
}

double cross_entropy(const NgramModel& model, Bytes text, int order) {
    double sum = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        sum -= std::log(model.probability(text.first(i), text[i], order));
    }
    return sum / static_cast<double>(text.size());
}

}  // namespace language_model
