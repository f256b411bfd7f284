#include <fulgurite/executors/reference/reduce.h>

#include <limits>

#include <fulgurite/core/errors.h>
#include <fulgurite/runtime/thread_pool.h>
#include <fulgurite/tests/reference/sample.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using namespace fulgurite::tests;
namespace ref = fulgurite::reference;

namespace {

struct Case {
    const char* name;
    void (*run)(const View&, const View&, const Dims&);
    double start;
    double (*combine)(double, double);
};

const Case cases[] = {
    {"sum", &ref::sum, 0, [](double a, double b) { return a + b; }},
    {"prod", &ref::prod, 1, [](double a, double b) { return a * b; }},
    {"amax", &ref::amax, -INFINITY, [](double a, double b) { return std::max(a, b); }},
    {"amin", &ref::amin, INFINITY, [](double a, double b) { return std::min(a, b); }},
};

Shape without(const Shape& shape, const Dims& dims) {
    Shape kept;
    for (int i = 0; i < shape.size(); ++i) {
        if (!dims.contains(i)) {
            kept.push_back(shape[i]);
        }
    }
    return kept;
}

std::vector<double> naive(const Case& test, const Sample& x, const Dims& dims) {
    const Shape kept = without(x.shape(), dims);
    std::vector<double> results(static_cast<std::size_t>(numel_of(kept)), test.start);
    for (std::int64_t i = 0; i < x.count(); ++i) {
        const auto places = x.index(i);
        std::int64_t at = 0;
        for (int dim = 0; dim < x.shape().size(); ++dim) {
            if (!dims.contains(dim)) {
                at = at * x.shape()[dim] + places[static_cast<std::size_t>(dim)];
            }
        }
        auto& result = results[static_cast<std::size_t>(at)];
        result = test.combine(result, x[i]);
    }
    return results;
}

}  // namespace

TEST_CASE("reductions over any dimensions, dtypes and layouts", "[reduce]") {
    std::mt19937 random(1);
    const Shape shapes[] = {{}, {7}, {1, 1}, {3, 5}, {2, 3, 4}, {40, 33}, {3, 1, 2, 5}, {2, 1100}, {1100, 3}};
    for (const Case& test : cases) {
        const bool product = test.start == 1;
        for (const DType dtype : all_dtypes) {
            for (const Shape& shape : shapes) {
                for (int chosen = 0; chosen < (1 << shape.size()); ++chosen) {
                    Dims dims;
                    for (int i = 0; i < shape.size(); ++i) {
                        if (chosen >> i & 1) {
                            dims.push_back(i);
                        }
                    }
                    const Layout layout = input_layouts[random() % 5];
                    Sample x(dtype, shape, layout);
                    Sample out(dtype, without(shape, dims),
                               random() % 2 ? Layout::padded : Layout::contiguous);
                    if (product) {
                        x.fill([&](std::int64_t) { return random() % 2 && dtype != uint8 ? -1.0 : 1.0; });
                    } else {
                        x.fill([&](std::int64_t) { return double(random() % 4); });
                    }
                    test.run(out.view(), x.view(), dims);
                    const auto expected = naive(test, x, dims);
                    for (std::int64_t i = 0; i < out.count(); ++i) {
                        const double exact = rounded(dtype, expected[static_cast<std::size_t>(i)]);
                        if (!close(dtype, out[i], exact)) {
                            FAIL(test.name << " " << describe(dtype, shape, int(layout)) << " over "
                                           << to_string(dims) << " is " << out[i] << ", not " << exact);
                        }
                    }
                }
            }
        }
    }
    SUCCEED();
}

TEST_CASE("reductions over nothing", "[reduce]") {
    for (const DType dtype : all_dtypes) {
        const Sample x(dtype, {2, 0, 3});
        Sample out(dtype, {2, 3}), empty(dtype, {0, 3});
        ref::sum(out.view(), x.view(), {1});
        CHECK(out[5] == 0);
        ref::prod(out.view(), x.view(), {1});
        CHECK(out[5] == 1);
        CHECK_THROWS_AS(ref::amax(out.view(), x.view(), {1}), ValueError);
        CHECK_THROWS_AS(ref::amin(out.view(), x.view(), {1}), ValueError);
        ref::amax(empty.view(), x.view(), {0});
        Sample places(int64, {2, 3});
        CHECK_THROWS_AS(ref::argmax(places.view(), x.view(), 1), ValueError);
        Sample no_places(int64, {0, 3});
        ref::argmin(no_places.view(), x.view(), 0);
    }
}

TEST_CASE("extrema of NaN are NaN", "[reduce]") {
    for (const DType dtype : {float16, bfloat16, float32, float64}) {
        for (const std::int64_t size : {3, 40, 2000}) {
            Sample x(dtype, {size, 9}), columns(dtype, {9}), rows(dtype, {size}), places(int64, {9});
            x.fill([](std::int64_t i) { return double(i % 7); });
            x.set(9 * (size - 2) + 4, std::nan(""));
            for (const auto run : {&ref::amax, &ref::amin}) {
                run(columns.view(), x.view(), {0});
                run(rows.view(), x.view(), {1});
                CHECK(std::isnan(columns[4]));
                CHECK(std::isnan(rows[size - 2]));
                CHECK_FALSE(std::isnan(columns[3]));
                CHECK_FALSE(std::isnan(rows[0]));
            }
            ref::argmin(places.view(), x.view(), 0);
            CHECK(places[4] == double(size - 2));
        }
    }
}

TEST_CASE("argmax and argmin give the first place", "[reduce]") {
    std::mt19937 random(2);
    for (const DType dtype : all_dtypes) {
        for (const Layout layout : input_layouts) {
            for (int dim = 0; dim < 3; ++dim) {
                Sample x(dtype, {3, 5, 4}, layout), most(int64, without({3, 5, 4}, {dim}), Layout::padded);
                Sample least(int64, most.shape());
                x.fill_random(random);
                ref::argmax(most.view(), x.view(), dim);
                ref::argmin(least.view(), x.view(), dim);
                for (std::int64_t i = 0; i < most.count(); ++i) {
                    auto places = most.index(i);
                    places.insert(places.begin() + dim, 0);
                    std::int64_t greatest = 0, smallest = 0;
                    const auto at = [&](std::int64_t place) {
                        places[static_cast<std::size_t>(dim)] = place;
                        return x.at(places);
                    };
                    for (std::int64_t place = 0; place < x.shape()[dim]; ++place) {
                        if (at(place) > at(greatest)) {
                            greatest = place;
                        }
                        if (at(place) < at(smallest)) {
                            smallest = place;
                        }
                    }
                    CHECK(most[i] == double(greatest));
                    CHECK(least[i] == double(smallest));
                }
            }
        }
    }
    Sample scalar(float32, {}), place(int64, {});
    ref::argmax(place.view(), scalar.view(), 0);
    CHECK(place[0] == 0);
    Sample line(float32, {3000});
    line.set(2500, 2);
    line.set(2700, 2);
    ref::argmax(place.view(), line.view(), 0);
    CHECK(place[0] == 2500);
}

TEST_CASE("long sums are accurate and do not depend on the threads", "[reduce][threads]") {
    const int threads = num_threads();
    std::mt19937 random(3);
    for (const Shape& shape : {Shape{1'000'003}, Shape{20'001, 50}, Shape{50, 20'001}}) {
        Sample x(float32, shape);
        const bool line = shape.size() == 1;
        std::vector<double> exact(line ? 1 : static_cast<std::size_t>(shape[1]));
        x.fill([&](std::int64_t) { return double(random()) / double(random.max()); });
        for (std::int64_t i = 0; i < x.count(); ++i) {
            exact[static_cast<std::size_t>(line ? 0 : i % shape[1])] += x[i];
        }
        std::vector<double> results[2];
        for (int round = 0; round < 2; ++round) {
            set_num_threads(round ? 3 : 1);
            Sample out(float32, line ? Shape{} : Shape{shape[1]});
            ref::sum(out.view(), x.view(), {0});
            for (std::int64_t i = 0; i < out.count(); ++i) {
                results[round].push_back(out[i]);
            }
        }
        CHECK(results[0] == results[1]);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            if (std::abs(results[0][i] - exact[i]) > 1e-6 * exact[i]) {
                FAIL(results[0][i] << " is not " << exact[i]);
            }
        }
    }
    set_num_threads(threads);
}
