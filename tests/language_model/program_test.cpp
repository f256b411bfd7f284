// Runs the built program.

#include <algorithm>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <fulgurite/tests/language_model/scratch_folder.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>

using language_model::tests::ScratchFolder;

namespace {

struct Run {
    int status;
    std::string out, err;
};

Run run(const ScratchFolder& folder, const std::string& arguments) {
    const auto program = fulgurite::tests::build_root() / "examples/language_model/language_model";
    const std::string command = "'" + program.string() + "' " + arguments + " >'" + folder.path("stdout") +
                                "' 2>'" + folder.path("stderr") + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout"), folder.read("stderr")};
}

std::string small_text() {
    std::string text;
    for (int verse = 1; text.size() < 12'000; ++verse) {
        text += std::to_string(verse) + " And the evening and the morning were the day " +
                std::to_string(verse * verse) + ".\n";
    }
    return text;
}

void check_refused(const ScratchFolder& folder, const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    const Run result = run(folder, arguments);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, StartsWith("language_model: ") && ContainsSubstring(message) && EndsWith("\n"));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("the language model trains, samples and reports", "[language_model]") {
    const ScratchFolder folder;
    const std::string text = folder.write("text", small_text());
    const std::string json_file = folder.path("results.json");
    const Run result =
        run(folder, "--steps 20 --batch 32 --sample 10 --text '" + text + "' --json '" + json_file + "'");
    CAPTURE(result.out, result.err);
    REQUIRE(result.status == 0);
    CHECK(result.err.empty());
    for (const char* line : {"\nstep 20 of 20, loss ", "\nheld-out loss: ", "\nbigram entropy: ",
                             "\ntrigram entropy: ", "\n4-gram entropy: "}) {
        CHECK_THAT(result.out, ContainsSubstring(line));
    }
    const auto json = nlohmann::json::parse(folder.read("results.json"));
    CHECK(json.at("held_out_loss").get<double>() > 0);
    CHECK(json.at("held_out_loss").get<double>() < 6.5);  // of 256 equal bytes: 5.55
    CHECK(json.at("fourgram_entropy") < json.at("bigram_entropy"));
    CHECK(json.at("seconds") > 0);
}

TEST_CASE("the language model refuses bad arguments and texts with status 2", "[language_model]") {
    const ScratchFolder folder;
    check_refused(folder, "--text '" + folder.path("missing") + "'", "No such file");
    check_refused(folder, "--text '" + folder.path("") + "'", "is a directory");
    check_refused(folder, "--text '" + folder.write("nothing", "") + "'", "is empty");
    check_refused(folder, "--text '" + folder.write("short", "In the beginning") + "'", "too short");
    const std::string text = folder.write("text", small_text());
    check_refused(folder, "--text '" + text + "' --json '" + folder.path("no/results.json") + "'",
                  "cannot write");
    check_refused(folder, "--steps none", "--steps");
    check_refused(folder, "--nonsense", "--nonsense");
}

TEST_CASE("the language model says what it needs when the King James text is not installed",
          "[language_model]") {
    const ScratchFolder folder;
    const auto path = std::string(getenv("PATH"));
    setenv("PATH", folder.path("").c_str(), 1);
    check_refused(folder, "--steps 1", "bible-kjv");
    setenv("PATH", path.c_str(), 1);
}
