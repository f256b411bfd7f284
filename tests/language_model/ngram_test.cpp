#include <fulgurite/examples/language_model/ngram.h>

#include <cmath>
#include <string>
#include <vector>

#include <fulgurite/tests/support/catch.h>

using namespace language_model;

namespace {

std::vector<std::uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("Witten-Bell probabilities of a tiny text", "[language_model]") {
    const NgramModel model(bytes("abab"));
    const auto probability = [&](const std::string& context, char byte, int order) {
        return model.probability(bytes(context), static_cast<std::uint8_t>(byte), order);
    };
    // After nothing a and b twice each; after a twice b; after b and ab once a; bab ends the text.
    const double a = (2 + 2.0 / 256) / 6;
    const double a_after_b = (1 + 1 * a) / 2;
    const double b_after_a = (2 + 1 * a) / 3;
    const double a_after_ab = (1 + 1 * a_after_b) / 2;
    CHECK_THAT(probability("", 'a', 1), WithinAbs(a, 1e-12));
    CHECK_THAT(probability("", 'z', 1), WithinAbs(2.0 / 256 / 6, 1e-12));
    CHECK_THAT(probability("b", 'a', 1), WithinAbs(a, 1e-12));
    CHECK_THAT(probability("b", 'a', 2), WithinAbs(a_after_b, 1e-12));
    CHECK_THAT(probability("a", 'b', 2), WithinAbs(b_after_a, 1e-12));
    CHECK_THAT(probability("a", 'a', 2), WithinAbs(a / 3, 1e-12));
    CHECK_THAT(probability("ab", 'a', 3), WithinAbs(a_after_ab, 1e-12));
    CHECK_THAT(probability("bab", 'a', 4), WithinAbs(a_after_ab, 1e-12));

    SECTION("a context that was never seen leaves the shorter one's") {
        CHECK_THAT(probability("z", 'a', 2), WithinAbs(a, 1e-12));
        CHECK_THAT(probability("zb", 'a', 3), WithinAbs(a_after_b, 1e-12));
    }
    SECTION("a context may be shorter than the order asks for") {
        CHECK_THAT(probability("", 'a', 4), WithinAbs(a, 1e-12));
        CHECK_THAT(probability("b", 'a', 4), WithinAbs(a_after_b, 1e-12));
    }
    SECTION("cross entropy is the mean") {
        CHECK_THAT(cross_entropy(model, bytes("ab"), 2),
                   WithinAbs(-(std::log(a) + std::log(b_after_a)) / 2, 1e-12));
    }
}

TEST_CASE("the probabilities after a context sum to one", "[language_model]") {
    const NgramModel model(bytes("the cat sat on the mat; the rat \xff\xfe ate the cat."));
    const int order = GENERATE(1, 2, 3, 4);
    for (const char* context : {"", "t", "th", "the", "he ", "qqq", "\xff", "e \xff"}) {
        CAPTURE(order, context);
        double sum = 0;
        for (int byte = 0; byte < 256; ++byte) {
            const double p = model.probability(bytes(context), static_cast<std::uint8_t>(byte), order);
            CHECK(p > 0);
            sum += p;
        }
        CHECK_THAT(sum, WithinAbs(1, 1e-12));
    }
}

TEST_CASE("longer contexts predict the King James text better", "[language_model]") {
    Text text;
    try {
        text = run_text_program(king_james);
    } catch (const TextError& error) {
        SKIP(error.what());
    }
    const NgramModel model(text.training());
    CHECK_THAT(cross_entropy(model, text.held_out(), 2), WithinAbs(2.4162, 1e-3));
    CHECK_THAT(cross_entropy(model, text.held_out(), 3), WithinAbs(2.0114, 1e-3));
    CHECK_THAT(cross_entropy(model, text.held_out(), 4), WithinAbs(1.7290, 1e-3));
}
