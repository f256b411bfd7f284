#include <array>
#include <cstdio>
#include <filesystem>

#include <fulgurite/tests/support/catch.h>
#include <fulgurite/tests/support/paths.h>

namespace {

struct Ran {
    int status = -1;
    std::string output;
};

/// Runs a built example, and takes both of its outputs.
Ran run(const std::string& name) {
    const auto binary = fulgurite::tests::build_root() / "examples" / name / name;
    if (!std::filesystem::exists(binary)) return {};
    Ran ran;
    FILE* pipe = popen(("'" + binary.string() + "' 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        ran.output.append(buffer.data(), count);
    ran.status = pclose(pipe);
    return ran;
}

}  // namespace

TEST_CASE("quickstart learns the line, and shows its trace and who ran it") {
    const Ran ran = run("quickstart");
    INFO(ran.output);
    REQUIRE(ran.status == 0);
    CHECK_THAT(ran.output, StartsWith("step 0  loss 21"));
    CHECK_THAT(ran.output, ContainsSubstring("weight 2") || ContainsSubstring("weight 1.99"));
    CHECK_THAT(ran.output, ContainsSubstring("quickstart.cpp:1"));
    CHECK_THAT(ran.output, ContainsSubstring("reference runs") && ContainsSubstring("499 hits, 1 misses"));
}

TEST_CASE("custom_executor is claimed for float32, and refuses float64 with its reason") {
    const Ran ran = run("custom_executor");
    INFO(ran.output);
    REQUIRE(ran.status == 0);
    CHECK_THAT(ran.output, ContainsSubstring("quick::gelu") && ContainsSubstring("quick::gelu_backward"));
    CHECK_THAT(ran.output, ContainsSubstring("quick refused gelu") &&
                               ContainsSubstring("quick_gelu takes float32, not float64"));
}

TEST_CASE("blas_executor takes the matrix product") {
    const Ran ran = run("blas_executor");
    if (ran.status == -1) SKIP("no CBLAS here: the example was left out");
    INFO(ran.output);
    REQUIRE(ran.status == 0);
    CHECK_THAT(ran.output, ContainsSubstring("14") && ContainsSubstring("77"));
    CHECK_THAT(ran.output, ContainsSubstring("blas runs prims::matmul"));
}
