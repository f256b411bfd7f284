#include <atomic>
#include <barrier>
#include <chrono>
#include <mutex>
#include <thread>

#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;
using namespace std::chrono_literals;

// Catch's assertions are for one thread: what the others see is counted, and checked after they are joined.

namespace {

constexpr int thread_count = 6;

/// Runs f(index) on so many threads at once, and waits for them.
template <class F>
void on_threads(int count, F f) {
    std::barrier start(count);
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            f(i);
        });
    }
}

bool equals(const Tensor& tensor, const List& expected) { return values(tensor) == expected; }

}  // namespace

TEST_CASE("several threads share a jitted function", "[threads]") {
    auto f = fg::jit([](Tensor x, fg::Scalar<double> by) { return fg::sum(fg::exp(x * 0) * by + x) * 2; });
    std::atomic<int> wrong{0};
    on_threads(thread_count, [&](int thread) {
        for (int i = 0; i < 100; ++i) {
            const double value = thread * 1000 + i;
            wrong += !equals(f(fg::tensor({value, value + 1}), i), {2 * (2 * value + 1 + 2 * i)});
        }
    });
    CHECK(wrong == 0);
    CHECK(fg::cache_misses(f) == 1);
    CHECK(fg::compile_stats(f).calls >= thread_count * 100u - thread_count);
}

TEST_CASE("threads that want one key compile it once", "[threads]") {
    std::atomic<int> traced{0}, wrong{0};
    auto f = fg::jit([&](Tensor x) {
        ++traced;
        std::this_thread::sleep_for(50ms);
        return x + 1;
    });
    on_threads(thread_count, [&](int) { wrong += !equals(f(fg::tensor({1.0})), {2}); });
    CHECK(traced == 1);
    CHECK(wrong == 0);
    CHECK(fg::cache_misses(f) == 1);
}

TEST_CASE("threads that differ in a Scalar alone compile once too", "[threads]") {
    std::atomic<int> traced{0}, wrong{0};
    auto f = fg::jit([&](Tensor x, fg::Scalar<double> by) {
        ++traced;
        std::this_thread::sleep_for(50ms);
        return x * by;
    });
    on_threads(thread_count,
               [&](int thread) { wrong += !equals(f(fg::tensor({2.0}), thread), {2.0 * thread}); });
    CHECK(traced == 1);
    CHECK(wrong == 0);
}

TEST_CASE("threads that want different keys compile them side by side", "[threads]") {
    std::atomic<int> inside{0}, most{0}, wrong{0};
    auto f = fg::jit([&](Tensor x) {
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(50ms);
        --inside;
        return x + 1;
    });
    on_threads(thread_count, [&](int thread) {
        const Tensor out = f(fg::ones({thread + 1}));
        wrong += out.numel() != thread + 1 || values(out)[0] != 2;
    });
    CHECK(wrong == 0);
    CHECK(most > 1);
    CHECK(fg::cache_misses(f) == thread_count);
}

TEST_CASE("a failing compilation wakes the others with its exception, and leaves no entry", "[threads]") {
    std::atomic<bool> fails{true};
    std::atomic<int> traced{0}, threw{0}, other{0};
    auto f = fg::jit([&](Tensor x) {
        ++traced;
        std::this_thread::sleep_for(100ms);
        if (fails) throw std::runtime_error("cannot");
        return x + 1;
    });
    on_threads(thread_count, [&](int) {
        try {
            f(fg::tensor({1.0}));
            ++other;
        } catch (const std::runtime_error& error) {
            ++(std::string(error.what()) == "cannot" ? threw : other);
        }
    });
    CHECK(threw == thread_count);
    CHECK(other == 0);
    CHECK(traced < thread_count);
    fails = false;
    std::atomic<int> wrong{0};
    on_threads(thread_count, [&](int) { wrong += !equals(f(fg::tensor({1.0})), {2}); });
    CHECK(wrong == 0);
    CHECK_THAT(fg::explain(f), ContainsSubstring("1 specialisation(s)"));
}

TEST_CASE("Scalars that are read compile once a value, from any thread", "[threads]") {
    std::atomic<int> traced{0}, wrong{0};
    auto f = fg::jit([&](Tensor x, fg::Scalar<int> n) {
        ++traced;
        for (int i = 0; i < n.value(); ++i) x = x + 1;
        return x;
    });
    on_threads(thread_count, [&](int thread) {
        for (int i = 0; i < 30; ++i) {
            const int n = (thread + i) % 3 + 1;
            wrong += !equals(f(fg::tensor({0.0}), n), {static_cast<double>(n)});
        }
    });
    CHECK(wrong == 0);
    CHECK(fg::cache_misses(f) == 3);  // debug builds trace again on some hits
}

TEST_CASE("eager ops run on many threads", "[threads]") {
    std::atomic<int> wrong{0};
    on_threads(thread_count, [&](int thread) {
        for (int i = 0; i < 60; ++i) {
            const Tensor x = fg::full({1 + i % 5, 2}, thread, {.dtype = i % 2 ? fg::float64 : fg::float32});
            const Tensor y = fg::sum(fg::relu(x) * 2 + x.t().t(), {.dim = 1});
            wrong += values(y)[0] != 6.0 * thread;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("transforms run on many threads, outside of jit", "[threads]") {
    std::atomic<int> wrong{0};
    const auto gradient = fg::value_and_grad([](Tensor x) { return fg::sum(x * x * x); });
    on_threads(thread_count, [&](int thread) {
        for (int i = 0; i < 10; ++i) {
            const double v = thread + 1;
            const auto [value, grad] = gradient(fg::tensor({v, 2 * v}));
            wrong += !equals(grad, {3 * v * v, 12 * v * v}) || value.item<double>() != 9 * v * v * v;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("the registry changes beside calls", "[threads]") {
    auto f = fg::jit([](Tensor x) { return fg::exp(x * 0) + x; });
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::jthread changing([&] {
        for (int i = 0; i < 25; ++i) {
            fg::OperatorExecutor& ex = fg::register_executor("threads_test");
            ex.register_implementation(fg::prims::exp,
                                       {.checker = [](const fg::Operand&) { return fg::refuse("never"); }});
            fg::deregister_executor("threads_test");
        }
        done = true;
    });
    on_threads(3, [&](int thread) {
        do {
            wrong += !equals(f(fg::tensor({1.0 * thread})), {1.0 + thread});
            wrong += !equals(fg::tensor({1.0}) + thread, {1.0 + thread});
        } while (!done);
    });
    CHECK(wrong == 0);
}

TEST_CASE("threads end, and what they made lives on", "[threads]") {
    auto f = fg::jit([](Tensor& state, Tensor x) {
        state = state + x;
        return fg::reshape(state * 2, {2, 1})[0];
    });
    std::vector<Tensor> kept;
    Tensor state = fg::tensor({0.0, 0.0});
    for (int i = 0; i < 20; ++i) {
        std::jthread([&] { kept.push_back(f(state, fg::tensor({1.0, 2.0})) + fg::ones({1})); }).join();
    }
    CHECK(equals(state, {20, 40}));
    for (int i = 0; i < 20; ++i) CHECK(equals(kept[static_cast<std::size_t>(i)], {2.0 * (i + 1) + 1}));
}

TEST_CASE("a jitted function may end on another thread than it was called on", "[threads]") {
    std::optional f(fg::jit([](Tensor x) { return fg::exp(x) + 1; }));
    std::atomic<int> wrong{0};
    on_threads(3, [&](int) { wrong += !equals((*f)(fg::tensor({0.0})), {2}); });
    std::jthread([&] { f.reset(); }).join();
    CHECK(wrong == 0);
}

TEST_CASE("one thread's trace, no_grad and default dtype are not another's", "[threads]") {
    std::atomic<int> wrong{0};
    auto f = fg::jit([&](Tensor x) {
        std::jthread([&] {
            wrong += fg::is_tracing();
            wrong += !equals(fg::tensor({1.0}) + 1, {2});
        }).join();
        return x + 1;
    });
    const fg::NoGradGuard guard;
    fg::set_default_dtype(fg::float64);
    f(fg::tensor({1.0}));
    std::jthread([&] {
        wrong += !fg::is_grad_enabled();
        wrong += fg::default_dtype() != fg::float32;
    }).join();
    fg::set_default_dtype(fg::float32);
    CHECK(wrong == 0);
}

TEST_CASE("a kernel that throws on one thread does not disturb the others", "[threads]") {
    const auto ex = fg::temporary_executor();
    const auto op = ex->register_operator(
        "checked", [](const Tensor& x) { return x.spec(); },
        [](fg::Out<Tensor>& out, const Tensor& x) {
            if (x.span<double>()[0] < 0) throw std::domain_error("negative");
            out->mutable_span<double>()[0] = x.span<double>()[0] * 2;
        });
    auto f = fg::jit([&](Tensor x) { return op(x + 0) + 1; });
    std::atomic<int> wrong{0};
    on_threads(4, [&](int thread) {
        for (int i = 0; i < 50; ++i) {
            const double v = thread % 2 ? -1 : i;
            try {
                wrong += !equals(f(fg::tensor({v})), {2 * v + 1}) || v < 0;
            } catch (const std::domain_error&) {
                wrong += v >= 0;
            }
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("the log is written to one message at a time", "[threads]") {
    std::atomic<int> inside{0}, overlaps{0};
    int heard = 0;
    fg::set_log_sink([&](fg::LogLevel, std::string_view) {
        overlaps += ++inside > 1;
        ++heard;
        --inside;
    });
    on_threads(4, [](int) {
        for (int i = 0; i < 200; ++i) fg::log(fg::LogLevel::info, "message");
    });
    fg::set_log_sink({});
    CHECK(overlaps == 0);
    CHECK(heard == 800);
}
