#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

std::string trimmed(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : line.substr(first);
}

Lines lines_of(const fs::path& path) {
    std::ifstream file(path);
    REQUIRE(file.good());
    Lines lines;
    for (std::string line; std::getline(file, line);) lines.push_back(trimmed(line));
    return lines;
}

/// The C++ programs of a page.
std::vector<Lines> programs_of(const fs::path& page) {
    std::vector<Lines> programs;
    bool inside = false;
    for (const std::string& line : lines_of(page)) {
        if (line == "```cpp") {
            programs.emplace_back();
            inside = true;
        } else if (line == "```") {
            inside = false;
        } else if (inside && !line.empty()) {
            programs.back().push_back(line);
        }
    }
    return programs;
}

/// Whether a source has all lines of the program, in their order.
bool has(const Lines& source, const Lines& program) {
    auto from = source.begin();
    for (const std::string& line : program) {
        from = std::find(from, source.end(), line);
        if (from == source.end()) return false;
        ++from;
    }
    return true;
}

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == extension) files.push_back(entry.path());
    }
    return files;
}

}  // namespace

TEST_CASE("every C++ program of the pages is part of a source that the tests compile and run", "[docs]") {
    const fs::path root = fulgurite::tests::source_root();
    std::vector<Lines> sources;
    for (const char* folder : {"examples", "tests/docs", "tests/samples"}) {
        for (const fs::path& file : files_in(root / folder, ".cpp")) sources.push_back(lines_of(file));
    }
    std::vector<fs::path> pages = files_in(root / "docs", ".md");
    for (const char* page : {"README.md", "CONTRIBUTING.md"}) pages.push_back(root / page);
    std::size_t programs = 0;
    for (const fs::path& page : pages) {
        if (page.parent_path().filename() == "decisions") continue;  // they weigh what is not taken too
        for (const Lines& program : programs_of(page)) {
            ++programs;
            INFO(page << ": the program that begins with\n" << program.at(0));
            CHECK(std::any_of(sources.begin(), sources.end(),
                              [&](const Lines& source) { return has(source, program); }));
        }
    }
    CHECK(programs >= 7);
}

TEST_CASE("the README opens with a whole program", "[docs]") {
    const auto programs = programs_of(fulgurite::tests::source_root() / "README.md");
    REQUIRE(!programs.empty());
    CHECK(programs[0].size() > 15);
}
