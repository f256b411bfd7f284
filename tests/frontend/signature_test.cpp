#include <mutex>

#include <fulgurite/runtime/eager.h>
#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {

enum class Mode { fast, exact };

/// Takes what is logged while it lives.
class Log {
public:
    Log() {
        fg::set_log_sink([this](fg::LogLevel level, std::string_view message) {
            if (level == fg::LogLevel::warning) warnings.emplace_back(message);
        });
    }
    ~Log() { fg::set_log_sink({}); }
    std::vector<std::string> warnings;
};

}  // namespace

TEST_CASE("shape, dtype and strides are the signature, elements are not") {
    auto f = fg::jit([](Tensor x) { return x + 1; });
    f(fg::ones({2, 3}));
    f(fg::zeros({2, 3}));
    CHECK(fg::cache_misses(f) == 1);
    f(fg::ones({3, 2}));
    CHECK(fg::cache_misses(f) == 2);
    f(fg::ones({3, 2}, {.dtype = fg::float64}));
    CHECK(fg::cache_misses(f) == 3);
    f(fg::ones({2, 3}).t());
    CHECK(fg::cache_misses(f) == 4);
    f(fg::ones({6}));
    CHECK(fg::cache_misses(f) == 5);
    f(fg::ones({}));
    CHECK(fg::cache_misses(f) == 6);
    f(fg::ones({0, 3}));
    CHECK(fg::cache_misses(f) == 7);
    f(fg::ones({3, 2}));
    CHECK(fg::cache_misses(f) == 7);
    CHECK(fg::cache_hits(f) == 2);
}

TEST_CASE("strides of dimensions of size 1 do not count") {
    auto f = fg::jit([](Tensor x) { return x * 2; });
    const Tensor x = fg::ones({1, 3});
    f(x);
    f(fg::ones({3, 1}).t());
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("numbers, bools, enums, strings, dtypes and shapes are static") {
    auto f = fg::jit([](Tensor x, int n, double by, bool twice, Mode mode, const std::string& name,
                        fg::DType dtype, const fg::Shape& shape) {
        Tensor y = fg::reshape(x, shape).to(dtype);
        for (int i = 0; i < n; ++i) y = y * by;
        if (twice) y = y + y;
        if (mode == Mode::exact) y = y + 0.25;
        return name == "negative" ? -y : y;
    });
    const Tensor x = fg::ones({2});
    CHECK(values(f(x, 2, 3.0, false, Mode::fast, "", fg::float32, {2})) == List{9, 9});
    CHECK(values(f(x, 1, 3.0, false, Mode::fast, "", fg::float32, {2})) == List{3, 3});
    CHECK(values(f(x, 1, 2.0, false, Mode::fast, "", fg::float32, {2})) == List{2, 2});
    CHECK(values(f(x, 1, 2.0, true, Mode::fast, "", fg::float32, {2})) == List{4, 4});
    CHECK(values(f(x, 1, 2.0, true, Mode::exact, "", fg::float32, {2})) == List{4.25, 4.25});
    CHECK(values(f(x, 1, 2.0, true, Mode::exact, "negative", fg::float32, {2})) == List{-4.25, -4.25});
    CHECK(f(x, 1, 2.0, true, Mode::exact, "negative", fg::float64, {2}).dtype() == fg::float64);
    CHECK(f(x, 1, 2.0, true, Mode::exact, "negative", fg::float64, {1, 2}).shape() == fg::Shape({1, 2}));
    CHECK(fg::cache_misses(f) == 8);
    CHECK(values(f(x, 2, 3.0, false, Mode::fast, "", fg::float32, {2})) == List{9, 9});
    CHECK(fg::cache_misses(f) == 8);
}

TEST_CASE("strings cannot run into their neighbours in the signature") {
    auto f = fg::jit([](Tensor x, const std::string& a, const std::string& b) {
        return x + static_cast<double>(10 * a.size() + b.size());
    });
    CHECK(values(f(fg::zeros({1}), "ab", "c")) == List{21});
    CHECK(values(f(fg::zeros({1}), "a", "bc")) == List{12});
}

TEST_CASE("explain says why each program was compiled") {
    auto f = fg::jit([](Tensor x, int n) { return x * n; }, {.name = "scaled"});
    f(fg::ones({2}), 1);
    CHECK_THAT(fg::explain(f),
               ContainsSubstring("scaled: 1 specialisation(s)") && ContainsSubstring("first call"));
    f(fg::ones({3}), 1);
    CHECK_THAT(fg::explain(f), ContainsSubstring("arg0: float32[2] -> float32[3]"));
    f(fg::ones({3}), 2);
    CHECK_THAT(fg::explain(f), ContainsSubstring("arg1: 1 -> 2"));
    CHECK_THAT(fg::explain(f), ContainsSubstring("reference runs"));
    auto list = fg::jit([](const std::vector<Tensor>& x) { return x[0]; });
    list({fg::ones({1})});
    list({fg::ones({1}), fg::ones({1})});
    CHECK_THAT(fg::explain(list), ContainsSubstring("another structure of arguments"));
}

TEST_CASE("a static argument that keeps causing compilations is named, and logged once") {
    const Log log;
    auto f = fg::jit([](Tensor x, int epoch) { return x * epoch; }, {.name = "epochs"});
    for (int epoch = 0; epoch < 12; ++epoch) f(fg::ones({1}), epoch);
    REQUIRE(log.warnings.size() == 1);
    CHECK_THAT(log.warnings[0],
               ContainsSubstring("epochs") && ContainsSubstring("arg1") && ContainsSubstring("Scalar"));
    CHECK_THAT(fg::explain(f), ContainsSubstring("static argument arg1 caused 11 recompilation(s)"));
}

TEST_CASE("shapes that keep changing are no reason to warn of a static argument") {
    const Log log;
    auto f = fg::jit([](Tensor x) { return x + 1; });
    for (int n = 1; n < 10; ++n) f(fg::ones({n}));
    CHECK(log.warnings.empty());
}

TEST_CASE("an empty sink silences, and a sink that logs nothing more is left alone") {
    fg::set_log_sink({});
    fg::log(fg::LogLevel::error, "nobody hears it");
    std::vector<std::pair<fg::LogLevel, std::string>> heard;
    fg::set_log_sink([&](fg::LogLevel level, std::string_view text) { heard.emplace_back(level, text); });
    fg::log(fg::LogLevel::info, "heard");
    fg::set_log_sink({});
    REQUIRE(heard.size() == 1);
    CHECK(heard[0] == std::pair(fg::LogLevel::info, std::string("heard")));
}

TEST_CASE("the default dtype is part of what a program depends on") {
    auto f = fg::jit([](int n) { return fg::ones({n}); });
    CHECK(f(2).dtype() == fg::float32);
    fg::set_default_dtype(fg::float64);
    const fg::DType wide = f(2).dtype();
    fg::set_default_dtype(fg::float32);
    CHECK(wide == fg::float64);
    CHECK(f(2).dtype() == fg::float32);
    CHECK(fg::cache_misses(f) == 2);
    CHECK_THAT(fg::explain(f), ContainsSubstring("ambient state"));
    CHECK_THROWS_AS(fg::set_default_dtype(fg::int32), fg::ValueError);
}

TEST_CASE("no_grad is part of what a program depends on") {
    auto f = fg::jit(fg::grad([](Tensor x) { return fg::sum(x * x); }));
    CHECK(values(f(fg::tensor({3.0}))) == List{6});
    {
        const fg::NoGradGuard guard;
        CHECK(values(f(fg::tensor({3.0}))) == List{6});  // no_grad is for what is outside of grad
    }
    CHECK(values(f(fg::tensor({3.0}))) == List{6});
    CHECK(fg::cache_misses(f) == 2);
}

TEST_CASE("a change of the registry compiles anew, and what was compiled still runs") {
    auto f = fg::jit([](Tensor x) { return x + 1; });
    f(fg::ones({1}));
    fg::register_executor("signature_test", {.add_to_default = false});
    f(fg::ones({1}));
    CHECK(fg::cache_misses(f) == 2);
    fg::deregister_executor("signature_test");
    CHECK(values(f(fg::ones({1}))) == List{2});
    CHECK(fg::cache_misses(f) == 3);
}

TEST_CASE("compile(specs) makes the program that the first call then finds") {
    struct Params {
        Tensor weight, bias;
    };
    int traced = 0;
    auto f = fg::jit([&](const Params& p, Tensor x, int repeat, fg::Scalar<double> by) {
        ++traced;
        for (int i = 0; i < repeat; ++i) x = fg::linear(x, p.weight, p.bias) * by;
        return x;
    });
    f.compile(Params{fg::TensorSpec({2, 2}), fg::TensorSpec({2})}, fg::TensorSpec({3, 2}), 2,
              fg::Scalar<double>(1.0));
    CHECK(traced == 1);
    CHECK(fg::cache_misses(f) == 1);
    CHECK(fg::last_traces(f).size() > 1);
    const Params p{fg::eye(2), fg::ones({2})};
    CHECK(values(f(p, fg::zeros({3, 2}), 2, 2.0)) == List{6, 6, 6, 6, 6, 6});
    CHECK(fg::cache_misses(f) == 1);
    CHECK(fg::cache_hits(f) == 1);
    f.compile(p, fg::zeros({3, 2}), 2, fg::Scalar<double>(3.0));
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("compile takes the function's own parameters: what converts in a call converts here") {
    auto f = fg::jit([](Tensor x, fg::Scalar<double> by, double offset) { return x * by + offset; });
    f.compile(fg::TensorSpec({2}), 3.0, 1);
    CHECK(fg::cache_misses(f) == 1);
    CHECK(values(f(fg::ones({2}), 2.0, 1)) == List{3, 3});
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("compile of a generic function and of one with reference parameters") {
    auto generic = fg::jit([](auto x, const auto& y) { return x + y; });
    generic.compile(fg::TensorSpec({2}), fg::TensorSpec({2}));
    const std::uint64_t misses = fg::cache_misses(generic);
    const Tensor constant = fg::ones({2});
    Tensor variable = fg::ones({2});
    CHECK(values(generic(fg::ones({2}), fg::ones({2}))) == List{2, 2});
    CHECK(values(generic(constant, constant)) == List{2, 2});
    CHECK(values(generic(variable, variable)) == List{2, 2});
    CHECK(fg::cache_misses(generic) == misses);
    auto by_reference = fg::jit([](auto& x) { x = x + 1; });
    by_reference.compile(fg::TensorSpec({2}));
    by_reference(variable);
    CHECK(values(variable) == List{2, 2});
    CHECK(fg::cache_misses(by_reference) == 1);
    auto rebinding = fg::jit([](Tensor& x) { x = x + 1; });
    rebinding.compile(fg::TensorSpec({2}));
    CHECK(fg::cache_misses(rebinding) == 1);
    Tensor x = fg::ones({2});
    rebinding(x);
    CHECK(fg::cache_misses(rebinding) == 1);
    CHECK(values(x) == List{2, 2});
}

TEST_CASE("an abstract tensor cannot be run") {
    auto f = fg::jit([](Tensor x) { return x + 1; });
    CHECK_THROWS_AS(f(Tensor(fg::TensorSpec({2}))), fg::TraceError);
    CHECK_THROWS_AS(Tensor(fg::TensorSpec({2})) + 1, fg::TraceError);
    CHECK(values(f(fg::ones({2}))) == List{2, 2});
}

TEST_CASE("compile_stats counts calls and times") {
    auto f = fg::jit([](Tensor x) { return x + 1; });
    for (int i = 0; i < 5; ++i) f(fg::ones({2}));
    const fg::CompileStats stats = fg::compile_stats(f);
    CHECK(stats.calls == 5);
    CHECK(stats.cache_hits == 4);
    CHECK(stats.cache_misses == 1);
    CHECK(stats.trace_milliseconds > 0);
    CHECK(stats.compile_milliseconds > 0);
}

TEST_CASE("last_traces keeps every pass, named, timed and printable") {
    auto f = fg::jit(fg::value_and_grad([](Tensor x) { return fg::sum(x * x); }), {.name = "loss"});
    CHECK_THROWS_AS(fg::last_traces(f), fg::ValueError);
    f(fg::ones({2}));
    std::vector<std::string> passes;
    for (const fg::Trace& trace : fg::last_traces(f)) {
        passes.push_back(trace.pass);
        CHECK_FALSE(fg::to_string(trace).empty());
    }
    const std::vector<std::string> expected{"trace",
                                            "cse",
                                            "dce",
                                            "grad",
                                            "cse",
                                            "dce",
                                            "trace",
                                            "dce",
                                            "cse",
                                            "dce",
                                            "claim",
                                            "cse",
                                            "separate_outputs",
                                            "fuse"};
    CHECK(passes == expected);
    CHECK_THAT(fg::to_string(fg::last_traces(f).back()), ContainsSubstring("loss"));
    CHECK_THAT(fg::to_string(fg::last_traces(f)[7]), ContainsSubstring("(unchanged)"));
}

TEST_CASE("an unknown executor or compile option is an error of jit itself") {
    const auto f = [](Tensor x) { return x; };
    CHECK_THROWS_AS(fg::jit(f, {.executors = {"nobody"}}), fg::ValueError);
    CHECK_THROWS_AS(fg::jit(f, {.compile_options = {{"no such option", true}}}), fg::ValueError);
}

TEST_CASE("numbers of an eager op are no part of its program") {
    const Tensor x = fg::ones({7, 3});
    CHECK(values(x * 2.5)[0] == 2.5);
    const std::uint64_t before = fg::eager_compilations();
    for (const double by : {2.6, 3.0, -1.0}) CHECK(values(x * by)[0] == Approx(by).epsilon(1e-6));
    CHECK(fg::eager_compilations() == before);
}

TEST_CASE("numbers among an eager op's options are no part of its program either") {
    const Tensor x = fg::ones({5, 2});
    const auto use = [&](double number) {
        CHECK(values(fg::clamp(x, {.min = number}))[0] == std::max(number, 1.0));
        CHECK(values(fg::clamp(x, {.min = number, .max = number}))[0] == number);
        CHECK(values(fg::pad(x, {1, 1}, {.value = number}))[0] == number);
        CHECK(values(fg::full({3}, number))[0] == number);
        CHECK(values(fg::full_like(x, number))[0] == number);
        CHECK(values(fg::where(x == 1, number, x))[0] == number);
    };
    use(0.5);
    const std::uint64_t before = fg::eager_compilations();
    for (const double number : {0.25, 2.0, -1.0}) use(number);
    CHECK(fg::eager_compilations() == before);
}
