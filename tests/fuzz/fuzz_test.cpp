// Random programs: jitted against op by op, and gradients against finite differences.
//     FULGURITE_FUZZ_SEED=17 FULGURITE_FUZZ_COUNT=1 build/release/tests/test_fuzz     repeats program 17
//     FULGURITE_FUZZ_COUNT=100000 build/release/tests/test_fuzz                       searches

#include <cmath>
#include <cstdlib>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/ops/ops.h>
#include <fulgurite/runtime/check_grad.h>
#include <fulgurite/runtime/jit.h>
#include <fulgurite/tests/fuzz/random_program.h>
#include <fulgurite/tests/samples/values.h>
#include <fulgurite/tests/support/catch.h>
#include <fulgurite/transforms/value_and_grad.h>

namespace fulgurite::tests {

namespace {

using Tensors = std::vector<Tensor>;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Runs a check over programs, and says how to repeat one that fails.
template <class Check>
void for_programs(std::uint64_t count, ProgramOptions options, const Check& check) {
    const std::uint64_t first = number_from("FULGURITE_FUZZ_SEED", 1);
    count = number_from("FULGURITE_FUZZ_COUNT", count);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        std::string problem, text;
        try {
            const RandomProgram program = random_program(seed, options);
            text = to_string(program);
            if (!program.outputs.empty()) problem = check(program);
        } catch (const std::exception& error) {
            problem = std::string("threw ") + error.what();
        }
        if (!problem.empty())
            FAIL_CHECK("FULGURITE_FUZZ_SEED=" << seed << " FULGURITE_FUZZ_COUNT=1\n" << text << problem);
    }
    SUCCEED();
}

std::string difference_of_all(const Tensors& got, const Tensors& expected) {
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::string text = bitwise_difference(got[i], expected[i]);
        if (!text.empty()) return "output " + std::to_string(i) + ": " + text;
    }
    return {};
}

Tensor loss_of(const Tensors& outputs) {
    Tensor total = full({}, 0.0, {.dtype = float64});
    for (const Tensor& output : outputs)
        total = total + sum(output * values(float64, output.shape(), 23, Range::away));
    return total;
}

bool is_tame(const Tensors& tensors) {
    for (const Tensor& tensor : tensors) {
        for (const double element : elements_of(tensor)) {
            if (!(std::abs(element) < 1e3)) return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("random programs are long, and the same for the same seed", "[fuzz]") {
    std::size_t steps = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const RandomProgram program = random_program(seed);
        steps += program.steps.size();
        CHECK(!program.outputs.empty());
        CHECK(to_string(program) == to_string(random_program(seed)));
    }
    CHECK(steps >= 500);
}

TEST_CASE("random programs give the same bits jitted and op by op", "[fuzz]") {
    for_programs(300, {}, [](const RandomProgram& program) {
        JitOptions options;
        options.executors = {"reference"};
        const Tensors expected = program(program.inputs);
        const auto jitted = jit([&](const Tensors& inputs) { return program(inputs); }, options);
        std::string text = difference_of_all(jitted(program.inputs), expected);
        if (text.empty()) text = difference_of_all(jitted(program.inputs), expected);
        return text.empty() ? text : "jitted against eager: " + text;
    });
}

TEST_CASE("gradients of random programs are those of finite differences, jitted or not", "[fuzz][grad]") {
    for_programs(40, {.smooth = true}, [](const RandomProgram& program) -> std::string {
        if (!is_tame(program(program.inputs))) return {};
        const std::function<Tensor(const Tensors&)> loss = [&](const Tensors& inputs) {
            return loss_of(program(inputs));
        };
        const std::string text = check_grad(loss, program.inputs, {.step = 1e-6, .atol = 1e-4, .rtol = 1e-3});
        if (!text.empty()) return text;
        return difference_of_all(jit(grad(loss))(program.inputs), grad(loss)(program.inputs));
    });
}

}  // namespace fulgurite::tests
