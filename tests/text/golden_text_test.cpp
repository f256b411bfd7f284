#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include <fulgurite/tests/support/paths.h>
#include <fulgurite/tests/support/tensors.h>

// What users see of a few programs, pass by pass. FULGURITE_UPDATE_GOLDEN=1 writes the files anew: read the
// difference before committing it.

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {

struct Params {
    Tensor weight, bias;
};

/// The text of a trace without what changes with this file: its name and line numbers.
std::string text_of(const fg::Trace& trace) {
    static const std::regex where("[a-z_]+\\.(cpp|h):[0-9]+");
    return std::regex_replace(fg::to_string(trace), where, "file:line");
}

/// The traces after the given passes (the last of each name), with their headings.
std::string chosen(const std::vector<fg::Trace>& traces, const std::vector<std::string>& passes) {
    std::string text;
    for (const std::string& pass : passes) {
        const auto found = std::find_if(traces.rbegin(), traces.rend(),
                                        [&](const fg::Trace& trace) { return trace.pass == pass; });
        REQUIRE(found != traces.rend());
        text += "=== " + pass + "\n" + std::regex_replace(text_of(*found), std::regex("[0-9.]+ ms"), "T ms") +
                "\n";
    }
    return text;
}

void check_golden(const std::string& name, const std::string& text) {
    const auto path = source_root() / "tests/text/golden" / (name + ".txt");
    if (std::getenv("FULGURITE_UPDATE_GOLDEN")) std::ofstream(path) << text;
    std::ifstream file(path);
    std::ostringstream expected;
    expected << file.rdbuf();
    REQUIRE(file.good());
    CHECK(text == expected.str());
}

}  // namespace

TEST_CASE("the passes of a loss and its gradients read as they did", "[text]") {
    auto step = fg::jit(fg::value_and_grad([](const Params& p, Tensor x, Tensor y) {
                            return fg::mse_loss(fg::gelu(fg::linear(x, p.weight, p.bias)), y);
                        }),
                        {.name = "loss"});
    step.compile(Params{fg::TensorSpec({2, 3}), fg::TensorSpec({2})}, fg::TensorSpec({4, 3}),
                 fg::TensorSpec({4, 2}));
    check_golden("loss", chosen(fg::last_traces(step), {"grad", "trace", "fuse"}));
}

TEST_CASE("a program with views, numbers, a Scalar and a rebound argument reads as it did", "[text]") {
    auto f = fg::jit(
        [](Tensor& state, const Tensor& x, fg::Scalar<double> rate) {
            const Tensor rows = fg::softmax(x.t(), 1);
            state = state + rate * rows[0];
            return std::pair(fg::cumsum(rows, 0), fg::where(x > 0.5, x, -1));
        },
        {.name = "update"});
    f.compile(fg::TensorSpec({2}), fg::TensorSpec({2, 3}), 0.5);
    check_golden("update", chosen(fg::last_traces(f), {"trace", "claim"}));
}

TEST_CASE("a custom rule, and what no gradient flows through, read as they did", "[text]") {
    const auto twice =
        fg::custom_vjp([](Tensor x) { return x * 2; }, [](Tensor x) { return std::pair(x * 2, x); },
                       [](const Tensor& x, const Tensor& gradient) { return x * gradient; });
    auto f = fg::jit(fg::grad([&](Tensor x) { return fg::sum(fg::stop_gradient(fg::exp(x)) * twice(x)); }),
                     {.name = "custom"});
    f.compile(fg::TensorSpec({3}));
    check_golden("custom", chosen(fg::last_traces(f), {"grad", "claim"}));
}
