// Matrix products of the shapes in the peers' scripts, float32, with the machine's own GF/s beside them.

#include <array>

#include <benchmark/benchmark.h>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

namespace {

struct Product {
    const char* name;
    std::int64_t m, n, k;
};
constexpr std::array products{
    Product{"square_256", 256, 256, 256},     Product{"square_512", 512, 512, 512},
    Product{"square_1024", 1024, 1024, 1024}, Product{"gpt2_qkv", 512, 2304, 768},
    Product{"gpt2_up", 512, 3072, 768},       Product{"gpt2_down", 512, 768, 3072},
    Product{"flat_8", 8, 4096, 4096},         Product{"odd_777", 777, 333, 555},
    Product{"tall", 65536, 64, 64},           Product{"big_k", 64, 64, 65536},
};

/// Values that are neither zero nor equal.
fg::Tensor ramp(std::int64_t rows, std::int64_t columns) {
    return fg::sin(fg::arange(rows * columns, {.dtype = fg::float32})).reshape({rows, columns});
}

const bool registered = [] {
    for (const Product& product : products) {
        benchmark::RegisterBenchmark(
            ("matmul/f32/" + std::string(product.name)).c_str(),
            [product](benchmark::State& state) {
                const auto multiply = fg::jit([](fg::Tensor a, fg::Tensor b) { return fg::matmul(a, b); });
                const fg::Tensor a = ramp(product.m, product.k), b = ramp(product.k, product.n);
                for (auto _ : state) benchmark::DoNotOptimize(multiply(a, b));
                state.counters["flops"] =
                    benchmark::Counter(2.0 * static_cast<double>(product.m * product.n * product.k),
                                       benchmark::Counter::kIsIterationInvariantRate);
            })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    }
    return true;
}();

}  // namespace
