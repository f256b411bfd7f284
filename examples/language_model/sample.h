#pragma once

#include <array>
#include <functional>
#include <random>
#include <string>

#include "text.h"

namespace language_model {

/// One of the 256 bytes by the weights probability^(1 / temperature): below 1 the likely ones gain, above 1
/// they lose.
std::uint8_t draw_byte(const std::array<float, 256>& probabilities, double temperature,
                       std::mt19937_64& random);

/// The distribution of the byte after a context.
using NextByte = std::function<std::array<float, 256>(Bytes context)>;

/// `count` bytes that continue `context`, each drawn after all those before it. A byte that no terminal shows
/// is drawn like the others, and printed as a question mark.
std::string sample(const NextByte& next_byte, Bytes context, std::size_t count, double temperature,
                   std::mt19937_64& random);

}  // namespace language_model
