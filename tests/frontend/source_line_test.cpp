#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {

std::string here(unsigned line) { return "source_line_test.cpp:" + std::to_string(line); }

/// The line that each call of the trace was written on.
std::vector<unsigned> lines_of(const fg::Trace& trace) {
    std::vector<unsigned> lines;
    for (const auto& call : trace.body) lines.push_back(call->where.line);
    return lines;
}

}  // namespace

TEST_CASE("every traced op knows its line") {
    unsigned first = 0;
    const auto f = [&](Tensor a, Tensor b) {
        first = __LINE__ + 1;
        Tensor c = a + b;
        c = fg::matmul(c, b) * 2;
        c = -c;
        c = fg::sum(c, {.dim = 0});
        c = c.t();
        c = fg::where(c > 0, c, fg::zeros({2}));
        return c;
    };
    const fg::Trace trace = fg::trace(f, fg::TensorSpec({2, 2}), fg::TensorSpec({2, 2}));
    std::vector<unsigned> distinct = lines_of(trace);
    CHECK(std::is_sorted(distinct.begin(), distinct.end()));
    for (const auto& call : trace.body) CHECK(fg::to_string(call->where) == here(call->where.line));
    CHECK(distinct.front() == first);
    CHECK(distinct.back() == first + 5);
    CHECK(std::count(distinct.begin(), distinct.end(), first + 1) == 2);
    CHECK_THAT(fg::to_string(trace), ContainsSubstring(here(first + 3)));
}

TEST_CASE("a composite's parts have the user's line") {
    unsigned line = 0;
    const auto f = [&](Tensor x) {
        line = __LINE__ + 1;
        return fg::gelu(x);
    };
    const fg::Trace trace = fg::trace(f, fg::TensorSpec({2}));
    REQUIRE(trace.body.size() == 1);
    CHECK(trace.body[0]->where.line == line);
    for (const auto& part : trace.body[0]->subsymbols) CHECK(part->where.line == line);
}

TEST_CASE("what grad and claim make has the line of what it was made from") {
    unsigned line = 0;
    auto f = fg::jit(fg::grad([&](Tensor x) {
        line = __LINE__ + 1;
        const Tensor y = fg::tanh(x) * 3;
        return fg::sum(y);
    }));
    f(fg::tensor({1.0, 2.0}));
    for (const auto& call : fg::last_traces(f).back().body) {
        if (call->symbol->name == "prims::tanh") CHECK(call->where.line == line);
        CHECK(call->where.line >= line);
        CHECK(call->where.line <= line + 1);
    }
}

TEST_CASE("an error of an operator begins with the op, the file and the line") {
    const Tensor a = fg::ones({2, 3}), b = fg::ones({4, 3});
    const unsigned line = __LINE__ + 1;
    const std::string eager = thrown<fg::ShapeError>([&] { a + b; });
    CHECK_THAT(eager, StartsWith("[add] " + here(line) + ": ") && ContainsSubstring("[2, 3]") &&
                          ContainsSubstring("[4, 3]"));
    unsigned traced_line = 0;
    auto f = fg::jit([&](Tensor x, Tensor y) {
        traced_line = __LINE__ + 1;
        return x * y;
    });
    const std::string traced = thrown<fg::ShapeError>([&] { f(a, b); });
    CHECK_THAT(traced, StartsWith("[mul] " + here(traced_line) + ": ") && ContainsSubstring("[4, 3]"));
}

TEST_CASE("a call over several lines is named by one of them") {
    const unsigned first = __LINE__ + 1;
    const std::string text = thrown<fg::ShapeError>([] {
        fg::matmul(fg::ones({2, 3}),   // comments keep
                   fg::ones({2, 3}));  // the lines apart
    });
    CHECK_THAT(text, StartsWith("[matmul] source_line_test.cpp:") && ContainsSubstring("[2, 3]"));
    bool named = false;
    for (unsigned line = first; line < first + 4; ++line) named |= text.find(here(line) + ":") != text.npos;
    CHECK(named);
}

TEST_CASE("an error in a part of a composite names the user's line and the op that was called") {
    const unsigned line = __LINE__ + 1;
    const std::string text = thrown<fg::Error>([] { fg::linear(fg::ones({2, 3}), fg::ones({4, 5})); });
    CHECK_THAT(text, ContainsSubstring(here(line)) && ContainsSubstring("[4, 5]"));
}

TEST_CASE("errors of views, reductions and factories name their lines") {
    const Tensor x = fg::ones({2, 3});
    unsigned line = __LINE__ + 1;
    CHECK_THAT(thrown<fg::IndexError>([&] { fg::sum(x, {.dim = 5}); }), StartsWith("[sum] " + here(line)));
    line = __LINE__ + 1;
    CHECK_THAT(thrown<fg::ShapeError>([&] { fg::reshape(x, {5}); }), StartsWith("[reshape] " + here(line)));
    line = __LINE__ + 1;
    CHECK_THAT(thrown<fg::ValueError>([&] { fg::arange(0, 5, -1); }), StartsWith("[arange] " + here(line)));
    line = __LINE__ + 1;
    CHECK_THAT(thrown<fg::DTypeError>([&] { fg::bitwise_and(x, x); }), ContainsSubstring(here(line)));
}

TEST_CASE("an error leaves no line behind for the next") {
    CHECK_THROWS_AS(fg::ones({2}) + fg::ones({3}), fg::ShapeError);
    CHECK_FALSE(fg::current_location().known());
    CHECK_THAT(thrown<fg::ValueError>([] { Tensor().shape(); }), !ContainsSubstring(".cpp:"));
}
