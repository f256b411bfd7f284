#include <fulgurite/core/text.h>

#include <cmath>
#include <limits>
#include <sstream>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/graphviz.h>
#include <fulgurite/tests/core/toy_ops.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using toy::trace_of;

namespace {
const TensorSpec matrix({2, 3});

std::string statement(const Trace& trace, std::size_t line) {
    std::istringstream lines(print(trace, {.source_lines = false}));
    std::string text;
    for (std::size_t i = 0; i <= line; ++i) std::getline(lines, text);
    return text;
}

Trace with_options(const toy::Options& options) {
    return trace_of({matrix}, [&](const std::vector<Tensor>& in) {
        toy::Options bound = options;
        if (bound.bias.defined()) bound.bias = in[0];
        return std::vector<Tensor>{toy::everything(in[0], bound, {})};
    });
}

void check_round_trip(const Trace& trace) {
    const std::string text = print(trace, {.source_lines = false});
    INFO(text);
    const Trace again = parse(text);
    CHECK(again == trace);
    CHECK(hash_of(again) == hash_of(trace));
    CHECK(print(again, {.source_lines = false}) == text);
}
}  // namespace

TEST_CASE("a trace prints as C++ with metadata in comments", "[text]") {
    Trace trace = trace_of(
        {matrix, matrix},
        [](const auto& in) { return std::vector<Tensor>{toy::mul(toy::mul(in[0], in[1]), 2.5), Tensor()}; },
        {"x", "params.w"});
    trace.name = "loss";
    trace.pass = "dce";
    trace.milliseconds = 0.0123;
    CHECK(print(trace, {.source_lines = false}) ==
          "// name: loss, after dce (0.012 ms)\n"
          "auto x = input(float32, {2, 3}, {3, 1}, cpu);\n"
          "auto params_w = input(float32, {2, 3}, {3, 1}, cpu);  // params.w\n"
          "auto t0 = toy::mul(x, params_w);  // float32 {2, 3} {3, 1}\n"
          "auto t1 = toy::mul(t0, 0x1.4p+1);  // float32 {2, 3} {3, 1}\n"
          "return output(t1, none);\n");
    check_round_trip(trace);
}

TEST_CASE("values get unique C++ names", "[text]") {
    const Trace trace = trace_of(std::vector<TensorSpec>(9, matrix),
                                 [](const auto& in) {
                                     Tensor product = in[0];
                                     for (const Tensor& x : in) product = toy::mul(product, x);
                                     return std::vector<Tensor>{product};
                                 },
                                 {"a.b", "a_b", "class", "input", "2x", "", "t0", "blocks[0].w", "..."});
    const std::string text = print(trace);
    for (const char* name : {"a_b", "a_b_1", "class_", "input_", "v2x", "t1", "t0", "blocks_0_w", "t2"}) {
        CHECK_THAT(text, ContainsSubstring("auto " + std::string(name) + " = input("));
    }
    CHECK_THAT(text, ContainsSubstring("// blocks[0].w\n"));
    CHECK(parse(text) == trace);
}

TEST_CASE("numbers print without loss", "[text]") {
    const double special[] = {0.0,
                              -0.0,
                              1.0,
                              0.1,
                              -1e300,
                              5e-324,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              std::nan(""),
                              -std::nan(""),
                              std::bit_cast<double>(std::uint64_t{0x7ff0000000000123})};
    for (const double value : special) {
        check_round_trip(
            trace_of({matrix}, [&](const auto& in) { return std::vector<Tensor>{toy::mul(in[0], value)}; }));
        check_round_trip(with_options({.p = value}));
    }
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-7}, INT64_MAX, INT64_MIN}) {
        check_round_trip(
            trace_of({matrix}, [&](const auto& in) { return std::vector<Tensor>{toy::mul(value, in[0])}; }));
        check_round_trip(with_options({.count = value}));
    }
    const Trace number =
        trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::mul(in[0], true)}; });
    CHECK_THAT(statement(number, 2), ContainsSubstring("toy::mul(t0, true)"));
    const Trace minus =
        trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::mul(in[0], -0.5)}; });
    CHECK_THAT(statement(minus, 2), ContainsSubstring("toy::mul(t0, -0x1p-1)"));
    check_round_trip(number);
}

TEST_CASE("a record leaves out the fields that have their defaults", "[text]") {
    CHECK_THAT(statement(with_options({}), 2), StartsWith("auto t1 = toy::everything(t0, {}, {});"));
    CHECK_THAT(statement(with_options({.flag = true, .mode = toy::Mode::fancy}), 2),
               StartsWith("auto t1 = toy::everything(t0, {.flag = true, .mode = toy::Mode::fancy}, {});"));
    const toy::Options all{.p = 0.25,
                           .flag = true,
                           .count = 3,
                           .label = "a \"quoted\"\n\\ \x01 text \xc3\xa9",
                           .mode = static_cast<toy::Mode>(7),
                           .dtype = DType::bfloat16,
                           .device = cuda(1),
                           .dims = Dims{0, -1},
                           .inner = toy::Inner{.scale = 2},
                           .extra = 1.5,
                           .bias = Tensor(matrix),
                           .weights = {1, 2.5},
                           .table = {{"a", 1}, {"b c", -2}},
                           .pair = {3, 4.0}};
    CHECK_THAT(statement(with_options(all), 2),
               ContainsSubstring(
                   "{.p = 0x1p-2, .flag = true, .count = 3, .label = \"a \\\"quoted\\\"\\n\\\\ \\001 text "
                   "\\303\\251\", .mode = toy::Mode(7), .dtype = bfloat16, .device = cuda(1), .dims = "
                   "Dims{0, -1}, .inner = toy::Inner{.scale = 0x1p+1}, .extra = 0x1.8p+0, .bias = t0, "
                   ".weights = {0x1p+0, 0x1.4p+1}, .table = {{\"a\", 1}, {\"b c\", -2}}, "
                   ".pair = {3, 0x1p+2}}"));
    check_round_trip(with_options(all));
    check_round_trip(with_options({.inner = toy::Inner{}}));
    check_round_trip(with_options({.dims = Dims{}}));
    check_round_trip(with_options({.label = ""}));
    check_round_trip(with_options({.mode = toy::Mode::fancy, .table = {{"", 0}}}));
}

TEST_CASE("results of every structure have names", "[text]") {
    const Trace trace = trace_of({matrix}, [](const auto& in) {
        const auto [a, b] = toy::pair(in[0]);
        const std::vector<Tensor> list = toy::copies(b, 3);
        const auto [c, d] = toy::maybe(list[2], Tensor());
        const auto [e, f] = toy::maybe(c, list[0]);
        toy::note(f, "seen");
        const std::vector<Tensor> nothing = toy::copies(e, 0);
        return std::vector<Tensor>{toy::everything(a, {}, list), e, f};
    });
    const std::string text = print(trace, {.source_lines = false});
    CHECK_THAT(text, ContainsSubstring("auto [t1, t2] = toy::pair(t0);"));
    CHECK_THAT(text, ContainsSubstring("auto [t3, t4, t5] = unpack<3>(toy::copies(t2, 3));"));
    CHECK_THAT(text, ContainsSubstring("auto [t6] = unpack<1>(toy::maybe(t5, none));"));
    CHECK_THAT(text, ContainsSubstring("auto [t7, t8] = toy::maybe(t6, t3);"));
    CHECK_THAT(text, ContainsSubstring("\ntoy::note(t8, \"seen\");"));
    CHECK_THAT(text, ContainsSubstring("\ntoy::copies(t7, 0);"));
    CHECK_THAT(text, ContainsSubstring("toy::everything(t1, {}, {t3, t4, t5});"));
    check_round_trip(trace);
}

TEST_CASE("inputs of every layout, weak numbers and captures round trip", "[text]") {
    const Tensor constant(TensorSpec({4}, DType::float16));
    TensorSpec weak({}, DType::float64);
    weak.weak = true;
    Trace trace =
        trace_of({TensorSpec({2, 3}, DType::float32, cuda(0), {1, 2}), weak, TensorSpec({0}, DType::int64)},
                 [](const auto& in) { return std::vector<Tensor>{in[0], in[1]}; });
    trace.captures.push_back({trace.values->add({constant.spec(), {}, 0}), constant});
    const std::string text = print(trace);
    CHECK_THAT(text, ContainsSubstring("input(float32, {2, 3}, {1, 2}, cuda(0));"));
    CHECK_THAT(text, ContainsSubstring("input(float64, {}, {}, cpu, weak);"));
    CHECK_THAT(text, ContainsSubstring("auto c0 = capture(float16, {4}, {1}, cpu);"));
    check_round_trip(trace);
}

TEST_CASE("composites decompose again, and their parts print as comments", "[text]") {
    const Trace trace =
        trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::cube(in[0])}; });
    const std::string text = print(trace, {.source_lines = false, .subsymbols = true});
    CHECK_THAT(text, ContainsSubstring("auto t1 = toy::cube(t0);  // float32 {2, 3} {3, 1}\n"
                                       "//   auto t2 = toy::mul(t0, t0);  // float32 {2, 3} {3, 1}\n"
                                       "//   auto t1 = toy::mul(t2, t0);"));
    const Trace again = parse(text);
    CHECK(again == trace);
    REQUIRE(again.body.size() == 1);
    CHECK(again.body[0]->subsymbols.size() == 2);
    check_round_trip(trace);
}

TEST_CASE("views keep their offsets and calls under no_grad are marked", "[text]") {
    const Trace trace = trace_of({matrix}, [](const auto& in) {
        const NoGradGuard guard;
        return std::vector<Tensor>{toy::row(in[0], 1)};
    });
    CHECK_THAT(
        statement(trace, 2),
        StartsWith("auto t1 = no_grad([&] { return toy::row(t0, 1); });  // float32 {3} {1} offset 3"));
    check_round_trip(trace);
    CHECK(parse(print(trace)).body[0]->has(Tag::detached));
    Trace plain = trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::row(in[0], 1)}; });
    CHECK_FALSE(plain == trace);
}

TEST_CASE("what the outputs share is part of a trace", "[text]") {
    Trace trace = trace_of({matrix}, [](const auto& in) {
        const Tensor a = toy::mul(in[0], in[0]);
        return std::vector<Tensor>{a, a, toy::row(in[0], 0), toy::row(a, 1)};
    });
    check_round_trip(trace);
    CHECK_THAT(print(trace), EndsWith("return output(t1, t1, t2, t3);\n"));
    Trace merged = trace;
    merged.output_aliases = {100, 101, 102, 101};
    CHECK_THAT(print(merged), EndsWith("return output(t1, fresh(t1), fresh(t2), shares(t3, 1));\n"));
    CHECK_FALSE(merged == trace);
    check_round_trip(merged);
    merged.output_aliases = {trace.inputs[0], 101, 101, 101};
    CHECK_THAT(print(merged),
               EndsWith("return output(shares(t1, t0), fresh(t1), shares(t2, 1), shares(t3, 1));\n"));
    check_round_trip(merged);
}

TEST_CASE("an op's regions print as lambdas", "[text]") {
    const auto record = [](const std::vector<Tensor>& in) {
        TraceScope& scope = *TraceScope::current();
        auto bound = std::make_shared<BoundSymbol>();
        bound->symbol = &toy::custom.symbol();
        const Flat arguments = tree_flatten(std::vector<Tensor>{in[0], in[1]});
        bound->arguments = std::make_shared<const Statics>(arguments.statics);
        bound->operands = scope.values_of(arguments.tensors);
        for (int i = 0; i < 2; ++i) {
            TraceScope inner;
            const Tensor a = inner.add_input(matrix, "a"), b = inner.add_input(matrix, "b");
            const Tensor product = toy::mul(toy::mul(a, b), in[0]);
            Region region{inner.values_of({a, b}), {}, inner.values_of({product})};
            if (i == 1) region.results.push_back(no_value);
            region.body = std::move(inner.body());
            bound->regions.push_back(std::move(region));
        }
        bound->results = {scope.root().values->add({matrix, {}, 0})};
        bound->result_structure = tree_flatten(std::vector<Tensor>{in[0]}).statics;
        const ValueId result = bound->results[0];
        scope.append(std::move(bound));
        return std::vector<Tensor>{toy::cube(scope.handle(result))};
    };
    const Trace trace = trace_of({matrix, matrix}, record, {"x", "y"});
    CHECK_THAT(print(trace, {.source_lines = false}),
               ContainsSubstring("auto t4 = call<1>(\"toy::custom\", regions([&](auto a, auto b) {\n"
                                 "    expect(a, float32, {2, 3}, {3, 1}, cpu);\n"
                                 "    expect(b, float32, {2, 3}, {3, 1}, cpu);\n"
                                 "    auto t0 = toy::mul(a, b);  // float32 {2, 3} {3, 1}\n"
                                 "    auto t1 = toy::mul(t0, x);  // float32 {2, 3} {3, 1}\n"
                                 "    return output(t1);\n"
                                 "}, [&](auto a_1, auto b_1) {\n"));
    check_round_trip(trace);
}

TEST_CASE("executors' operators and fusions print as calls by name", "[text]") {
    const auto executor = std::make_shared<OperatorExecutor>("text_test");
    register_executor(ExecutorPtr(executor));
    const auto op = executor->register_operator(
        "every",
        [](const Tensor& x, const toy::Options&, const std::vector<Tensor>&) {
            return std::tuple(x.spec(), x.spec());
        },
        [](const Tensor& x, const toy::Options&, const std::vector<Tensor>&) { return std::tuple(x, x); });
    const auto one = executor->register_operator(
        "one", [](const Tensor& x) { return x.spec(); }, [](const Tensor& x) { return x; });
    const Trace trace = trace_of({matrix}, [&](const auto& in) {
        const auto [a, b] =
            op(in[0], {.flag = true, .inner = toy::Inner{.dims = {4}}, .table = {{"k", 2}}}, {in[0], in[0]});
        return std::vector<Tensor>{one(a), b};
    });
    CHECK_THAT(
        statement(trace, 2),
        StartsWith(
            "auto [t1, t2] = call<2>(\"text_test::every\", t0, 0x1p-1, true, 0, \"none\", toy::Mode::plain, "
            "float32, cpu, none, 0x1p+0, Dims{4}, 0, none, list(), list(item(\"k\", 2)), 1, 0x1p+1, "
            "list(t0, t0));"));
    CHECK_THAT(statement(trace, 3), StartsWith("auto t3 = call<1>(\"text_test::one\", t1);"));
    check_round_trip(trace);
    deregister_executor("text_test");
    CHECK_THROWS_AS(parse(print(trace)), ParseError);
}

namespace {
class ToyFusion : public FusionExecutor {
public:
    using FusionExecutor::FusionExecutor;
    ClaimResult can_fuse(const BoundSymbol&, const Trace&) const override { return {true, {}, {}}; }
    Trace fuse(const Trace& trace) override {
        Trace fused = trace;
        fused.body = {make_fusion("fusion0", trace.inputs, trace.outputs, trace.body, {})};
        return fused;
    }
};
}  // namespace

TEST_CASE("a fusion prints with its body", "[text]") {
    const Trace trace = trace_of({matrix, matrix}, [](const auto& in) {
        return std::vector<Tensor>{toy::mul(toy::mul(in[0], in[1]), 2), toy::cube(in[1])};
    });
    const auto executor = std::make_shared<ToyFusion>("fuser");
    const Trace fused = executor->fuse(trace);
    CHECK_THAT(print(fused, {.source_lines = false}),
               ContainsSubstring("auto [t3, t4] = call<2>(\"fuser::fusion0\", {t0, t1}, [&] {\n"
                                 "    auto t2 = toy::mul(t0, t1);  // float32 {2, 3} {3, 1}\n"
                                 "    auto t3 = toy::mul(t2, 2);  // float32 {2, 3} {3, 1}\n"
                                 "    auto t4 = toy::cube(t1);  // float32 {2, 3} {3, 1}\n"
                                 "    return output(t3, t4);\n"
                                 "});  // float32 {2, 3} {3, 1}, float32 {2, 3} {3, 1}  by fuser\n"));
    const std::string text = print(fused);
    CHECK(parse(text) == fused);
    CHECK_FALSE(fused == trace);
}

TEST_CASE("equality is modulo numbering, names, lines and claims", "[text]") {
    const auto product = [](const auto& in) { return std::vector<Tensor>{toy::mul(in[0], in[1])}; };
    const Trace a = trace_of({matrix, matrix}, product, {"x", "y"});
    Trace b = trace_of({matrix, matrix}, product);
    CHECK(a == b);
    CHECK(hash_of(a) == hash_of(b));
    b.name = "other";
    b.pass = "cse";
    CHECK(a == b);
    const auto differ = [&](const Trace& other) {
        CHECK_FALSE(a == other);
        CHECK(hash_of(a) != hash_of(other));
    };
    differ(trace_of({matrix, matrix},
                    [](const auto& in) { return std::vector<Tensor>{toy::mul(in[1], in[0])}; }));
    differ(trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::mul(in[0], in[0])}; }));
    differ(trace_of({TensorSpec({3, 2}), TensorSpec({3, 2})}, product));
    differ(trace_of({TensorSpec({2, 3}, DType::float64), TensorSpec({2, 3}, DType::float64)}, product));
    differ(trace_of({matrix, TensorSpec({2, 3}, DType::float32, cpu, {1, 2})}, product));
}

TEST_CASE("a malformed trace prints too", "[text]") {
    Trace trace =
        trace_of({matrix}, [](const auto& in) { return std::vector<Tensor>{toy::mul(in[0], in[0])}; });
    trace.inputs.clear();
    CHECK_THAT(print(trace), ContainsSubstring("undefined_0"));
}

TEST_CASE("a trace draws as a Graphviz digraph", "[text]") {
    const Trace trace = trace_of(
        {matrix}, [](const auto& in) { return std::vector<Tensor>{toy::cube(in[0])}; }, {"in.\"x\""});
    const std::string dot = graphviz(trace);
    CHECK_THAT(dot, StartsWith("digraph \"test\" {"));
    CHECK_THAT(dot, ContainsSubstring("[label=\"in.\\\"x\\\"\", shape=ellipse]"));
    CHECK_THAT(dot, ContainsSubstring("\"call 0\" [label=\"toy::cube"));
    CHECK_THAT(dot, ContainsSubstring("\"value in_x\" -> \"call 0\" [label=\"in_x: float32[2, 3]\"];"));
    CHECK_THAT(dot, EndsWith("}\n"));
}
