#include <fulgurite/examples/language_model/text.h>

#include <functional>
#include <string>

#include <fulgurite/tests/language_model/scratch_folder.h>
#include <fulgurite/tests/support/catch.h>

using namespace language_model;
using language_model::tests::ScratchFolder;

namespace {

/// What the error says; it is one line.
std::string error_of(const std::function<void()>& function) {
    try {
        function();
    } catch (const TextError& error) {
        const std::string message = error.what();
        CHECK(message.find('\n') == std::string::npos);
        return message;
    }
    FAIL("no TextError");
    return {};
}

std::string read_error(const std::string& path) {
    return error_of([&] { read_text(path); });
}

std::uint64_t fnv1a_of(const std::string& text) {
    return fnv1a(std::vector<std::uint8_t>(text.begin(), text.end()));
}

}  // namespace

TEST_CASE("a text from a file is split in nine tenths and one", "[language_model]") {
    const ScratchFolder folder;
    const Text text = read_text(folder.write("text", std::string(90'000, 'a') + std::string(10'007, 'b')));
    CHECK(text.bytes.size() == 100'007);
    CHECK(text.training().size() == 90'000);
    CHECK(text.held_out().size() == 10'007);
    CHECK(text.training().back() == 'a');
    CHECK(text.held_out().front() == 'b');
}

TEST_CASE("a text may have every byte", "[language_model]") {
    const ScratchFolder folder;
    std::string bytes;
    for (int i = 0; i < 100 * 256; ++i) {
        bytes.push_back(static_cast<char>(i % 256));
    }
    const Text text = read_text(folder.write("text", bytes));
    CHECK(std::string(text.bytes.begin(), text.bytes.end()) == bytes);
}

TEST_CASE("an unusable text file is an error that names it", "[language_model]") {
    const ScratchFolder folder;
    CHECK_THAT(read_error(folder.path("missing")), ContainsSubstring("missing': No such file or directory"));
    CHECK_THAT(read_error(folder.path("")), ContainsSubstring("': it is a directory"));
    CHECK_THAT(read_error(folder.write("nothing", "")), ContainsSubstring("nothing' is empty"));
    CHECK_THAT(read_error(folder.write("short", std::string(9'999, 'x'))),
               ContainsSubstring("short' is too short: 9999 bytes, at least 10000 are needed"));
    CHECK(read_text(folder.write("enough", std::string(10'000, 'x'))).bytes.size() == 10'000);
}

TEST_CASE("the checksum is FNV-1a", "[language_model]") {
    CHECK(fnv1a_of("") == 0xcbf29ce484222325);
    CHECK(fnv1a_of("a") == 0xaf63dc4c8601ec8c);
    CHECK(fnv1a_of("foobar") == 0x85944171f73967e8);
}

TEST_CASE("a program's text is checked", "[language_model]") {
    const std::uint64_t sum = fnv1a_of("foobar");
    const auto error = [](const TextProgram& program) {
        return error_of([&] { run_text_program(program); });
    };
    CHECK(run_text_program({"printf foobar", 6, sum}).bytes.size() == 6);
    CHECK_THAT(error({"printf foobar", 7, sum}),
               ContainsSubstring("another text: 6 bytes with checksum 85944171f73967e8, expected 7 with"));
    CHECK_THAT(error({"printf foobaz", 6, sum}), ContainsSubstring("expected 6 with 85944171f73967e8"));
    CHECK_THAT(error({"no-such-program -f", 6, sum}),
               ContainsSubstring("'no-such-program' was not found") && ContainsSubstring("--text FILE"));
    CHECK_THAT(error({"false", 6, sum}), ContainsSubstring("'false' failed"));
}
