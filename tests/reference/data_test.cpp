#include <fulgurite/executors/reference/data.h>

#include <algorithm>
#include <map>
#include <numeric>

#include <fulgurite/core/errors.h>
#include <fulgurite/runtime/thread_pool.h>
#include <fulgurite/tests/reference/sample.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
using namespace fulgurite::tests;
namespace ref = fulgurite::reference;

namespace {

using Places = std::vector<std::int64_t>;

/// Checks every element of `out` against what f gives for its indices.
void check_elements(const Sample& out, const std::function<double(Places)>& expected) {
    for (std::int64_t i = 0; i < out.count(); ++i) {
        const double exact = rounded(out.dtype(), expected(out.index(i)));
        if (!close(out.dtype(), out[i], exact)) {
            FAIL(name_of(out.dtype())
                 << to_string(out.shape()) << " at " << i << " is " << out[i] << ", not " << exact);
        }
    }
    SUCCEED();
}

/// Runs a test over all dtypes and layouts of a random x of the shape.
template <class F>
void for_each_sample(const Shape& shape, F&& test) {
    std::mt19937 random(7);
    for (const DType dtype : all_dtypes) {
        for (const Layout layout : input_layouts) {
            Sample x(dtype, shape, layout);
            x.fill_random(random);
            test(x, random);
        }
    }
}

Places with(Places places, int dim, std::int64_t place) {
    places[static_cast<std::size_t>(dim)] = place;
    return places;
}

}  // namespace

TEST_CASE("copy goes from any strides to any", "[data]") {
    for (const Shape& shape :
         {Shape{}, Shape{0}, Shape{3, 0}, Shape{5}, Shape{2, 3, 4}, Shape{70, 45}, Shape{2, 40, 37}}) {
        for_each_sample(shape, [&](const Sample& x, std::mt19937& random) {
            Sample out(x.dtype(), shape, random() % 2 ? Layout::padded : Layout::contiguous);
            ref::copy(out.view(), x.view());
            check_elements(out, [&](const Places& places) { return x.at(places); });
        });
    }
}

TEST_CASE("full and iota", "[data]") {
    for (const DType dtype : all_dtypes) {
        for (const Layout layout : {Layout::contiguous, Layout::padded, Layout::transposed}) {
            Sample out(dtype, {3, 4}, layout), line(dtype, {5}, layout), none(dtype, {0});
            ref::full(out.view(), 3);
            check_elements(out, [](const Places&) { return 3.0; });
            ref::full(out.view(), 1.5);
            check_elements(out, [](const Places&) { return 1.5; });
            ref::iota(line.view(), 2, 3);
            check_elements(line, [](const Places& places) { return 2.0 + 3.0 * double(places[0]); });
            ref::iota(line.view(), 0.5, 0.25);
            check_elements(line, [](const Places& places) { return 0.5 + 0.25 * double(places[0]); });
            ref::iota(none.view(), 0, 1);
        }
    }
    const std::int64_t big = (std::int64_t{1} << 60) + 1;
    Sample exact(int64, {2}), many(float32, {100'000});
    ref::iota(exact.view(), big, 1);
    CHECK(exact.view().as<std::int64_t>()[1] == big + 1);
    ref::full(exact.view(), big);
    CHECK(exact.view().as<std::int64_t>()[0] == big);
    ref::iota(many.view(), 0, 1);
    CHECK(many[99'999] == 99'999);
}

TEST_CASE("cat joins along a dimension", "[data]") {
    for_each_sample({2, 3, 4}, [](const Sample& x, std::mt19937& random) {
        for (int dim = 0; dim < 3; ++dim) {
            Shape shape{2, 3, 4}, joined{2, 3, 4}, nothing{2, 3, 4};
            shape[dim] = 2;
            joined[dim] += 2;
            nothing[dim] = 0;
            Sample y(x.dtype(), shape, Layout::padded), out(x.dtype(), joined), none(x.dtype(), nothing);
            const Sample flat(x.dtype(), {0});
            y.fill_random(random);
            const View parts[] = {x.view(), none.view(), flat.view(), y.view()};
            ref::cat(out.view(), parts, dim);
            const std::int64_t first = x.shape()[dim];
            check_elements(out, [&](const Places& places) {
                const std::int64_t place = places[static_cast<std::size_t>(dim)];
                return place < first ? x.at(places) : y.at(with(places, dim, place - first));
            });
        }
    });
}

TEST_CASE("pad adds and crops", "[data]") {
    const Dims lows[] = {{0, 0}, {1, 2}, {-1, 3}, {-2, -1}, {-3, 1}, {5, -4}},
               highs[] = {{0, 0}, {2, 0}, {2, -1}, {0, -3}, {4, 0}, {-3, 1}};
    for_each_sample({3, 4}, [&](const Sample& x, std::mt19937&) {
        for (std::size_t k = 0; k < 6; ++k) {
            Shape shape{3, 4};
            for (int dim = 0; dim < 2; ++dim) {
                shape[dim] += lows[k][dim] + highs[k][dim];
            }
            Sample out(x.dtype(), shape, Layout::padded);
            ref::pad(out.view(), x.view(), lows[k], highs[k], 1);
            check_elements(out, [&](Places places) {
                for (int dim = 0; dim < 2; ++dim) {
                    auto& place = places[static_cast<std::size_t>(dim)];
                    place -= lows[k][dim];
                    if (place < 0 || place >= x.shape()[dim]) {
                        return 1.0;
                    }
                }
                return x.at(places);
            });
        }
    });
    Sample empty(float32, {0, 2}), out(float32, {3, 2});
    ref::pad(out.view(), empty.view(), {1, 0}, {2, 0}, 2.5);
    CHECK(out[5] == 2.5);
}

TEST_CASE("flip reverses", "[data]") {
    for_each_sample({2, 3, 4}, [](const Sample& x, std::mt19937&) {
        for (const Dims& dims : {Dims{}, Dims{1}, Dims{0, 2}, Dims{0, 1, 2}}) {
            Sample out(x.dtype(), x.shape());
            ref::flip(out.view(), x.view(), dims);
            check_elements(out, [&](Places places) {
                for (const std::int64_t dim : dims) {
                    auto& place = places[static_cast<std::size_t>(dim)];
                    place = x.shape()[static_cast<int>(dim)] - 1 - place;
                }
                return x.at(places);
            });
        }
    });
    Sample none(float32, {0, 2}), out(float32, {0, 2});
    ref::flip(out.view(), none.view(), {0});
}

TEST_CASE("take replaces a dimension by the index's", "[data]") {
    for_each_sample({3, 5, 4}, [](const Sample& x, std::mt19937& random) {
        for (int dim = 0; dim < 3; ++dim) {
            for (const Shape& places_shape : {Shape{}, Shape{6}, Shape{2, 3}, Shape{0}}) {
                Sample index(random() % 2 ? int32 : int64, places_shape,
                             random() % 2 ? Layout::transposed : Layout::padded);
                index.fill([&](std::int64_t) { return double(random() % std::uint64_t(x.shape()[dim])); });
                Shape shape = x.shape();
                shape.erase(dim);
                for (int k = places_shape.size() - 1; k >= 0; --k) {
                    shape.insert(dim, places_shape[k]);
                }
                Sample out(x.dtype(), shape, random() % 2 ? Layout::padded : Layout::contiguous);
                ref::take(out.view(), x.view(), index.view(), dim);
                check_elements(out, [&](Places places) {
                    const auto begin = places.begin() + dim, end = begin + places_shape.size();
                    const double chosen = index.at(Places(begin, end));
                    places.erase(begin, end);
                    places.insert(places.begin() + dim, static_cast<std::int64_t>(chosen));
                    return x.at(places);
                });
            }
        }
    });
    Sample x(float32, {4, 2}), out(float32, {1, 2}), index(int64, {1});
    for (const double bad : {4.0, -1.0}) {
        index.set(0, bad);
        CHECK_THROWS_AS(ref::take(out.view(), x.view(), index.view(), 0), IndexError);
    }
    CHECK_THROWS_WITH(ref::take(out.view(), x.view(), index.view(), 0),
                      "[take] index -1 is out of range for a dimension of size 4");
}

TEST_CASE("gather and scatter_add follow an index of their own shape", "[data]") {
    for_each_sample({3, 5, 4}, [](const Sample& x, std::mt19937& random) {
        for (int dim = 0; dim < 3; ++dim) {
            for (const Shape& shape : {Shape{2, 4, 3}, Shape{3, 5, 4}, Shape{2, 0, 3}}) {
                Sample index(random() % 2 ? int32 : int64, shape,
                             random() % 2 ? Layout::transposed : Layout::contiguous);
                Sample out(x.dtype(), shape, Layout::padded),
                    sum(x.dtype(), x.shape(), random() % 2 ? Layout::padded : Layout::contiguous);
                Sample src(x.dtype(), {3, 5, 4}, Layout::transposed);
                index.fill([&](std::int64_t) { return double(random() % std::uint64_t(x.shape()[dim])); });
                src.fill_random(random);
                ref::gather(out.view(), x.view(), dim, index.view());
                const auto chosen = [&](const Places& places) {
                    return with(places, dim, static_cast<std::int64_t>(index.at(places)));
                };
                check_elements(out, [&](const Places& places) { return x.at(chosen(places)); });
                ref::scatter_add(sum.view(), x.view(), dim, index.view(), src.view());
                std::map<Places, double> added;
                for (std::int64_t i = 0; i < index.count(); ++i) {
                    added[chosen(index.index(i))] += src.at(index.index(i));
                }
                check_elements(sum, [&](const Places& places) { return x.at(places) + added[places]; });
            }
        }
    });
    Sample x(float32, {4}), index(int32, {2}), out(float32, {2}), sum(float32, {4}), scalar(float32, {}),
        zero(int64, {});
    index.set(1, 4);
    CHECK_THROWS_AS(ref::gather(out.view(), x.view(), 0, index.view()), IndexError);
    CHECK_THROWS_AS(ref::scatter_add(sum.view(), x.view(), 0, index.view(), out.view()), IndexError);
    Sample result(float32, {});
    scalar.set(0, 3);
    ref::gather(result.view(), scalar.view(), 0, zero.view());
    CHECK(result[0] == 3);
    ref::scatter_add(result.view(), scalar.view(), 0, zero.view(), scalar.view());
    CHECK(result[0] == 6);
}

TEST_CASE("index_add adds slices", "[data]") {
    for_each_sample({3, 5, 4}, [](const Sample& x, std::mt19937& random) {
        for (int dim = 0; dim < 3; ++dim) {
            Shape shape = x.shape();
            shape[dim] = 7;
            Sample index(random() % 2 ? int32 : int64, {7}, Layout::padded),
                src(x.dtype(), shape, Layout::transposed);
            Sample out(x.dtype(), x.shape(), random() % 2 ? Layout::padded : Layout::contiguous);
            index.fill([&](std::int64_t) { return double(random() % std::uint64_t(x.shape()[dim])); });
            src.fill_random(random);
            ref::index_add(out.view(), x.view(), dim, index.view(), src.view());
            check_elements(out, [&](const Places& places) {
                double sum = x.at(places);
                for (std::int64_t i = 0; i < 7; ++i) {
                    if (index[i] == double(places[static_cast<std::size_t>(dim)])) {
                        sum += src.at(with(places, dim, i));
                    }
                }
                return sum;
            });
        }
    });
}

TEST_CASE("cumsum keeps running sums", "[data]") {
    for_each_sample({3, 5, 4}, [](const Sample& x, std::mt19937& random) {
        for (int dim = 0; dim < 3; ++dim) {
            Sample out(x.dtype(), x.shape(), random() % 2 ? Layout::padded : Layout::contiguous);
            ref::cumsum(out.view(), x.view(), dim);
            check_elements(out, [&](const Places& places) {
                double sum = 0;
                for (std::int64_t i = 0; i <= places[static_cast<std::size_t>(dim)]; ++i) {
                    sum += x.at(with(places, dim, i));
                }
                return sum;
            });
        }
    });
    Sample scalar(float32, {}), result(float32, {}), none(float32, {2, 0}), empty(float32, {2, 0});
    scalar.set(0, 4);
    ref::cumsum(result.view(), scalar.view(), 0);
    CHECK(result[0] == 4);
    ref::cumsum(empty.view(), none.view(), 1);
}

TEST_CASE("sort is stable and puts NaN last", "[data]") {
    for_each_sample({3, 9, 4}, [](const Sample& x, std::mt19937&) {
        for (int dim = 0; dim < 3; ++dim) {
            for (const bool descending : {false, true}) {
                Sample values(x.dtype(), x.shape(), Layout::padded),
                    indices(int64, x.shape(), Layout::transposed);
                const View values_view = values.view(), indices_view = indices.view();
                ref::sort(&values_view, &indices_view, x.view(), dim, descending);
                const auto order = [&](const Places& places) {
                    std::vector<std::int64_t> line(static_cast<std::size_t>(x.shape()[dim]));
                    std::iota(line.begin(), line.end(), 0);
                    std::stable_sort(line.begin(), line.end(), [&](auto a, auto b) {
                        const double left = x.at(with(places, dim, a)), right = x.at(with(places, dim, b));
                        return descending ? left > right : left < right;
                    });
                    return line[static_cast<std::size_t>(places[static_cast<std::size_t>(dim)])];
                };
                check_elements(indices, [&](const Places& places) { return double(order(places)); });
                check_elements(values,
                               [&](const Places& places) { return x.at(with(places, dim, order(places))); });
            }
        }
    });
    Sample x(float32, {4}), values(float32, {4}), none(float32, {0});
    const double given[] = {2, std::nan(""), -1, INFINITY};
    x.fill([&](std::int64_t i) { return given[i]; });
    const View view = values.view();
    ref::sort(&view, nullptr, x.view(), 0, false);
    CHECK((values[0] == -1 && values[2] == INFINITY && std::isnan(values[3])));
    ref::sort(&view, nullptr, x.view(), 0, true);
    CHECK((std::isnan(values[0]) && values[1] == INFINITY && values[3] == -1));
    const View nothing = none.view();
    ref::sort(&nothing, nullptr, none.view(), 0, false);
}

TEST_CASE("large moves are cut over the threads", "[data][threads]") {
    const int threads = num_threads();
    set_num_threads(3);
    Sample x(float32, {500, 300}, Layout::transposed), copy(float32, {500, 300}), index(int64, {1000});
    Sample taken(float32, {1000, 300}), sums(float32, {500, 300});
    x.fill([](std::int64_t i) { return double(i % 97); });
    index.fill([](std::int64_t i) { return double(i * 7 % 500); });
    ref::copy(copy.view(), x.view());
    ref::take(taken.view(), x.view(), index.view(), 0);
    ref::index_add(sums.view(), x.view(), 0, index.view(), taken.view());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < x.count(); ++i) {
        wrong += copy[i] != x[i] || sums[i] != 3 * x[i];
    }
    for (std::int64_t i = 0; i < taken.count(); ++i) {
        wrong += taken[i] != x[static_cast<std::int64_t>(index[i / 300]) * 300 + i % 300];
    }
    CHECK(wrong == 0);
    set_num_threads(threads);
}
