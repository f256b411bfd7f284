#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

// What goes wrong in a traced function: a sentence that helps, and everything usable afterwards.

TEST_CASE("a traced value has no bool") {
    unsigned line = 0;
    auto f = fg::jit([&](Tensor x) {
        line = __LINE__ + 1;
        const Tensor positive = fg::sum(x) > 0;
        if (positive) return x;
        return -x;
    });
    const std::string text = thrown<fg::TraceError>([&] { f(fg::ones({2})); });
    CHECK_THAT(text, ContainsSubstring("no bool") && ContainsSubstring("where(cond, a, b)"));
    CHECK_THAT(text, ContainsSubstring("misuse_test.cpp:" + std::to_string(line)));
    CHECK(static_cast<bool>(fg::sum(fg::ones({2})) > 0));
}

TEST_CASE("a traced value has no elements") {
    auto item = fg::jit([](Tensor x) { return x * fg::sum(x).item<float>(); });
    auto span = fg::jit([](Tensor x) { return x * x.span<float>()[0]; });
    auto write = fg::jit([](Tensor x) {
        x.mutable_span<float>()[0] = 1;
        return x;
    });
    for (const auto& text : {thrown<fg::TraceError>([&] { item(fg::ones({2})); }),
                             thrown<fg::TraceError>([&] { span(fg::ones({2})); }),
                             thrown<fg::TraceError>([&] { write(fg::ones({2})); })}) {
        CHECK_THAT(text, ContainsSubstring("traced float32") && ContainsSubstring("no elements"));
    }
    CHECK_THAT(thrown<fg::TraceError>([&] { item(fg::ones({2})); }), StartsWith("[item] misuse_test.cpp:"));
}

TEST_CASE("printing a traced value shows its spec") {
    std::string printed;
    auto f = fg::jit([&](Tensor x) {
        printed = fg::to_string(x + 1);
        return x;
    });
    f(fg::ones({2, 3}));
    CHECK_THAT(printed, ContainsSubstring("float32[2, 3]"));
}

TEST_CASE("a traced handle kept after its trace throws wherever it is used") {
    Tensor kept;
    unsigned line = 0;
    auto leak = fg::jit([&](Tensor x) {
        line = __LINE__ + 1;
        kept = x * 2;
        return x;
    });
    leak(fg::ones({2}));
    REQUIRE(kept.is_traced());
    const std::string made = "misuse_test.cpp:" + std::to_string(line);
    auto use = fg::jit([&](Tensor x) { return x + kept; });
    CHECK_THAT(thrown<fg::TraceError>([&] { kept + 1; }),
               ContainsSubstring("kept after its trace") && ContainsSubstring(made));
    CHECK_THAT(thrown<fg::TraceError>([&] { use(fg::ones({2})); }),
               ContainsSubstring("kept after its trace"));
    CHECK_THAT(thrown<fg::TraceError>([&] { use(kept); }), ContainsSubstring("kept after its trace"));
    CHECK_THAT(thrown<fg::TraceError>([&] { kept.t(); }), ContainsSubstring("kept after its trace"));
    CHECK_THROWS_AS(kept.item<float>(), fg::TraceError);
    CHECK_THROWS_AS(static_cast<bool>(kept), fg::TraceError);
    CHECK(kept.shape() == fg::Shape({2}));
    kept = fg::ones({2});
    CHECK(values(use(fg::ones({2}))) == List{2, 2});
}

TEST_CASE("a handle of an inner trace does not leak into the outer one") {
    Tensor kept;
    auto f = fg::jit([&](Tensor x) {
        const Tensor gradient = fg::grad([&](Tensor y) {
            kept = y * 2;
            return fg::sum(kept * y);
        })(x);
        return gradient + kept;
    });
    CHECK_THROWS_AS(f(fg::ones({2})), fg::TraceError);
}

TEST_CASE("a lambda that throws half-way leaves everything usable") {
    bool fails = true;
    auto f = fg::jit([&](Tensor& x, Tensor y) {
        x = x + y;
        if (fails) throw std::runtime_error("half-way");
        return x * 2;
    });
    Tensor x = fg::ones({2});
    const Tensor y = fg::ones({2});
    for (int i = 0; i < 2; ++i) {
        CHECK_THROWS_WITH(f(x, y), "half-way");
        CHECK_FALSE(fg::is_tracing());
        CHECK(values(x) == List{1, 1});
    }
    CHECK(values(x + y) == List{2, 2});
    fails = false;
    CHECK(values(f(x, y)) == List{4, 4});
    CHECK(values(x) == List{2, 2});
}

TEST_CASE("a lambda that throws within grad, within another jit, leaves everything usable") {
    bool fails = true;
    const auto loss = [&](Tensor x) {
        const Tensor y = fg::exp(x);
        if (fails) throw std::logic_error("deep");
        return fg::sum(y);
    };
    auto f = fg::jit([&](Tensor x) { return fg::jit(fg::grad(loss))(x) + 1; });
    const Tensor x = fg::zeros({2});
    CHECK_THROWS_AS(f(x), std::logic_error);
    CHECK_THROWS_AS(fg::grad(loss)(x), std::logic_error);
    CHECK_THROWS_AS(fg::eval_shape(loss, x), std::logic_error);
    CHECK_THROWS_AS(fg::trace(loss, x), std::logic_error);
    CHECK_FALSE(fg::is_tracing());
    fails = false;
    CHECK(values(f(x)) == List{2, 2});
    CHECK(values(fg::grad(loss)(x)) == List{1, 1});
}

TEST_CASE("wrong shapes, dtypes, dims and ranks name the op and what came, and the function still works") {
    auto add = fg::jit([](Tensor a, Tensor b) { return a + b; });
    auto product = fg::jit([](Tensor a, Tensor b) { return fg::matmul(a, b); });
    auto reduce = fg::jit([](Tensor a, int dim) { return fg::sum(a, {.dim = dim}); });
    const Tensor a = fg::ones({2, 3}), b = fg::ones({4});
    CHECK_THAT(thrown<fg::ShapeError>([&] { add(a, b); }),
               StartsWith("[add]") && ContainsSubstring("[2, 3]") && ContainsSubstring("[4]"));
    CHECK_THAT(thrown<fg::ShapeError>([&] { product(a, a); }),
               StartsWith("[matmul]") && ContainsSubstring("[2, 3]"));
    CHECK_THAT(thrown<fg::DTypeError>([&] { product(a, a.to(fg::float64).t()); }),
               StartsWith("[matmul]") && ContainsSubstring("float64"));
    CHECK_THAT(thrown<fg::IndexError>([&] { reduce(a, 2); }), StartsWith("[sum]") && ContainsSubstring("2"));
    CHECK_THROWS_AS(reduce(a, -3), fg::IndexError);
    CHECK(fg::cache_misses(reduce) == 2);
    CHECK(values(add(a, a)).front() == 2);
    CHECK(product(a, a.t()).shape() == fg::Shape({2, 2}));
    CHECK(values(reduce(a, -1)) == List{3, 3});
    CHECK_THAT(fg::explain(add), ContainsSubstring("1 specialisation(s)"));
}

TEST_CASE("undefined tensors are named, not dereferenced") {
    const Tensor none;
    CHECK_THROWS_AS(none.shape(), fg::ValueError);
    CHECK_THROWS_AS(none.item<float>(), fg::ValueError);
    CHECK_THROWS_AS(none + 1, fg::ValueError);
    CHECK_THROWS_AS(fg::matmul(none, none), fg::ValueError);
    CHECK_THROWS_AS(fg::matmul(fg::ones({2, 2}), none), fg::ValueError);
    CHECK_THROWS_AS(fg::sum(none), fg::ValueError);
    CHECK_THROWS_AS(fg::reshape(none, {1}), fg::ValueError);
    CHECK_THROWS_AS(fg::cat({fg::ones({1}), none}, 0), fg::ValueError);
    CHECK_THROWS_AS(none.t(), fg::ValueError);
    auto f = fg::jit([](Tensor x) { return fg::sum(x); });
    CHECK_THROWS_AS(f(none), fg::ValueError);
    CHECK(f(fg::ones({2})).item<float>() == 2);
    auto through = fg::jit([](Tensor x) { return x; });
    CHECK_FALSE(through(none).defined());
}

TEST_CASE("sizes that overflow are a ShapeError, before any memory is asked for") {
    const std::int64_t huge = std::int64_t{1} << 40;
    CHECK_THROWS_AS(fg::zeros({huge, huge}), fg::ShapeError);
    CHECK_THROWS_AS(fg::TensorSpec({huge, huge, huge}).numel(), fg::ShapeError);
    auto f = fg::jit([](Tensor x, std::int64_t n) { return fg::sum(fg::expand(x, {n, n, 1})); });
    CHECK_THROWS_AS(f(fg::ones({1}), huge), fg::ShapeError);
    CHECK_THROWS_AS(fg::expand(fg::ones({1}), {huge, huge, 1}), fg::ShapeError);
    CHECK(f(fg::ones({1}), 2).item<float>() == 4);
    CHECK_THROWS_AS(fg::ones({1, 1, 1, 1, 1, 1, 1, 1, 1}), fg::ShapeError);
    CHECK_THROWS_AS(fg::ones({-1}), fg::ShapeError);
}

TEST_CASE("memory that there is not is bad_alloc, and the function still works") {
    auto f = fg::jit([](Tensor x, std::int64_t n) { return fg::expand(x, {n}) + 1; });
    CHECK_THROWS_AS(f(fg::ones({1}), std::int64_t{1} << 50), std::bad_alloc);
    CHECK(values(f(fg::ones({1}), 2)) == List{2, 2});
}

TEST_CASE("a device that is not there is a DeviceError") {
    CHECK_THROWS_AS(fg::zeros({2}, {.device = fg::cuda(7)}), fg::Error);
    CHECK_THROWS_AS(fg::ones({2}).to(fg::cuda(7)), fg::Error);
    const auto mixed = [](Tensor a, Tensor b) { return a + b; };
    CHECK_THAT(thrown<fg::DeviceError>([&] {
                   fg::trace(mixed, fg::TensorSpec({2}), fg::TensorSpec({2}, fg::float32, fg::cuda()));
               }),
               StartsWith("[add]") && ContainsSubstring("cuda:0"));
    CHECK(values(mixed(fg::ones({1}), fg::ones({1}))) == List{2});
}

TEST_CASE("empty tensors compute") {
    auto f = fg::jit(
        [](Tensor x) { return std::tuple(x + 1, fg::sum(x), fg::matmul(x, x.t()), fg::cat({x, x}, 0)); });
    const auto [sum, total, product, both] = f(fg::ones({0, 3}));
    CHECK(sum.shape() == fg::Shape({0, 3}));
    CHECK(total.item<float>() == 0);
    CHECK(product.shape() == fg::Shape({0, 0}));
    CHECK(both.shape() == fg::Shape({0, 3}));
    CHECK(values(fg::jit(fg::grad([](Tensor x) { return fg::sum(x * x); }))(fg::ones({0}))).empty());
    CHECK(values(fg::matmul(fg::ones({2, 0}), fg::ones({0, 2}))) == List{0, 0, 0, 0});
}

TEST_CASE("a meta that throws its own error reaches the caller, and the next call works") {
    fg::OperatorExecutor& ex = fg::register_executor("misuse_meta", {.add_to_default = false});
    const auto op = ex.register_operator(
        "picky",
        [](const Tensor& x) -> fg::TensorSpec {
            if (x.dim() != 1)
                fg::fail<fg::ShapeError>("picky", "expected a vector, got " + fg::to_string(x.spec()));
            return x.spec();
        },
        [](const Tensor& x) { return x + 1; });
    auto f = fg::jit([&](Tensor x) { return op(x); });
    CHECK_THAT(thrown<fg::ShapeError>([&] { f(fg::ones({2, 2})); }),
               ContainsSubstring("picky]") && ContainsSubstring("[2, 2]"));
    CHECK_THROWS_AS(op(fg::ones({2, 2})), fg::ShapeError);
    CHECK(values(f(fg::ones({2}))) == List{2, 2});
    fg::deregister_executor("misuse_meta");
}

TEST_CASE("a kernel that throws reaches the caller, and the program runs again") {
    fg::OperatorExecutor& ex = fg::register_executor("misuse_kernel", {.add_to_default = false});
    bool fails = true;
    const auto op = ex.register_operator(
        "flaky", [](const Tensor& x) { return x.spec(); },
        [&](fg::Out<Tensor>& out, const Tensor& x) {
            if (fails) throw std::runtime_error("no luck");
            std::copy(x.span<float>().begin(), x.span<float>().end(), out->mutable_span<float>().begin());
        });
    auto f = fg::jit([&](Tensor x) { return fg::exp(op(x + 0)) + 1; });
    CHECK_THROWS_WITH(f(fg::zeros({2})), "no luck");
    CHECK_THROWS_WITH(f(fg::zeros({2})), "no luck");
    fails = false;
    CHECK(values(f(fg::zeros({2}))) == List{2, 2});
    CHECK(fg::cache_misses(f) == 1);
    fg::deregister_executor("misuse_kernel");
}
