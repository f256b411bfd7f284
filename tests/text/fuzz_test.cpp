#include <cctype>
#include <random>

#include <fulgurite/core/errors.h>
#include <fulgurite/core/text.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/text/traces.h>

using namespace fulgurite;

namespace {

/// Another number, or another word of the same text, in place of one; or a wrong byte.
class Spoiler {
public:
    explicit Spoiler(std::uint32_t seed) : random_(seed) {}

    std::string spoil(std::string text) {
        switch (random_() % 4) {
            case 0:
                return with_byte(std::move(text));
            case 1:
                return with_word(std::move(text));
            default:
                return with_number(std::move(text));
        }
    }

private:
    std::string with_byte(std::string text) {
        text[random_() % text.size()] = static_cast<char>(random_() % 256);
        return text;
    }
    std::string with_number(std::string text) {
        static const char* const numbers[] = {
            "-1",        "0",         "1",    "7",   "2147483648", "9223372036854775807",
            "int64_min", "0x1p+1023", "none", "true"};
        return replaced(std::move(text), "0123456789", numbers[random_() % std::size(numbers)]);
    }
    std::string with_word(std::string text) {
        const std::string letters = "abcdefghijklmnopqrstuvwxyz_:0123456789";
        const std::size_t from = text.find_first_of(letters, random_() % text.size());
        if (from == text.npos) return text;
        const std::string word = text.substr(from, text.find_first_not_of(letters, from) - from);
        return replaced(std::move(text), letters, word);
    }
    /// The run of these letters after a random place, replaced.
    std::string replaced(std::string text, const std::string& letters, const std::string& by) {
        const std::size_t begin = text.find_first_of(letters, random_() % text.size());
        if (begin == text.npos) return text;
        const std::size_t end = std::min(text.find_first_not_of(letters, begin), text.size());
        return text.replace(begin, end - begin, by);
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("a spoiled text of real ops is a trace or an error", "[text][fuzz]") {
    Spoiler spoiler(24);
    for (const tests::NamedTrace& named : tests::text_traces()) {
        const std::string text = print(named.trace, {.source_lines = false});
        for (int round = 0; round < 40; ++round) {
            std::string spoiled = spoiler.spoil(text);
            if (round % 2) spoiled = spoiler.spoil(spoiled);
            INFO(spoiled);
            try {
                const Trace trace = parse(spoiled);
                CHECK(parse(print(trace)) == trace);
            } catch (const Error&) {
            }
        }
    }
}
