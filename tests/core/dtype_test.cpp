#include <fulgurite/core/dtype.h>

#include <string>
#include <thread>

#include <fulgurite/core/errors.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;

TEST_CASE("promote_types is PyTorch's table", "[dtype]") {
    constexpr DType b1 = bool_, u1 = uint8, i1 = int8, i2 = int16, i4 = int32, i8 = int64;
    constexpr DType f2 = float16, bf = bfloat16, f4 = float32, f8 = float64;
    constexpr DType order[dtype_count] = {u1, i1, i2, i4, i8, f2, f4, f8, b1, bf};
    // The rows as c10/core/ScalarType.h prints them, without the complex and quantised ones.
    constexpr DType table[dtype_count][dtype_count] = {
        {u1, i2, i2, i4, i8, f2, f4, f8, u1, bf}, {i2, i1, i2, i4, i8, f2, f4, f8, i1, bf},
        {i2, i2, i2, i4, i8, f2, f4, f8, i2, bf}, {i4, i4, i4, i4, i8, f2, f4, f8, i4, bf},
        {i8, i8, i8, i8, i8, f2, f4, f8, i8, bf}, {f2, f2, f2, f2, f2, f2, f4, f8, f2, f4},
        {f4, f4, f4, f4, f4, f4, f4, f8, f4, f4}, {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8},
        {u1, i1, i2, i4, i8, f2, f4, f8, b1, bf}, {bf, bf, bf, bf, bf, f4, f4, f8, bf, bf}};
    for (int i = 0; i < dtype_count; ++i) {
        for (int j = 0; j < dtype_count; ++j) {
            INFO(name_of(order[i]) << " and " << name_of(order[j]));
            CHECK(promote_types(order[i], order[j]) == table[i][j]);
        }
    }
}

TEST_CASE("dtypes know their size, category and name", "[dtype]") {
    static_assert(size_of(dtype_of<bool>()) == 1 && size_of(dtype_of<double>()) == 8);
    static_assert(dtype_of<long>() == int64 && dtype_of<long long>() == int64 &&
                  dtype_of<signed char>() == int8);
    static_assert(dtype_of<Half>() == float16 && dtype_of<BFloat16>() == bfloat16);
    static_assert(category_of(bool_) == Category::boolean && category_of(uint8) == Category::integer);
    static_assert(category_of(int64) == Category::integer && category_of(float16) == Category::floating);
    CHECK(name_of(bool_) == "bool_");
    CHECK(name_of(bfloat16) == "bfloat16");
    CHECK(is_floating_point(bfloat16));
    CHECK_FALSE(is_floating_point(int64));
}

TEST_CASE("the default dtype is a thread's own and floating", "[dtype]") {
    CHECK(default_dtype() == float32);
    set_default_dtype(float64);
    DType elsewhere = float16;
    std::thread([&] { elsewhere = default_dtype(); }).join();
    CHECK(default_dtype() == float64);
    CHECK(elsewhere == float32);
    CHECK_THROWS_AS(set_default_dtype(int32), ValueError);
    CHECK(default_dtype() == float64);
    set_default_dtype(float32);
}
