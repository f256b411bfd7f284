#include <fulgurite/tests/include_directions/include_rules.h>

#include <array>
#include <regex>
#include <sstream>
#include <utility>

namespace fulgurite::tests {
namespace {

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
    for (const std::string_view prefix : prefixes) {
        if (text.starts_with(prefix)) {
            return true;
        }
    }
    return false;
}

/// The place of a file in core <- transforms <- runtime <- executors <- fulgurite.cpp <- examples, tests,
/// benchmarks. fulgurite.h, the umbrella, may include what it gathers, and only what lies beyond the
/// executors may include it.
int rank(std::string_view path) {
    static constexpr std::array<std::pair<std::string_view, int>, 9> ranks{{{"core/", 0},
                                                                            {"transforms/", 1},
                                                                            {"runtime/", 2},
                                                                            {"executors/", 3},
                                                                            {"fulgurite.h", 4},
                                                                            {"fulgurite.cpp", 5},
                                                                            {"examples/", 6},
                                                                            {"benchmarks/", 7},
                                                                            {"tests/", 7}}};
    for (const auto& [prefix, value] : ranks) {
        if (path.starts_with(prefix)) {
            return value;
        }
    }
    return -1;
}

bool is_third_party(std::string_view include) {
    return starts_with_any(include, {"boost/", "fmt/", "llvm/", "llvm-c/", "nlohmann/", "CLI/", "cuda",
                                     "cublas", "cudnn", "cutlass/", "nccl", "nvrtc", "nvJitLink",
                                     "nvToolsExt", "driver_types.h", "vector_types.h", "cblas"});
}

}  // namespace

bool is_public_header(std::string_view path) {
    return path.ends_with(".h") && !path.ends_with("_internal.h") &&
           path.find("/internal/") == std::string_view::npos &&
           starts_with_any(path, {"fulgurite.h", "core/", "transforms/", "runtime/"}) &&
           !starts_with_any(path, {"runtime/llvm/", "runtime/cuda/"});
}

std::vector<std::string> include_errors(const std::string& path, const std::string& text) {
    std::vector<std::string> errors;
    const int from = rank(path);
    if (from < 0) {
        return {path + ": lies in no folder whose place is known"};
    }
    const bool in_library = from <= 5;

    static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::smatch match;
        if (!std::regex_search(line, match, include)) {
            continue;
        }
        const std::string name = match[2];
        const auto error = [&](const std::string& what) {
            errors.push_back(path + ":" + std::to_string(number) + ": " + name + ": " + what);
        };
        static constexpr std::string_view prefix = "fulgurite/";
        if (match[1] == "\"" && (in_library || name.find("..") != std::string::npos)) {
            error("a header of ours is included as <fulgurite/...>");
        } else if (is_public_header(path) && is_third_party(name)) {
            if (path != "core/fmt.h") {  // the optional header for users of fmt
                error("a public header needs no other library");
            }
        } else if (match[1] == "<" && name.starts_with(prefix)) {
            const std::string target = name.substr(prefix.size());
            const int to = rank(target);
            if (to < 0) {
                error("lies in no folder whose place is known");
            } else if (to > from || (path == "fulgurite.h" && to == 3)) {
                error("the arrow points the wrong way");
            } else if (is_public_header(path) && !is_public_header(target)) {
                error("a public header includes one that is not installed");
            }
        }
    }
    return errors;
}

}  // namespace fulgurite::tests
