// What a call costs when it computes next to nothing, and what a cold one costs.

#include <benchmark/benchmark.h>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

namespace {

fg::Tensor small(float first) { return fg::tensor({{first, 2.0f}, {3.0f, 4.0f}}); }

void add_2x2_jit(benchmark::State& state) {
    const auto add = fg::jit([](fg::Tensor a, fg::Tensor b) { return a + b; });
    const fg::Tensor a = small(1), b = small(2);
    for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
BENCHMARK(add_2x2_jit)->Name("call/add_2x2/jit");

void add_2x2_eager(benchmark::State& state) {
    const fg::Tensor a = small(1), b = small(2);
    for (auto _ : state) benchmark::DoNotOptimize(a + b);
}
BENCHMARK(add_2x2_eager)->Name("call/add_2x2/eager");

/// The chain of the peers' scripts: 8 rounds of five ops, then two.
fg::Tensor sin_chain(fg::Tensor x, fg::Tensor y) {
    for (int i = 0; i < 8; ++i) x = fg::sin(x * y + 0.5f) * 0.9f + x;
    return fg::tanh(x) * y;
}

void sin_chain_cold(benchmark::State& state) {
    const fg::Tensor x = fg::full({1024}, 0.5f), y = fg::full({1024}, 0.25f);
    for (auto _ : state) benchmark::DoNotOptimize(fg::jit(&sin_chain)(x, y));
}
BENCHMARK(sin_chain_cold)->Name("cold/sin_chain_1k")->Unit(benchmark::kMicrosecond);

void sin_chain_warm(benchmark::State& state) {
    const auto chain = fg::jit(&sin_chain);
    const fg::Tensor x = fg::full({state.range(0)}, 0.5f), y = fg::full({state.range(0)}, 0.25f);
    for (auto _ : state) benchmark::DoNotOptimize(chain(x, y));
}
BENCHMARK(sin_chain_warm)->Name("fused/sin_chain_1k")->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK(sin_chain_warm)->Name("fused/sin_chain_4M")->Arg(1 << 22)->Unit(benchmark::kMillisecond);

/// Recording alone, an op at a time; the counter is the time of one op.
void trace_op(benchmark::State& state) {
    const fg::TensorSpec spec({1024});
    for (auto _ : state) benchmark::DoNotOptimize(fg::trace(&sin_chain, spec, spec));
    state.counters["per_op"] =
        benchmark::Counter(42, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(trace_op)->Name("trace/sin_chain")->Unit(benchmark::kMicrosecond);

}  // namespace
