#pragma once

#include <unordered_map>

#include "text.h"

namespace language_model {

/// Interpolated n-gram models over bytes with Witten and Bell's weights:
///     P(c | h) = (count(h c) + kinds(h) P(c | h without its first byte)) / (count(h) + kinds(h)),
/// where kinds(h) is the number of different bytes seen after h, and below the unigrams all bytes are equal.
class NgramModel {
public:
    static constexpr int highest_order = 4;

    explicit NgramModel(Bytes text);

    /// Of `byte` after `context`, of which the last order - 1 bytes count, or all if there are fewer.
    double probability(Bytes context, std::uint8_t byte, int order) const;

private:
    using Key = std::uint32_t;  ///< the bytes of a gram, the last one lowest
    struct Followers {
        double count = 0, kinds = 0;
    };
    /// Of one length n: how often each n-gram occurs, and what follows each context of n - 1 bytes.
    struct Level {
        std::unordered_map<Key, std::uint32_t> grams;
        std::unordered_map<Key, Followers> contexts;
    };
    static Level count_grams(Bytes text, std::size_t length);

    Level levels_[highest_order];
};

/// Mean over every position of `text`, in nats a byte.
double cross_entropy(const NgramModel& model, Bytes text, int order);

}  // namespace language_model
