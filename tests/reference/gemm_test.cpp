#include <fulgurite/executors/reference/gemm.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/runtime/thread_pool.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using reference::gemm;
using reference::GemmSizes;
using reference::Matrices;

namespace {

/// Matrices of small whole numbers in one of several layouts, with their values.
template <class T>
struct Sample {
    std::int64_t batch, rows, columns;
    std::vector<T> storage;
    Matrices view;

    Sample(std::int64_t batch_, std::int64_t rows_, std::int64_t columns_, unsigned layout,
           std::mt19937& random)
        : batch(batch_), rows(rows_), columns(columns_) {
        const bool transposed = layout & 1, padded = layout & 2, one_batch = layout & 4, spread = layout & 8;
        const std::int64_t step = spread ? 2 : 1;
        const std::int64_t inner = (transposed ? rows : columns) * step + (padded ? 3 : 0);
        const std::int64_t matrix = inner * (transposed ? columns : rows) + 5;
        storage.resize(static_cast<std::size_t>(matrix * (one_batch ? 1 : batch) + 7));
        const int lowest = std::is_same_v<T, std::uint8_t> ? 0 : -3;
        for (T& value : storage) {
            value = static_cast<T>(static_cast<float>(static_cast<int>(random() % 7) + lowest));
        }
        view = {storage.data() + 2, one_batch ? 0 : matrix, transposed ? step : inner,
                transposed ? inner : step};
    }
    double at(std::int64_t b, std::int64_t i, std::int64_t j) const {
        const T* data = static_cast<const T*>(view.data);
        return static_cast<double>(
            data[b * view.batch_stride + i * view.row_stride + j * view.column_stride]);
    }
};

template <class T>
void check_product(const GemmSizes& sizes, unsigned a_layout, unsigned b_layout, std::mt19937& random) {
    const auto [batch, m, n, k] = sizes;
    const Sample<T> a(batch, m, k, a_layout, random), b(batch, k, n, b_layout, random);
    Sample<T> c(batch, m, n, a_layout & 2, random);
    const std::vector<T> before = c.storage;
    gemm(dtype_of<T>(), sizes, c.view, a.view, b.view);
    for (std::int64_t batch_index = 0; batch_index < batch; ++batch_index) {
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::int64_t p = 0; p < k; ++p) {
                    sum += a.at(batch_index, i, p) * b.at(batch_index, p, j);
                }
                if constexpr (std::is_same_v<T, bool>) {
                    sum = sum != 0;
                } else if constexpr (std::is_integral_v<T>) {
                    sum = static_cast<double>(static_cast<T>(std::int64_t(sum)));
                } else {
                    sum = static_cast<double>(T(static_cast<float>(sum)));
                }
                if (c.at(batch_index, i, j) != sum) {
                    FAIL(name_of(dtype_of<T>())
                         << " " << batch << "x" << m << "x" << n << "x" << k << " layouts " << a_layout
                         << ", " << b_layout << " at " << batch_index << ", " << i << ", " << j << ": "
                         << c.at(batch_index, i, j) << " is not " << sum);
                }
            }
        }
    }
    // The elements around C are untouched.
    CHECK(std::memcmp(c.storage.data(), before.data(), 2 * sizeof(T)) == 0);
    CHECK(std::memcmp(c.storage.data() + c.storage.size() - 5, before.data() + before.size() - 5,
                      5 * sizeof(T)) == 0);
}

template <class T>
std::vector<T> random_vector(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& value : values) {
        value = static_cast<T>(normal(random));
    }
    return values;
}

}  // namespace

TEMPLATE_TEST_CASE("gemm multiplies any shapes and strides", "[gemm]", std::uint8_t, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, Half, BFloat16, float, double) {
    std::mt19937 random(1);
    for (int round = 0; round < 150; ++round) {
        const auto size = [&](unsigned most) { return static_cast<std::int64_t>(random() % most); };
        const GemmSizes sizes{size(4), size(round % 3 ? 20 : 70), size(round % 3 ? 20 : 70),
                              size(round % 3 ? 20 : 70)};
        check_product<TestType>(sizes, random() % 16, random() % 16, random);
    }
}

TEMPLATE_TEST_CASE("gemm multiplies large and flat matrices", "[gemm]", float, double) {
    std::mt19937 random(2);
    const GemmSizes shapes[] = {{1, 200, 300, 500}, {1, 1, 1000, 400}, {1, 3, 333, 777}, {1, 500, 1, 333},
                                {2, 65, 129, 400},  {1, 15, 33, 1000}, {5, 64, 64, 64},  {1, 1, 1, 100000}};
    for (const GemmSizes& sizes : shapes) {
        for (unsigned layout = 0; layout < 4; ++layout) {
            check_product<TestType>(sizes, layout & 1, layout / 2, random);
        }
    }
    check_product<TestType>({1, 2100, 40, 20}, 0, 0, random);
    check_product<TestType>({1, 40, 3200, 20}, 0, 1, random);
}

TEST_CASE("gemm of bool is an or of ands", "[gemm]") {
    const bool a[] = {true, false, false, false, true, true}, b[] = {true, false, true, true, false, false};
    bool c[4] = {};
    gemm(bool_, {1, 2, 2, 3}, {c, 0, 2, 1}, {const_cast<bool*>(a), 0, 3, 1}, {const_cast<bool*>(b), 0, 2, 1});
    CHECK(c[0] == true);
    CHECK(c[1] == false);
    CHECK(c[2] == true);
    CHECK(c[3] == true);
}

TEST_CASE("gemm of empty matrices gives zeros or nothing", "[gemm]") {
    for (const DType dtype : {bool_, int32, float16, float32, float64}) {
        std::vector<double> storage(6, 1.0);
        gemm(dtype, {1, 2, 3, 0}, {storage.data(), 0, 3, 1}, {}, {});
        const auto bytes = static_cast<std::size_t>(6 * size_of(dtype));
        CHECK(std::vector<char>(bytes, 0) ==
              std::vector<char>(reinterpret_cast<char*>(storage.data()),
                                reinterpret_cast<char*>(storage.data()) + bytes));
        gemm(dtype, {1, 0, 3, 2}, {}, {}, {});
        gemm(dtype, {1, 3, 0, 2}, {}, {}, {});
        gemm(dtype, {0, 3, 3, 2}, {}, {}, {});
    }
}

TEST_CASE("gemm is accurate and does not depend on the threads", "[gemm][threads]") {
    const GemmSizes sizes{1, 300, 250, 900};
    auto a = random_vector<float>(sizes.m * sizes.k, 1), b = random_vector<float>(sizes.k * sizes.n, 2);
    const std::vector<double> wide_a(a.begin(), a.end()), wide_b(b.begin(), b.end());
    std::vector<float> results[2];
    const int threads = num_threads();
    for (int round = 0; round < 2; ++round) {
        set_num_threads(round ? 3 : 1);
        results[round].resize(static_cast<std::size_t>(sizes.m * sizes.n));
        gemm(float32, sizes, {results[round].data(), 0, sizes.n, 1}, {a.data(), 0, sizes.k, 1},
             {b.data(), 0, sizes.n, 1});
    }
    set_num_threads(threads);
    CHECK(results[0] == results[1]);
    std::vector<double> exact(results[0].size());
    gemm(float64, sizes, {exact.data(), 0, sizes.n, 1}, {const_cast<double*>(wide_a.data()), 0, sizes.k, 1},
         {const_cast<double*>(wide_b.data()), 0, sizes.n, 1});
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        worst = std::max(worst, std::abs(exact[i] - results[0][i]));
    }
    CHECK(worst < 2e-4);
}
