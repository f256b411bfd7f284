#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fulgurite/tests/include_directions/include_rules.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>

namespace fs = std::filesystem;
using fulgurite::tests::include_errors;
using fulgurite::tests::is_public_header;

namespace {

std::string read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Every .h and .cpp of ours, relative to the root.
std::vector<std::string> sources() {
    const fs::path root = fulgurite::tests::source_root();
    std::vector<std::string> found;
    for (const char* name : {"fulgurite.h", "fulgurite.cpp"}) {
        found.emplace_back(name);
    }
    for (const char* folder :
         {"core", "transforms", "runtime", "executors", "examples", "benchmarks", "tests"}) {
        if (!fs::exists(root / folder)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const auto extension = entry.path().extension();
            if (entry.is_regular_file() && (extension == ".h" || extension == ".cpp")) {
                found.push_back(fs::relative(entry.path(), root).generic_string());
            }
        }
    }
    return found;
}

}  // namespace

TEST_CASE("includes point from the outside in", "[includes]") {
    const auto files = sources();
    REQUIRE(files.size() > 5);
    for (const std::string& file : files) {
        const std::string text = read(fulgurite::tests::source_root() / file);
        REQUIRE_FALSE(text.empty());
        for (const std::string& error : include_errors(file, text)) {
            UNSCOPED_INFO(error);
            CHECK(error.empty());
        }
    }
}

TEST_CASE("the rules of includes catch what they are for", "[includes]") {
    const auto include = [](const std::string& path, const std::string& name) {
        return include_errors(path, "#include " + name + "\n");
    };
    SECTION("allowed") {
        const auto [from, to] = GENERATE(table<std::string, std::string>({
            {"core/a.h", "<fulgurite/core/b.h>"},
            {"core/a.h", "<vector>"},
            {"core/a.cpp", "<boost/graph/adjacency_list.hpp>"},
            {"core/a_internal.h", "<fmt/format.h>"},
            {"core/fmt.h", "<fmt/format.h>"},
            {"transforms/a.h", "<fulgurite/core/b.h>"},
            {"runtime/a.cpp", "<fulgurite/transforms/b.h>"},
            {"runtime/a.cpp", "<fulgurite/runtime/internal/b.h>"},
            {"runtime/cuda/a.h", "<cuda.h>"},
            {"executors/x/a.cpp", "<fulgurite/runtime/cuda/b.h>"},
            {"fulgurite.h", "<fulgurite/runtime/b.h>"},
            {"fulgurite.cpp", "<fulgurite/fulgurite.h>"},
            {"fulgurite.cpp", "<fulgurite/executors/x/b.h>"},
            {"examples/x/main.cpp", "<fulgurite/fulgurite.h>"},
            {"examples/x/main.cpp", "\"model.h\""},
            {"tests/x/a.cpp", "<fulgurite/executors/x/b.h>"},
        }));
        CAPTURE(from, to);
        CHECK(include(from, to).empty());
    }
    SECTION("refused") {
        const auto [from, to] = GENERATE(table<std::string, std::string>({
            {"core/a.h", "<fulgurite/transforms/b.h>"},
            {"core/a.cpp", "<fulgurite/runtime/b.h>"},
            {"core/a.cpp", "\"b.h\""},
            {"core/a.h", "<fulgurite/fulgurite.h>"},
            {"core/a.h", "<fulgurite/core/internal/b.h>"},
            {"core/a.h", "<fulgurite/core/b_internal.h>"},
            {"core/a.h", "<boost/graph/adjacency_list.hpp>"},
            {"core/a.h", "<fmt/format.h>"},
            {"core/a.h", "<nlohmann/json.hpp>"},
            {"runtime/a.h", "<cuda_runtime.h>"},
            {"runtime/a.h", "<llvm/IR/Module.h>"},
            {"transforms/a.cpp", "<fulgurite/executors/x/b.h>"},
            {"executors/x/a.cpp", "<fulgurite/fulgurite.h>"},
            {"executors/x/a.cpp", "<fulgurite/tests/support/catch.h>"},
            {"fulgurite.h", "<fulgurite/executors/x/b.h>"},
            {"fulgurite.cpp", "<fulgurite/examples/x/model.h>"},
            {"examples/x/main.cpp", "<fulgurite/tests/support/paths.h>"},
            {"examples/x/main.cpp", "\"../y/model.h\""},
            {"elsewhere/a.h", "<vector>"},
            {"core/a.h", "<fulgurite/elsewhere/a.h>"},
        }));
        CAPTURE(from, to);
        CHECK(include(from, to).size() == 1);
    }
}

TEST_CASE("an include error names file, line and header", "[includes]") {
    const auto errors =
        include_errors("core/a.h", "#pragma once\n  #  include <fulgurite/runtime/b.h> // no\n");
    REQUIRE(errors.size() == 1);
    CHECK_THAT(errors[0], StartsWith("core/a.h:2: fulgurite/runtime/b.h: "));
    CHECK(is_public_header("core/a.h"));
    CHECK_FALSE(is_public_header("executors/x/a.h"));
}
