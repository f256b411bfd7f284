#include <fulgurite/runtime/compile.h>
#include <fulgurite/tests/passes/toys.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {
constexpr std::int64_t n = 1024;
constexpr std::int64_t block = n * 4;
const fg::TensorSpec large{{n}};

template <class F, class... Spec>
fg::Compiled compiled(const F& f, const Spec&... specs) {
    return fg::compile(traced(f, specs...), {}, fg::compile_context());
}

std::vector<Tensor> run(const fg::Compiled& compiled, std::vector<Tensor> inputs) {
    std::vector<Tensor> outputs(compiled.program->output_count());
    compiled.program->run(inputs, outputs.data());
    return outputs;
}
}  // namespace

TEST_CASE("intermediates share one arena: a chain needs two blocks at most") {
    const fg::Compiled chain = compiled(
        [](Tensor x) {
            for (int i = 0; i < 20; ++i) x = fg::sin(x);
            return x;
        },
        large);
    CHECK(chain.program->call_count() == 20);
    CHECK(chain.program->arena_bytes() <= 2 * block);
    CHECK(chain.program->arena_bytes() >= block);
}

TEST_CASE("outputs, and what they view, never lie in the arena") {
    CHECK(compiled([](Tensor x) { return fg::exp(x); }, large).program->arena_bytes() == 0);
    CHECK(compiled([](Tensor x) { return fg::reshape(fg::exp(x), {32, 32})[3]; }, large)
              .program->arena_bytes() == 0);
    const fg::Compiled both = compiled(
        [](Tensor x) {
            const Tensor y = fg::exp(x);
            return std::pair(y, fg::sin(y));
        },
        large);
    CHECK(both.program->arena_bytes() == 0);
}

TEST_CASE("outputs keep their elements while the program runs again") {
    const fg::Compiled program =
        compiled([](Tensor x) { return fg::reshape(fg::exp(x + 1), {32, 32})[0]; }, large);
    const Tensor first = run(program, {fg::zeros({n}) - 1})[0];
    for (int i = 0; i < 3; ++i) run(program, {fg::ones({n})});
    CHECK(values(first)[5] == 1);
}

TEST_CASE("views of intermediates live in the arena as long as they are read") {
    const fg::Compiled program = compiled(
        [](Tensor x) {
            const Tensor y = fg::exp(x), late = fg::slice(y, 0, n - 1);
            Tensor z = x;
            for (int i = 0; i < 6; ++i) z = z + 1;
            return fg::sum(z) * 0 + late;
        },
        large);
    CHECK(values(run(program, {fg::zeros({n})})[0]) == List{1});
}

TEST_CASE("a program runs with no inputs, no outputs, and inputs returned as they are") {
    CHECK(values(run(compiled([] { return fg::arange(3); }), {})[0]) == List{0, 1, 2});
    const Tensor x = fg::ones({n});
    CHECK(share_storage(run(compiled([](Tensor y) { return y; }, large), {x})[0], x));
    CHECK(run(compiled([](Tensor) { return std::vector<Tensor>(); }, large), {x}).empty());
}

namespace {
/// Runs an operator whose implementation returns `given` though its meta promises float32[2, 3].
std::string told(const Tensor& given) {
    const auto ex = fg::temporary_executor();
    const auto op = ex->register_operator(
        "promise", [](const Tensor&) { return fg::TensorSpec({2, 3}); },
        [given](const Tensor&) { return given; });
    auto f = fg::jit([&](Tensor x) { return op(x); }, {.executors = {fg::ExecutorPtr(ex)}});
    const std::string text = thrown<fg::ValueError>([&] { f(fg::ones({2})); });
    CHECK_THAT(text, ContainsSubstring("::promise"));
    return text;
}
}  // namespace

TEST_CASE("an implementation that returns another shape, dtype or strides is an error with both specs") {
    for (const auto& text : {told(fg::ones({3, 2})), told(fg::ones({2, 3}, {.dtype = fg::float64})),
                             told(fg::ones({3, 2}).t()), told(Tensor())}) {
        CHECK_THAT(text, ContainsSubstring("::promise") && ContainsSubstring("float32[2, 3]"));
    }
    CHECK_THAT(told(fg::ones({3, 2})), ContainsSubstring("float32[3, 2]"));
    CHECK_THAT(told(fg::ones({2, 3}, {.dtype = fg::float64})), ContainsSubstring("float64[2, 3]"));
    CHECK_THAT(told(fg::ones({3, 2}).t()), ContainsSubstring("[1, 2]"));
    CHECK_THAT(told(Tensor()), ContainsSubstring("nothing"));
}

TEST_CASE("an implementation that returns its operand, or one tensor twice, gives tensors of their own") {
    const auto ex = fg::temporary_executor();
    const auto meta = [](const Tensor& x) { return std::pair(x.spec(), x.spec()); };
    const auto same = ex->register_operator("same", meta, [](const Tensor& x) { return std::pair(x, x); });
    const auto halves = ex->register_operator(
        "halves", [](const Tensor&) { return std::pair(fg::TensorSpec({2}), fg::TensorSpec({2})); },
        [](const Tensor& x) { return std::pair(x[0], x[1]); });
    auto f = fg::jit([&](Tensor x) {
        const auto [a, b] = same(x);
        const auto [c, d] = same(x * 2);  // an intermediate: it lies in the arena
        const auto [e, g] = halves(fg::exp(x * 0));
        return std::vector{a, b, c, d, e, g};
    });
    const Tensor x = fg::tensor({{1.0f, 2.0f}, {3.0f, 4.0f}});
    const std::vector<Tensor> first = f(x);
    f(x * 10);
    CHECK(values(first[1]) == List{1, 2, 3, 4});
    CHECK(values(first[2]) == List{2, 4, 6, 8});
    CHECK(values(first[3]) == List{2, 4, 6, 8});
    CHECK(values(first[4]) == List{1, 1});
    for (std::size_t i = 0; i < first.size(); ++i) {
        CHECK_FALSE(share_storage(first[i], x));
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(share_storage(first[i], first[j]));
    }
}

TEST_CASE("strides of dimensions of size 1 are no broken promise") {
    const auto ex = fg::temporary_executor();
    const auto op = ex->register_operator(
        "row", [](const Tensor&) { return fg::TensorSpec({1, 3}); },
        [](const Tensor&) { return fg::ones({3, 1}).t(); });
    CHECK(values(op(fg::ones({2}))) == List{1, 1, 1});
}

TEST_CASE("one symbol nobody claimed is an InternalError of the plan") {
    const fg::Trace trace = traced([](Tensor x) { return fg::exp(x); }, large);
    CHECK_THAT(thrown<fg::InternalError>([&] { const fg::Program program(trace); }),
               ContainsSubstring("exp"));
}
