#include <random>

#include <fulgurite/core/text.h>
#include <fulgurite/tests/core/toy_ops.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;

namespace {

/// The message of the ParseError that a text throws.
std::string complaint(const std::string& text) {
    try {
        parse(text);
    } catch (const ParseError& error) {
        return error.what();
    }
    return "no ParseError";
}

const std::string input_line = "auto x = input(float32, {2, 3}, {3, 1}, cpu);\n";

/// A text with every construct.
const std::string everything =
    "// name: all, after dce (0.500 ms)\n"
    "auto x = input(float32, {2, 3}, {3, 1}, cpu);  // params.x\n"
    "auto n = input(float64, {}, {}, cuda(0), weak);\n"
    "auto c0 = capture(bool_, {4, 0}, {1, 4}, cpu);\n"
    "auto [a, b] = toy::pair(x);\n"
    "auto [t0, t1] = unpack<2>(toy::copies(a, 2));\n"
    "auto t2 = no_grad([&] { return toy::mul(t0, -0x1.8p-3); });\n"
    "auto t3 = toy::everything(t2, {.flag = true, .label = \"a\\\"b\\n\\303\", .mode = toy::Mode::fancy, "
    ".dims = Dims{1, -2}, "
    ".inner = toy::Inner{.scale = inf}, .weights = {nan(\"\"), -inf}, .table = {{\"k\", int64_min}}, .pair = "
    "{1, "
    "0x0p+0}}, {x, b});\n"
    "auto t4 = call<1>(\"toy::custom\", regions([&](auto p, auto q) {\n"
    "    expect(p, float32, {2, 3}, {3, 1}, cpu);\n"
    "    expect(q, float32, {2, 3}, {3, 1}, cpu);\n"
    "    return output(q);\n"
    "}, [&](auto p) {\n"
    "    expect(p, float32, {2, 3}, {3, 1}, cpu);\n"
    "    auto y = toy::cube(p);\n"
    "    return output(y, none);\n"
    "}), list(x, t3));\n"
    "auto t6 = call<1>(\"fuser::fusion3\", {x, t4}, [&] {\n"
    "    auto t5 = toy::mul(x, t4);\n"
    "    auto t6 = toy::mul(t5, true);\n"
    "    return output(t6);\n"
    "});\n"
    "toy::note(t6, \"\");\n"
    "return output(t6, none, fresh(t4), shares(x, 0), shares(t3, x));\n";

}  // namespace

TEST_CASE("a text with every construct parses, and prints to a text that parses to the same", "[parse]") {
    const Trace trace = parse(everything);
    CHECK(trace.name == "all");
    CHECK(trace.pass == "dce");
    CHECK(trace.milliseconds == 0.5);
    CHECK(trace[trace.inputs[0]].name == "x");  // a comment that does not give this name is only a comment
    CHECK(trace.body.size() == 7);
    const std::string text = print(trace);
    INFO(text);
    CHECK(parse(text) == trace);
    CHECK(print(parse(text)) == text);
}

TEST_CASE("comments, blanks and line breaks stand for nothing", "[parse]") {
    const Trace plain = parse(input_line + "auto y = toy::mul(x, x); return output(y);");
    CHECK(parse("\n// a remark\n" + input_line +
                "auto\ny =toy::mul( x,x ) ; // float32\r\n\treturn output(y); // end") == plain);
}

TEST_CASE("an error says where the text is wrong and what was expected", "[parse]") {
    CHECK(complaint("") == "[parse] line 1, column 1: expected the name of an op, got the end of the text");
    CHECK(complaint(input_line) ==
          "[parse] line 2, column 1: expected the name of an op, got the end of the text");
    CHECK(complaint(input_line + "return output(y);") ==
          "[parse] line 2, column 15: expected a value that is defined, got 'y'");
    CHECK(complaint(input_line + "auto y = toy::mull(x, x);") ==
          "[parse] line 2, column 10: expected an op, got 'toy::mull'");
    CHECK(complaint(input_line + "auto y = toy::mul(x);") ==
          "[parse] line 2, column 20: expected ',', got ')'");
    CHECK(complaint(input_line + "auto y = toy::mul(x, x)\nreturn output(y);") ==
          "[parse] line 3, column 1: expected ';', got 'return'");
    CHECK(complaint(input_line + input_line) ==
          "[parse] line 2, column 6: expected a new name, got 'x', which is defined already");
    CHECK(complaint(input_line + "auto [a, b, c] = toy::pair(x);") ==
          "[parse] line 2, column 1: expected names for 2 results, got 3");
    CHECK(complaint(input_line + "auto y = toy::everything(x, {.q = 1}, {});") ==
          "[parse] line 2, column 31: expected the fields of toy::Options in their order, got 'q'");
    CHECK(complaint(input_line + "auto y = toy::everything(x, {.mode = toy::Mode::odd}, {});") ==
          "[parse] line 2, column 38: expected an enumerator of toy::Mode, got 'toy::Mode::odd'");
    CHECK(complaint("auto x = input(float33, {}, {}, cpu);") ==
          "[parse] line 1, column 16: expected a dtype, such as float32, got 'float33'");
    CHECK(complaint(input_line + "return output(x); return output(x);") ==
          "[parse] line 2, column 19: expected the end of the text, got 'return'");
    CHECK(complaint(input_line + "auto y = call<1>(\"nobody::op\", x);") ==
          "[parse] line 2, column 18: expected an operator of an executor, got 'nobody::op'");
    CHECK(complaint("auto x = input(float32, {99999999999999999999}, {1}, cpu);") ==
          "[parse] line 1, column 26: expected a number, got '99999999999999999999'");
    CHECK(complaint("auto x = \"open\n") == "[parse] line 1, column 10: expected a closing quote");
    CHECK(complaint("auto x = @;") ==
          "[parse] line 1, column 10: expected a trace's text, got the character '@'");
}

TEST_CASE("an op's refusal of its arguments names the place in the text", "[parse]") {
    CHECK_THAT(complaint(input_line + "auto z = input(float32, {2}, {1}, cpu);\nauto y = toy::mul(x, z);"),
               StartsWith("[parse] line 3, column 10: [mul] expected equal shapes"));
    CHECK_THAT(complaint("auto x = input(float32, {-1}, {1}, cpu);"),
               StartsWith("[parse] line 1, column 10: "));
    CHECK_THAT(complaint("auto x = input(float32, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1}, cpu);"),
               StartsWith("[parse] line 1, column 10: "));
}

TEST_CASE("a fusion's results are made by its body", "[parse]") {
    const std::string head =
        input_line + "auto y = call<1>(\"fuser::f\", {x}, [&] { auto z = toy::mul(x, x); return output(";
    CHECK_NOTHROW(parse(head + "z); }); return output(y);"));
    for (const char* results : {"x", "none"}) {
        CHECK_THAT(complaint(head + results + "); }); return output(y);"),
                   ContainsSubstring("results that the fusion makes"));
    }
}

TEST_CASE("nesting without end is refused", "[parse]") {
    std::string deep = input_line + "auto y = ";
    for (int i = 0; i < 100000; ++i) deep += "no_grad([&] { return ";
    CHECK_THAT(complaint(deep), ContainsSubstring("not so deep"));
    std::string regions = input_line + "auto y = ";
    for (int i = 0; i < 100000; ++i) regions += "call<1>(\"toy::custom\", regions([&]() { auto y = ";
    CHECK_THAT(complaint(regions), ContainsSubstring("not so deep"));
}

namespace {
/// Parses a text that may be anything: it gives a trace or an Error, and what it gives prints.
void survive(const std::string& text) {
    try {
        const Trace trace = parse(text);
        const std::string printed = print(trace);
        INFO(text);
        INFO(printed);
        CHECK(parse(printed) == trace);
    } catch (const Error&) {
    }
}
}  // namespace

TEST_CASE("a cut text is an error", "[parse][fuzz]") {
    const std::string whole = everything.substr(0, everything.size() - 2);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string text = whole.substr(0, length);
        INFO(text);
        CHECK_THROWS_AS(parse(text), ParseError);
    }
}

TEST_CASE("a text with wrong bytes is a trace or an error", "[parse][fuzz]") {
    std::mt19937 random(20240920);
    const std::string alphabet = "(){}[]<>,;=.&-:\"\\/ \n0129xpetcauo_f";
    for (int round = 0; round < 4000; ++round) {
        std::string text = everything;
        for (std::uint32_t changes = random() % 4 + 1; changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            switch (random() % 5) {
                case 0:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    text[at] = alphabet[random() % alphabet.size()];
                    break;
                case 2:
                    text.erase(at, random() % 8);
                    break;
                case 3:
                    text.insert(at, 1, alphabet[random() % alphabet.size()]);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 40));
                    break;
            }
        }
        survive(text);
    }
}
