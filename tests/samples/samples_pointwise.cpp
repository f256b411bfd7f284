#include <limits>

#include <fulgurite/core/ops/pointwise.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

using Binary = Op<Tensor(Operand, Operand)>;

struct BinaryTraits {
    Range left = Range::any;
    Range right = Range::any;
    bool floats = true;
    bool bools = true;
    bool smooth = true;
    bool edges = true;  ///< infinities, NaN and zeros
    double within = 1;
};

void add_shapes(SampleTable& table, const Binary& op, const BinaryTraits& traits, DType dtype) {
    std::uint32_t seed = 5;
    const auto pair = [&](const Shape& a, const Shape& b) {
        Sample& sample =
            table.add(op, values(dtype, a, seed, traits.left), values(dtype, b, seed + 3, traits.right));
        sample.within(traits.within);
        if (!traits.smooth) sample.not_smooth();
        seed += 2;
    };
    pair({2, 3}, {2, 3});
    pair({2, 3}, {3});
    pair({3, 1}, {1, 4});
    pair({2, 1, 3}, {4, 1});
    pair({}, {2, 2});
    pair({1}, {});
    pair({0, 3}, {1, 3});
    pair({5, 37}, {5, 37});
}

void add_binary(SampleTable& table, const Binary& op, BinaryTraits traits = {}) {
    add_shapes(table, op, traits, traits.floats ? float32 : int64);
    std::uint32_t seed = 11;
    const auto one = [&](const Operand& a, const Operand& b) {
        Sample& sample = table.add(op, a, b);
        sample.within(traits.within);
        if (!traits.smooth) sample.not_smooth();
    };
    for (const DType dtype : integer_dtypes) {
        one(values(dtype, {2, 3}, seed, traits.left == Range::any ? Range::any : traits.left),
            values(dtype, {2, 3}, seed + 1, Range::away));
        seed += 2;
    }
    one(values(int64, {4}, 3, traits.left), 3);
    one(values(int32, {3}, 5, traits.left), values(int64, {}, 7, Range::away));
    if (traits.bools) one(numbers(bool_, {0, 0, 1, 1}), numbers(bool_, {0, 1, 0, 1}));
    if (traits.bools) one(numbers(bool_, {0, 1}), values(int32, {2}, 2, Range::away));
    if (!traits.floats) return;
    for (const DType dtype : {float64, bfloat16, float16}) {
        one(values(dtype, {3, 4}, seed, traits.left), values(dtype, {3, 4}, seed + 1, traits.right));
        one(values(dtype, {3, 4}, seed, traits.left), values(dtype, {4}, seed + 1, traits.right));
        seed += 2;
    }
    one(values({4}, 2, traits.left), 1.75);
    one(values({4}, 2, traits.left), 2);
    one(2.5, values({4}, 3, traits.right));
    one(values(bfloat16, {4}, 2, traits.left), 1.5);
    one(values(int64, {4}, 3, traits.left), 1.5);
    one(values(int64, {3}, 4, traits.left), values({3}, 4, traits.right));
    one(values(bfloat16, {3}, 4, traits.left), values(float16, {3}, 5, traits.right));
    one(values(bfloat16, {3}, 4, traits.left), values(float32, {}, 5, traits.right));
    if (!traits.edges) return;
    for (const DType dtype : {float32, bfloat16}) {
        const Tensor edges = edge_numbers(dtype);
        const std::vector<double> elements = elements_of(edges);
        const auto count = static_cast<std::int64_t>(elements.size());
        table.add(op, numbers(dtype, {count, 1}, elements), numbers(dtype, {1, count}, elements))
            .within(traits.within)
            .not_smooth();
    }
}

void add_arithmetic(SampleTable& table) {
    add_binary(table, ops::add);
    add_binary(table, ops::sub, {.bools = false});
    add_binary(table, ops::mul);
    add_binary(table, ops::maximum);
    add_binary(table, ops::minimum);
    add_binary(table, ops::remainder, {.right = Range::even, .bools = false, .edges = false, .within = 2});
    add_binary(table, ops::fmod, {.right = Range::even, .bools = false, .edges = false, .within = 2});
    add_binary(table, ops::floor_divide, {.right = Range::even, .bools = false, .edges = false});
    add_binary(table, ops::pow,
               {.left = Range::positive, .right = Range::small, .bools = false, .edges = false, .within = 8});
    const char* const run_time = "an exponent is known while tracing only";
    for (const double exponent : {0.0, 1.0, 2.0, 3.0, 4.0, 0.5, -0.5, -1.0, -2.0, 1.3}) {
        table.add(ops::pow, values({5}, 4, Range::positive), exponent).within(8).differs_eagerly(run_time);
        table.add(ops::pow, values(bfloat16, {5}, 4, Range::positive), exponent)
            .within(2)
            .differs_eagerly(run_time);
    }
    for (const int exponent : {0, 1, 2, 3, 5})
        table.add(ops::pow, values(int64, {5}, 2), exponent).differs_eagerly(run_time);
    table.add(ops::pow, values({5}, 4), 3).within(8);
    table.add(ops::pow, 2.0, values({5}, 4)).within(8);
    table.add(ops::pow, 2, values(int64, {5}, 4, Range::positive));
    // Zeros of either sign, and infinities, as dividends and divisors.
    const Tensor a = numbers(float32, {7.5, -7.5, 7.5, -7.5, 0.0, -0.0, 1e30, 3.0});
    const Tensor b =
        numbers(float32, {2.0, 2.0, -2.0, -2.0, 3.0, 3.0, 7.0, std::numeric_limits<double>::infinity()});
    for (const Binary* op :
         std::initializer_list<const Binary*>{&ops::remainder, &ops::fmod, &ops::floor_divide}) {
        table.add(*op, a, b).not_smooth();
        table.add(*op, numbers(int64, {7, -7, 7, -7, 6, -6}), numbers(int64, {2, 2, -2, -2, 3, 3}));
    }
    table.add(ops::floor_divide, values({4}), 0.0).not_smooth();
}

void add_division(SampleTable& table) {
    for (const RoundingMode mode : {RoundingMode::none, RoundingMode::trunc, RoundingMode::floor}) {
        const DivOptions options{.rounding_mode = mode};
        std::uint32_t seed = 3;
        for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8}) {
            table.add(ops::div, values(dtype, {2, 3}, seed), values(dtype, {2, 3}, seed + 1, Range::even),
                      options);
            table.add(ops::div, values(dtype, {2, 1}, seed), values(dtype, {3}, seed + 1, Range::even),
                      options);
            seed += 2;
        }
        table.add(ops::div, values({4}), 1.75, options);
        table.add(ops::div, 3.5, values({4}, 2, Range::away), options);
        table.add(ops::div, values(int64, {4}), 2, options);
        table.add(ops::div, values({0, 2}), values({2}, 2), options);
        table.add(ops::div, values({}), values(Shape{}, 2), options);
        table.add(ops::div, values({5, 37}, 7), values({5, 37}, 9, Range::even), options);
        table
            .add(ops::div, numbers(float32, {1.0, -1.0, 0.0, 5.0}), numbers(float32, {0.0, 0.0, 0.0, -0.0}),
                 options)
            .not_smooth();
    }
    table.add(ops::div, numbers(bool_, {0, 1}), numbers(bool_, {1, 1}), DivOptions{});
}

void add_comparisons(SampleTable& table) {
    for (const Binary* op :
         std::initializer_list<const Binary*>{&ops::eq, &ops::ne, &ops::lt, &ops::le, &ops::gt, &ops::ge,
                                              &ops::logical_and, &ops::logical_or, &ops::logical_xor}) {
        add_binary(table, *op);
    }
    for (const Binary* op :
         std::initializer_list<const Binary*>{&ops::bitwise_and, &ops::bitwise_or, &ops::bitwise_xor}) {
        add_binary(table, *op, {.floats = false});
    }
    table.add(ops::eq, numbers(int64, {1, 2, 3}), numbers(int64, {1, 0, 3}));
}

void add_choices(SampleTable& table) {
    const Tensor flags = numbers(bool_, {2, 3}, {1, 0, 1, 0, 0, 1});
    std::uint32_t seed = 3;
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8, bool_}) {
        table.add(ops::where, flags, values(dtype, {2, 3}, seed), values(dtype, {2, 3}, seed + 1));
        table.add(ops::masked_fill, values(dtype, {2, 3}, seed), flags,
                  dtype == bool_ ? Operand(true) : Operand(1));
        seed += 2;
    }
    table.add(ops::where, flags, values({3}), values({2, 1}, 2));
    table.add(ops::where, numbers(bool_, {3, 1}, {1, 0, 1}), values({4}), 0.5);
    table.add(ops::where, flags, 1.5, values(Shape{}, 2));
    table.add(ops::where, flags, 1.5, 2.5);
    table.add(ops::where, flags, 1, 2);
    table.add(ops::where, numbers(bool_, {}, {1}), values({2, 2}), values({2, 2}, 5));
    table.add(ops::where, flags, values(int64, {2, 3}), values({2, 3}, 2));
    table.add(ops::where, values(bool_, {0, 3}), values({0, 3}), values({3}, 2));
    table
        .add(ops::where, flags, numbers(float32, {2, 3}, {0, -0.0, 1, 2, 3, 4}),
             std::numeric_limits<double>::quiet_NaN())
        .not_smooth();
    table.add(ops::masked_fill, values({2, 3}), flags, values(Shape{}, 2));
    table.add(ops::masked_fill, values({4, 2, 3}), flags, -std::numeric_limits<double>::infinity())
        .not_smooth();
    table.add(ops::masked_fill, values({3}), flags, 0.5);
    table.add(ops::masked_fill, values(bfloat16, {2, 3}), flags, 0.1);
    table.add(ops::masked_fill, values({0, 3}), values(bool_, {3}), 0.5);
    table.add(ops::masked_fill, values({}), numbers(bool_, {}, {1}), 0.5);

    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8}) {
        table.add(ops::clamp, values(dtype, {2, 5}, seed++), ClampOptions{.min = 1, .max = 3});
    }
    table.add(ops::clamp, values({2, 3}), ClampOptions{.min = -0.5});
    table.add(ops::clamp, values({2, 3}), ClampOptions{.max = 0.25});
    table.add(ops::clamp, values({2, 3}), ClampOptions{.min = 2.0, .max = -1.0});
    table.add(ops::clamp, values({2, 3}), ClampOptions{.min = values({3}, 4), .max = values({2, 1}, 5)});
    table.add(ops::clamp, values(int64, {4}), ClampOptions{.min = 0.5});
    table.add(ops::clamp, values({0}), ClampOptions{.min = 0.5});
    table.add(ops::clamp, values({}), ClampOptions{.min = 0.5, .max = 1.5});
    table.add(ops::clamp, edge_numbers(float32), ClampOptions{.min = -1.0, .max = 1.0}).not_smooth();
    table.add(ops::clamp, edge_numbers(bfloat16), ClampOptions{.min = -1.0, .max = 1.0}).not_smooth();
}

void add_errors(SampleTable& table) {
    const Tensor a = values({2, 3});
    const Tensor b = values({4, 3}, 2);
    const Tensor flags = numbers(bool_, {0, 1});
    for (const Binary* op : std::initializer_list<const Binary*>{
             &ops::add, &ops::sub, &ops::mul, &ops::maximum, &ops::minimum, &ops::remainder, &ops::fmod,
             &ops::floor_divide, &ops::pow, &ops::eq, &ops::ne, &ops::lt, &ops::le, &ops::gt, &ops::ge,
             &ops::logical_and, &ops::logical_or, &ops::logical_xor}) {
        table.error<ShapeError>(*op, "[2, 3] and [4, 3]", a, b);
    }
    table.error<ShapeError>(ops::div, "[2, 3] and [4, 3]", a, b, DivOptions{});
    table.error<ShapeError>(ops::div, "[2, 3] and [4, 3]", a, b,
                            DivOptions{.rounding_mode = RoundingMode::trunc});
    for (const Binary* op : std::initializer_list<const Binary*>{&ops::sub, &ops::remainder, &ops::fmod,
                                                                 &ops::floor_divide, &ops::pow}) {
        table.error<DTypeError>(*op, "bool_[2]", flags, flags);
    }
    for (const Binary* op :
         std::initializer_list<const Binary*>{&ops::bitwise_and, &ops::bitwise_or, &ops::bitwise_xor}) {
        table.error<DTypeError>(*op, "float32[2, 3]", a, values(int64, {2, 3}));
        table.error<ShapeError>(*op, "[2, 3] and [4, 3]", values(int64, {2, 3}), values(int64, {4, 3}));
    }
    const Tensor integers = values(int64, {3});
    table.add_error<ValueError>("pow", "-1 for int64[3]", [integers] { pow(integers, -1); }, {integers});
    table.error<DTypeError>(ops::where, "float32[2, 3]", a, a, a);
    table.error<ShapeError>(ops::where, "[2, 3]", values(bool_, {4, 3}), a, a);
    table.error<ValueError>(ops::clamp, "neither", a, ClampOptions{});
    table.error<ShapeError>(ops::clamp, "[2, 3]", a, ClampOptions{.min = b});
    table.error<DTypeError>(ops::clamp, "bool_[2]", flags, ClampOptions{.min = flags});
    table.error<DTypeError>(ops::masked_fill, "int64[2, 3]", values(int64, {2, 3}), values(bool_, {2, 3}),
                            0.5);
    table.error<DTypeError>(ops::masked_fill, "float32[2, 3]", a, a, 0.5);
    table.error<ShapeError>(ops::masked_fill, "[2, 3]", a, values(bool_, {4, 3}), 0.5);
}

}  // namespace

void add_pointwise_samples(SampleTable& table) {
    add_arithmetic(table);
    add_division(table);
    add_comparisons(table);
    add_choices(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
