#include <fulgurite/core/dims.h>

#include <limits>

#include <fulgurite/core/errors.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;

TEST_CASE("dims hold up to max_rank numbers", "[dims]") {
    Dims dims{2, 3};
    dims.push_back(4);
    dims.insert(0, 7);
    CHECK(dims == Dims{7, 2, 3, 4});
    dims.erase(1);
    CHECK(dims == Dims{7, 3, 4});
    CHECK(dims.back() == 4);
    CHECK(dims.contains(3));
    CHECK_FALSE(dims.contains(2));
    CHECK(to_string(dims) == "[7, 3, 4]");
    CHECK(to_string(Dims{}) == "[]");
    CHECK_THROWS_AS((Dims{1, 2, 3, 4, 5, 6, 7, 8, 9}), ShapeError);
    Dims full = Dims::filled(max_rank, 1);
    CHECK_THROWS_AS(full.push_back(1), ShapeError);
    CHECK(full.size() == max_rank);
}

TEST_CASE("numel_of multiplies and checks", "[dims]") {
    constexpr std::int64_t big = std::int64_t(1) << 40;
    CHECK(numel_of({}) == 1);
    CHECK(numel_of({2, 3, 4}) == 24);
    CHECK(numel_of({big, 0, big}) == 0);
    CHECK_THROWS_AS(numel_of({big, big}), ShapeError);
    CHECK_THROWS_AS(numel_of({2, -1}), ShapeError);
    CHECK(checked_add(1, 2) == 3);
    CHECK_THROWS_AS(checked_add(std::numeric_limits<std::int64_t>::max(), 1), ShapeError);
    CHECK_THROWS_AS(checked_mul(big, -big), ShapeError);
}

TEST_CASE("contiguous strides are row-major", "[dims]") {
    CHECK(contiguous_strides({2, 3, 4}) == Dims{12, 4, 1});
    CHECK(contiguous_strides({}) == Dims{});
    CHECK(contiguous_strides({2, 0, 3}) == Dims{3, 3, 1});
    CHECK(is_contiguous({2, 3}, {3, 1}));
    CHECK_FALSE(is_contiguous({2, 3}, {1, 2}));
    CHECK(is_contiguous({2, 1, 3}, {3, 99, 1}));
    CHECK(is_contiguous({2, 0}, {5, 7}));
    CHECK(is_contiguous({}, {}));
    CHECK_FALSE(is_contiguous({4}, {0}));
}

TEST_CASE("wrap_dim counts from the end and names the op", "[dims]") {
    CHECK(wrap_dim(-1, 3, "sum") == 2);
    CHECK(wrap_dim(2, 3, "sum") == 2);
    CHECK(wrap_dim(0, 0, "sum") == 0);
    CHECK(wrap_dim(-1, 0, "sum") == 0);
    CHECK_THROWS_AS(wrap_dim(3, 3, "sum"), IndexError);
    CHECK_THROWS_AS(wrap_dim(1, 0, "sum"), IndexError);
    CHECK_THROWS_WITH(wrap_dim(-4, 3, "sum"), "[sum] expected a dimension from -3 to 2, got -4");
}

TEST_CASE("broadcast_shapes is NumPy's rule", "[dims]") {
    CHECK(broadcast_shapes({2, 3}, {3}, "add") == Dims{2, 3});
    CHECK(broadcast_shapes({1, 3}, {2, 1}, "add") == Dims{2, 3});
    CHECK(broadcast_shapes({}, {2, 1}, "add") == Dims{2, 1});
    CHECK(broadcast_shapes({0}, {1}, "add") == Dims{0});
    CHECK(broadcast_shapes({5, 1, 0}, {4, 1}, "add") == Dims{5, 4, 0});
    CHECK_THROWS_WITH(broadcast_shapes({2, 3}, {4}, "add"), "[add] shapes [2, 3] and [4] do not broadcast");
    CHECK_THROWS_AS(broadcast_shapes({0}, {2}, "add"), ShapeError);
}
