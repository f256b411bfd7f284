#include <fulgurite/core/ops/pointwise.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

struct UnaryTraits {
    Range range = Range::any;
    bool integers = true;
    bool bools = true;
    bool edges = true;
    double within = 1;
};

using Unary = Op<Tensor(Operand)>;

/// Shapes, dtypes, edge values and a number.
void add_unary(SampleTable& table, const Unary& op, UnaryTraits traits = {}) {
    std::uint32_t seed = 1;
    for (const DType dtype : floating_dtypes) {
        table.add(op, values(dtype, {2, 3}, seed++, traits.range)).within(traits.within);
    }
    for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{1}, Shape{3, 1, 2}, Shape{4, 33}}) {
        table.add(op, values(shape, seed++, traits.range)).within(traits.within);
    }
    if (traits.integers) {
        for (const DType dtype : integer_dtypes)
            table.add(op, values(dtype, {5}, seed++, traits.range)).within(traits.within);
    }
    if (traits.bools) table.add(op, numbers(bool_, {0, 1, 1}));
    if (traits.edges) {
        for (const DType dtype : floating_dtypes) {
            table.add(op, edge_numbers(dtype)).within(traits.within).not_smooth();
        }
    }
    table.add(op, 0.75).within(traits.within);
}

void add_unary(SampleTable& table, const Op<Tensor(Operand, GeluOptions)>& op) {
    for (const GeluOptions& options : {GeluOptions{}, GeluOptions{.approximate = GeluApproximation::tanh}}) {
        std::uint32_t seed = 3;
        for (const DType dtype : floating_dtypes) {
            table.add(op, values(dtype, {3, 4}, seed++), options).within(2);
            table.add(op, edge_numbers(dtype), options).within(2).not_smooth();
        }
        for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{4, 33}})
            table.add(op, values(shape, seed++), options).within(2);
    }
}

/// Functions of floats; those that integers become the default dtype for.
void add_floating(SampleTable& table) {
    for (const Unary* op :
         std::initializer_list<const Unary*>{&ops::exp, &ops::expm1, &ops::sin, &ops::cos, &ops::tanh,
                                             &ops::erf, &ops::sigmoid, &ops::silu}) {
        add_unary(table, *op, {.within = 3});
    }
    add_unary(table, ops::tan, {.range = Range::small, .edges = false, .within = 3});
    for (const Unary* op :
         std::initializer_list<const Unary*>{&ops::log, &ops::log1p, &ops::sqrt, &ops::rsqrt}) {
        add_unary(table, *op, {.range = Range::positive, .within = 3});
    }
    add_unary(table, ops::reciprocal, {.range = Range::away, .within = 2});
    add_unary(table, ops::gelu);
}

void add_exact(SampleTable& table) {
    add_unary(table, ops::neg, {.bools = false});
    add_unary(table, ops::abs, {.bools = false});
    add_unary(table, ops::sign, {.bools = false});
    for (const Unary* op :
         std::initializer_list<const Unary*>{&ops::floor, &ops::ceil, &ops::trunc, &ops::round}) {
        add_unary(table, *op, {.bools = false});
    }
    table.add(ops::round, numbers(float32, {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1e9})).not_smooth("halves");
    add_unary(table, ops::square);
    add_unary(table, ops::relu, {.bools = false});
    add_unary(table, ops::logical_not);
    add_unary(table, ops::isnan);
    add_unary(table, ops::isfinite);
    add_unary(table, ops::isinf);
    std::uint32_t seed = 1;
    for (const DType dtype : {DType::int64, DType::int32, DType::uint8, DType::bool_}) {
        table.add(ops::bitwise_not, values(dtype, {2, 3}, seed++));
        table.add(ops::bitwise_not, values(dtype, {}, seed++));
        table.add(ops::bitwise_not, values(dtype, {0}, seed++));
    }
}

void add_errors(SampleTable& table) {
    const Tensor flags = numbers(bool_, {0, 1});
    for (const Unary* op :
         std::initializer_list<const Unary*>{&ops::neg, &ops::abs, &ops::sign, &ops::floor, &ops::ceil,
                                             &ops::trunc, &ops::round, &ops::relu}) {
        table.error<DTypeError>(*op, "bool_[2]", flags);
    }
    table.error<DTypeError>(ops::bitwise_not, "float32[2, 3]", values({2, 3}));
}

}  // namespace

void add_unary_samples(SampleTable& table) {
    add_floating(table);
    add_exact(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
