#include <fulgurite/examples/language_model/sample.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include <fulgurite/tests/support/catch.h>

using namespace language_model;

namespace {

/// How often 'a' is drawn at this temperature when it is three times as likely as 'b'.
double share_of_a(double temperature) {
    std::array<float, 256> probabilities{};
    probabilities['a'] = 0.75F;
    probabilities['b'] = 0.25F;
    std::mt19937_64 random(7);
    constexpr int draws = 20'000;
    int drawn = 0;
    for (int i = 0; i < draws; ++i) {
        const std::uint8_t byte = draw_byte(probabilities, temperature, random);
        REQUIRE((byte == 'a' || byte == 'b'));
        drawn += byte == 'a';
    }
    return static_cast<double>(drawn) / draws;
}

}  // namespace

TEST_CASE("a temperature sharpens or flattens the distribution", "[language_model]") {
    CHECK_THAT(share_of_a(1), WithinAbs(0.75, 0.02));
    CHECK_THAT(share_of_a(0.5), WithinAbs(0.9, 0.02));  // 9 to 1
    CHECK_THAT(share_of_a(100), WithinAbs(0.5, 0.02));
    CHECK(share_of_a(0.01) == 1);
}

TEST_CASE("each byte of a sample follows those before it", "[language_model]") {
    const NextByte successor = [](Bytes context) {
        std::array<float, 256> probabilities{};
        probabilities[context.back() + 1U] = 1;
        return probabilities;
    };
    std::mt19937_64 random(1);
    const std::vector<std::uint8_t> context{'x', 'a'};
    CHECK(sample(successor, context, 5, 0.7, random) == "bcdef");
    CHECK(sample(successor, context, 0, 0.7, random).empty());
    CHECK(sample(successor, std::vector<std::uint8_t>{'}'}, 2, 1, random) == "~?");
}
