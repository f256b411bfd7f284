#include "sample.h"

#include <algorithm>
#include <cmath>

namespace language_model {

namespace {
char printable(std::uint8_t byte) {
    const bool shown = byte == '\n' || (byte >= 0x20 && byte != 0x7f);
    return shown ? static_cast<char>(byte) : '?';
}
}  // namespace

std::uint8_t draw_byte(const std::array<float, 256>& probabilities, double temperature,
                       std::mt19937_64& random) {
    const double highest = *std::max_element(probabilities.begin(), probabilities.end());
    std::array<double, 256> weights;
    std::transform(probabilities.begin(), probabilities.end(), weights.begin(),
                   [=](double p) { return std::pow(p / highest, 1 / temperature); });
    std::discrete_distribution<int> draw(weights.begin(), weights.end());
    return static_cast<std::uint8_t>(draw(random));
}

std::string sample(const NextByte& next_byte, Bytes context, std::size_t count, double temperature,
                   std::mt19937_64& random) {
    std::vector<std::uint8_t> bytes(context.begin(), context.end());
    std::string drawn;
    for (std::size_t i = 0; i < count; ++i) {
        bytes.push_back(draw_byte(next_byte(bytes), temperature, random));
        drawn.push_back(printable(bytes.back()));
    }
    return drawn;
}

}  // namespace language_model
