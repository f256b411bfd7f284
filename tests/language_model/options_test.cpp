#include <fulgurite/examples/language_model/options.h>

#include <string>
#include <vector>

#include <fulgurite/tests/support/catch.h>

using namespace language_model;

namespace {

Options parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "language_model");
    return parse_options(static_cast<int>(arguments.size()), arguments.data()).value();
}

std::string error_of(const std::vector<const char*>& arguments) {
    try {
        parse(arguments);
    } catch (const UsageError& error) {
        const std::string message = error.what();
        CHECK(message.find('\n') == std::string::npos);
        return message;
    }
    FAIL("no UsageError");
    return {};
}

}  // namespace

TEST_CASE("options have defaults", "[language_model]") {
    const Options options = parse({});
    CHECK(options.text.empty());
    CHECK(options.json.empty());
    CHECK(options.training.steps == TrainOptions().steps);
    CHECK(options.training.seed == TrainOptions().seed);
}

TEST_CASE("options are read", "[language_model]") {
    const Options options = parse({"--text", "some file", "--steps=20", "--seed", "18446744073709551615",
                                   "--json", "out.json", "--batch", "64"});
    CHECK(options.text == "some file");
    CHECK(options.json == "out.json");
    CHECK(options.training.steps == 20);
    CHECK(options.training.batch == 64);
    CHECK(options.training.seed == 18446744073709551615U);
}

TEST_CASE("bad options are errors that name the option", "[language_model]") {
    CHECK_THAT(error_of({"--steps", "0"}), ContainsSubstring("--steps"));
    CHECK_THAT(error_of({"--steps", "-3"}), ContainsSubstring("--steps"));
    CHECK_THAT(error_of({"--steps", "many"}), ContainsSubstring("--steps"));
    CHECK_THAT(error_of({"--steps", "1.5"}), ContainsSubstring("--steps"));
    CHECK_THAT(error_of({"--steps"}), ContainsSubstring("--steps"));
    CHECK_THAT(error_of({"--seed", "-1"}), ContainsSubstring("--seed"));
    CHECK_THAT(error_of({"--batch", "65537"}), ContainsSubstring("--batch"));
    CHECK_THAT(error_of({"--temperature", "0"}), ContainsSubstring("--temperature"));
    CHECK_THAT(error_of({"--text", ""}), ContainsSubstring("--text"));
    CHECK_THAT(error_of({"--json="}), ContainsSubstring("--json"));
    CHECK_THAT(error_of({"--nonsense"}), ContainsSubstring("--nonsense"));
    CHECK_THAT(error_of({"file"}), ContainsSubstring("file"));
}
