#include <fulgurite/core/ops/matmul.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

using Product = Op<Tensor(Tensor, Tensor)>;

Sample& add_pair(SampleTable& table, const Product& op, DType dtype, const Shape& a, const Shape& b) {
    return table.add(op, values(dtype, a, 3, Range::small), values(dtype, b, 7, Range::small)).within(4);
}

void add_products(SampleTable& table) {
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8}) {
        add_pair(table, ops::matmul, dtype, {2, 3}, {3, 4});
        add_pair(table, ops::matmul, dtype, {2, 2, 3}, {2, 3, 4});
        add_pair(table, ops::bmm, dtype, {2, 2, 3}, {2, 3, 4});
        add_pair(table, ops::dot, dtype, {5}, {5});
        add_pair(table, ops::outer, dtype, {2}, {3});
    }
    const std::pair<Shape, Shape> shapes[] = {
        {{3}, {3}},
        {{3}, {3, 4}},
        {{2, 3}, {3}},
        {{3}, {2, 3, 4}},
        {{2, 4, 3}, {3}},
        {{2, 4, 3}, {3, 2}},
        {{4, 3}, {2, 3, 2}},
        {{2, 1, 4, 3}, {3, 3, 2}},
        {{1, 1}, {1, 1}},
        {{0, 3}, {3, 4}},
        {{2, 0}, {0, 4}},
        {{2, 3}, {3, 0}},
        {{0, 2, 3}, {0, 3, 2}},
        {{0}, {0}},
        {{0, 2, 3}, {3, 2}},
        {{17, 33}, {33, 19}},
        {{1, 64}, {64, 5}},
        {{64, 1}, {1, 3}},
        {{2, 1, 3}, {1, 3, 5}},
    };
    for (const auto& [a, b] : shapes) add_pair(table, ops::matmul, float32, a, b);
    add_pair(table, ops::matmul, bfloat16, {17, 33}, {33, 19});
    add_pair(table, ops::matmul, float16, {17, 33}, {33, 19});
    add_pair(table, ops::bmm, float32, {0, 2, 3}, {0, 3, 2});
    add_pair(table, ops::bmm, float32, {3, 1, 4}, {3, 4, 1});
    add_pair(table, ops::dot, float32, {0}, {0});
    add_pair(table, ops::dot, float32, {1}, {1});
    add_pair(table, ops::outer, float32, {0}, {3});
    add_pair(table, ops::outer, float32, {1}, {1});
    table.add(ops::outer, values(int64, {2}), values(float32, {3}, 3));
    const Tensor edges = edge_numbers(float32);
    table.add(ops::outer, edges, edges).not_smooth();
}

void add_linear(SampleTable& table) {
    const auto one = [&](DType dtype, const Shape& x, const Shape& weight, bool bias) {
        table
            .add(ops::linear, values(dtype, x, 3, Range::small), values(dtype, weight, 7, Range::small),
                 bias ? values(dtype, {weight[0]}, 11, Range::small) : Tensor())
            .within(4);
    };
    for (const DType dtype : floating_dtypes) {
        one(dtype, {2, 3}, {4, 3}, true);
        one(dtype, {2, 3}, {4, 3}, false);
    }
    one(int64, {2, 3}, {4, 3}, true);
    one(float32, {3}, {4, 3}, true);
    one(float32, {3}, {4, 3}, false);
    one(float32, {2, 2, 3}, {4, 3}, true);
    one(float32, {2, 1, 2, 3}, {1, 3}, true);
    one(float32, {0, 3}, {4, 3}, true);
    one(float32, {2, 0}, {4, 0}, true);
    one(float32, {19, 35}, {33, 35}, true);
}

void add_errors(SampleTable& table) {
    const Tensor a = values({2, 3});
    const Tensor b = values({4, 3}, 2);
    const Tensor scalar = values({});
    table.error<ShapeError>(ops::matmul, "float32[2, 3] and float32[4, 3]", a, b);
    table.error<ShapeError>(ops::matmul, "float32[]", a, scalar);
    table.error<DTypeError>(ops::matmul, "float32[2, 3] and float64[3, 2]", a, values(float64, {3, 2}));
    table.error<ShapeError>(ops::matmul, "[2] and [3]", values({2, 2, 3}), values({3, 3, 2}));
    table.error<ShapeError>(ops::bmm, "float32[2, 3]", a, a);
    table.error<ShapeError>(ops::bmm, "float32[3, 3, 2]", values({2, 2, 3}), values({3, 3, 2}));
    table.error<DTypeError>(ops::bmm, "int64[2, 3, 2]", values({2, 2, 3}), values(int64, {2, 3, 2}));
    table.error<ShapeError>(ops::dot, "float32[2] and float32[3]", values({2}), values({3}));
    table.error<DTypeError>(ops::dot, "int64[2]", values({2}), values(int64, {2}));
    table.error<ShapeError>(ops::outer, "float32[2, 3]", a, values({2}));
    table.error<ShapeError>(ops::linear, "float32[2, 3] and float32[3, 4]", a, values({3, 4}), Tensor());
    table.error<ShapeError>(ops::linear, "float32[3]", a, b, values({3}));
    table.error<DTypeError>(ops::linear, "bfloat16[4]", a, b, values(bfloat16, {4}));
}

}  // namespace

void add_matmul_samples(SampleTable& table) {
    add_products(table);
    add_linear(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
