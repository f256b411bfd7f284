#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>

namespace {

std::string trimmed(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : line.substr(first);
}

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(fulgurite::tests::source_root() / path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(trimmed(line));
    return lines;
}

}  // namespace

TEST_CASE("the README's program is the quickstart, which the tests run", "[docs]") {
    const std::vector<std::string> readme = lines_of("README.md");
    const std::vector<std::string> quickstart = lines_of("examples/quickstart/quickstart.cpp");
    const auto begin = std::find(readme.begin(), readme.end(), "```cpp");
    REQUIRE(begin != readme.end());
    const auto end = std::find(begin, readme.end(), "```");
    REQUIRE(end - begin > 15);
    for (auto line = begin + 1; line != end; ++line) {
        INFO(*line);
        CHECK(std::find(quickstart.begin(), quickstart.end(), *line) != quickstart.end());
    }
}
