#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Operand;
using fg::Tensor;

namespace {
const Tensor x1 = fg::tensor({1.0});
const auto exp_of = [](Tensor x) { return fg::exp(x); };

void declare() {
    fg::register_compile_option("option_test_scale", 2.0, "a double: what exp multiplies by");
    fg::register_compile_option("option_test_count", std::int64_t{3}, "an integer");
}
}  // namespace

TEST_CASE("a checker sees the options that jit was given, or their defaults") {
    declare();
    const auto ex = fg::temporary_executor();
    ex->register_implementation<double>(
        fg::prims::exp,
        {.checker = [](const Operand&) -> fg::Claim<double> {
             if (std::get<std::int64_t>(fg::get_compile_option("option_test_count")) == 0)
                 return fg::refuse("count is 0");
             return std::get<double>(fg::get_compile_option("option_test_scale"));
         },
         .execution_transform = [](const double& scale, const Operand& x) { return x.tensor() * scale; }});
    const fg::ExecutorRef mine(ex);
    CHECK(values(fg::jit(exp_of, {.executors = {mine}})(x1)) == List{2});
    CHECK(values(fg::jit(exp_of, {.executors = {mine}, .compile_options = {{"option_test_scale", 5.0}}})(
              x1)) == List{5});
    auto refused =
        fg::jit(exp_of, {.executors = {mine}, .compile_options = {{"option_test_count", std::int64_t{0}}}});
    CHECK(values(refused(fg::tensor({0.0}))) == List{1});
    CHECK_THAT(fg::explain(refused), ContainsSubstring("count is 0"));
}

TEST_CASE("an unknown option is an error that names those there are") {
    declare();
    CHECK_THAT(
        thrown<fg::ValueError>([] { fg::jit(exp_of, {.compile_options = {{"option_test_scal", 1.0}}}); }),
        ContainsSubstring("'option_test_scal'") && ContainsSubstring("option_test_scale"));
    CHECK_THROWS_AS(fg::trace({.compile_options = {{"option_test_scal", 1.0}}}, exp_of, x1), fg::ValueError);
    CHECK_THROWS_AS(fg::get_compile_option("option_test_scal"), fg::ValueError);
}

TEST_CASE("an option of another type is an error that says what it is") {
    declare();
    CHECK_THAT(thrown<fg::DTypeError>(
                   [] { fg::jit(exp_of, {.compile_options = {{"option_test_scale", std::int64_t{1}}}}); }),
               ContainsSubstring("option_test_scale") && ContainsSubstring("a double"));
    CHECK_THROWS_AS(fg::jit(exp_of, {.compile_options = {{"option_test_count", true}}}), fg::DTypeError);
}
