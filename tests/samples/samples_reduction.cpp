#include <limits>

#include <fulgurite/core/ops/reduction.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

struct ReductionTraits {
    bool integers = true;
    bool empty = true;  ///< there is a result of nothing
    bool edges = true;
    Range range = Range::any;
    double within = 2;
    std::int64_t least = 1;  ///< elements that a result is made of
};

/// Dimensions, shapes and dtypes, for options that have `dim` and `keepdim`.
template <class Options>
void add_reduction(SampleTable& table, const Op<Tensor(Tensor, Options)>& op, ReductionTraits traits = {}) {
    std::uint32_t seed = 3;
    const auto one = [&](DType dtype, const Shape& shape, const Dims& dim, bool keepdim = false) -> Sample& {
        Options options;
        options.dim = dim;
        options.keepdim = keepdim;
        const Tensor x = values(dtype, shape, seed++, traits.range);
        Sample& sample = table.add(op, x, options).within(traits.within);
        if (x.numel() > 0 && count_along(shape, reduced_dims("sample", x, dim)) < traits.least)
            sample.not_smooth("nothing over nothing");
        return sample;
    };
    for (const DType dtype : floating_dtypes) {
        one(dtype, {3, 4}, {});
        one(dtype, {3, 4}, 1);
        one(dtype, {3, 4}, 0, true);
    }
    if (traits.integers) {
        for (const DType dtype : {int64, int32, uint8, bool_}) one(dtype, {3, 4}, -1);
    }
    one(float32, {}, {});
    one(float32, {}, 0);
    one(float32, {1}, 0, true);
    one(float32, {2, 3, 4}, {0, 2});
    one(float32, {2, 3, 4}, {2, 1}, true);
    one(float32, {2, 3, 4}, {-3});
    one(float32, {2, 3, 4}, {}, true);
    one(float32, {2, 1, 3}, 1);
    one(float32, {2, 37}, 1);
    one(float32, {37, 3}, 0);
    one(float32, {0, 3}, 1);
    if (traits.empty) {
        one(float32, {0, 3}, 0);
        one(float32, {0}, {}, true);
    }
    if (!traits.edges) return;
    const std::vector<double> elements{1, nan, -2, 0, -0.0, 3, inf, 2, 1, -inf, 5, -1};
    for (const DType dtype : {float32, bfloat16}) {
        Options options;
        options.dim = 1;
        table.add(op, numbers(dtype, {4, 3}, elements), options).not_smooth();
    }
}

void add_with_dtype(SampleTable& table, const Op<Tensor(Tensor, ReduceOptions)>& op) {
    table.add(op, values(int64, {3, 4}), ReduceOptions{.dim = 0, .dtype = float32}).within(2);
    table.add(op, values(bfloat16, {3, 4}), ReduceOptions{.dim = 0, .dtype = float32}).within(2);
    table.add(op, values(float32, {3, 4}), ReduceOptions{.dim = 1, .dtype = float64}).within(2);
    table.add(op, values(bool_, {3, 4}), ReduceOptions{.dim = 1, .dtype = float32}).within(2);
}

void add_arg(SampleTable& table, const Op<Tensor(Tensor, ArgOptions)>& op) {
    std::uint32_t seed = 3;
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8}) {
        table.add(op, values(dtype, {3, 4}, seed++), ArgOptions{.dim = 1});
        table.add(op, values(dtype, {3, 4}, seed++), ArgOptions{});
    }
    table.add(op, values({2, 3, 4}), ArgOptions{.dim = 1, .keepdim = true});
    table.add(op, values({2, 3, 4}, 2), ArgOptions{.keepdim = true});
    table.add(op, values({}), ArgOptions{});
    table.add(op, values({}), ArgOptions{.dim = 0});
    table.add(op, values({3, 0}), ArgOptions{.dim = 0});
    table.add(op, numbers(float32, {2, 4}, {3, 1, 3, 1, 2, nan, 5, nan}), ArgOptions{.dim = 1});
    table.add(op, numbers(int64, {5}, {2, 2, 1, 1, 2}), ArgOptions{.dim = -1});
}

void add_cumsum(SampleTable& table) {
    std::uint32_t seed = 3;
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8, bool_}) {
        table.add(ops::cumsum, values(dtype, {3, 4}, seed++), 1, CumsumOptions{}).within(2);
    }
    table.add(ops::cumsum, values({3, 4}), 0, CumsumOptions{}).within(2);
    table.add(ops::cumsum, values({2, 3, 2}), -2, CumsumOptions{}).within(2);
    table.add(ops::cumsum, values({}), 0, CumsumOptions{});
    table.add(ops::cumsum, values({0, 3}), 0, CumsumOptions{});
    table.add(ops::cumsum, values({1, 40}), 1, CumsumOptions{}).within(4);
    table.add(ops::cumsum, values(int32, {4}), 0, CumsumOptions{.dtype = float64});
    table.add(ops::cumsum, numbers(float32, {1, inf, 2, nan, 1}), 0, CumsumOptions{}).not_smooth();
}

void add_errors(SampleTable& table) {
    const Tensor x = values({2, 3});
    const auto bad_dims = [&](const auto& op, auto options) {
        options.dim = 2;
        table.error<IndexError>(op, "2", x, options);
        options.dim = Dims{0, -2};
        table.error<ValueError>(op, "[0, -2]", x, options);
    };
    bad_dims(ops::sum, ReduceOptions{});
    bad_dims(ops::mean, ReduceOptions{});
    bad_dims(ops::prod, ReduceOptions{});
    bad_dims(ops::amax, DimOptions{});
    bad_dims(ops::amin, DimOptions{});
    bad_dims(ops::all, DimOptions{});
    bad_dims(ops::any, DimOptions{});
    bad_dims(ops::var, VarOptions{});
    table.error<DTypeError>(ops::mean, "int64[2, 3]", values(int64, {2, 3}), ReduceOptions{});
    table.error<DTypeError>(ops::var, "int64[2, 3]", values(int64, {2, 3}), VarOptions{});
    for (const auto* op :
         std::initializer_list<const Op<Tensor(Tensor, DimOptions)>*>{&ops::amax, &ops::amin}) {
        table.error<ShapeError>(*op, "float32[0, 3]", values({0, 3}), DimOptions{.dim = 0});
        table.error<ShapeError>(*op, "float32[0]", values({0}), DimOptions{});
    }
    for (const auto* op :
         std::initializer_list<const Op<Tensor(Tensor, ArgOptions)>*>{&ops::argmax, &ops::argmin}) {
        table.error<IndexError>(*op, "-3", x, ArgOptions{.dim = -3});
        table.error<ShapeError>(*op, "float32[0, 3]", values({0, 3}), ArgOptions{.dim = 0});
    }
    table.error<IndexError>(ops::cumsum, "2", x, 2, CumsumOptions{});
}

}  // namespace

void add_reduction_samples(SampleTable& table) {
    add_reduction(table, ops::sum);
    add_reduction(table, ops::mean, {.integers = false});
    add_reduction(table, ops::prod, {.range = Range::away, .within = 4});
    add_reduction(table, ops::amax, {.empty = false});
    add_reduction(table, ops::amin, {.empty = false});
    add_reduction(table, ops::var, {.integers = false, .within = 4, .least = 2});
    add_reduction(table, ops::all, {.range = Range::any});
    add_reduction(table, ops::any, {.range = Range::any});
    add_with_dtype(table, ops::sum);
    add_with_dtype(table, ops::mean);
    add_with_dtype(table, ops::prod);
    // Ties: the gradient is shared. A zero, or two, among the factors.
    table.add(ops::amax, numbers(float32, {2, 3}, {1, 3, 3, 2, 2, 2}), DimOptions{.dim = 1})
        .not_smooth("ties");
    table.add(ops::amin, numbers(float32, {2, 3}, {1, 3, 1, 2, 2, 2}), DimOptions{.dim = 1})
        .not_smooth("ties");
    table.add(ops::prod, numbers(float32, {3, 3}, {1, 0, 2, 0, 3, 0, 1.5, 2, 3}), ReduceOptions{.dim = 1})
        .once("the rule divides: it knows nothing of a second derivative at zeros");
    for (const double correction : {0.0, 1.5}) {
        table.add(ops::var, values({3, 4}), VarOptions{.dim = 1, .correction = correction}).within(4);
    }
    table.add(ops::var, values({3, 1}), VarOptions{.dim = 1}).not_smooth("nothing over nothing");
    table.add(ops::all, numbers(bool_, {2, 2}, {1, 1, 1, 0}), DimOptions{.dim = 1});
    table.add(ops::any, numbers(bool_, {2, 2}, {0, 0, 1, 0}), DimOptions{.dim = 1});
    table.add(ops::all, numbers(float32, {2, 2}, {1, nan, -0.0, 1}), DimOptions{.dim = 1});
    add_arg(table, ops::argmax);
    add_arg(table, ops::argmin);
    add_cumsum(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
