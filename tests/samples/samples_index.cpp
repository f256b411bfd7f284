#include <fulgurite/core/ops/index.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

Tensor indices(const Shape& shape, const std::vector<double>& elements, DType dtype = int64) {
    return numbers(dtype, shape, elements);
}

constexpr DType all_dtypes[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16,
                                DType::int64,   DType::int32,   DType::uint8,    DType::bool_};

void add_joins(SampleTable& table) {
    using List = std::vector<Tensor>;
    for (const DType dtype : all_dtypes) {
        table.add(ops::cat, List{values(dtype, {2, 3}), values(dtype, {1, 3}, 2)}, 0);
        table.add(ops::stack, List{values(dtype, {2, 3}), values(dtype, {2, 3}, 2)}, 1);
        table.add(ops::pad, values(dtype, {2, 3}), std::vector<std::int64_t>{1, 2}, PadOptions{.value = 1});
        table.add(ops::flip, values(dtype, {2, 3}), Dims{1});
    }
    table.add(ops::cat, List{values({2, 3}), values({2, 1}, 2), values({2, 0}, 3)}, -1);
    table.add(ops::cat, List{values({2, 3})}, 0);
    table.add(ops::cat, List{values(bfloat16, {2}), values(float32, {1}, 2), values(int64, {2}, 3)}, 0);
    table.add(ops::cat, List{values({2, 2, 3}), values({2, 4, 3}, 2)}, 1);
    table.add(ops::cat, List{values({0}), values({0})}, 0);
    table.add(ops::stack, List{values(Shape{}), values(Shape{}, 2), values(Shape{}, 3)}, 0);
    table.add(ops::stack, List{values({2, 3}), values({2, 3}, 2)}, -1);
    table.add(ops::stack, List{values({2}), values(bfloat16, {2}, 2)}, 0);
    table.add(ops::stack, List{values({0, 3})}, 0);
    const auto padded = [&](const Shape& shape, const std::vector<std::int64_t>& counts,
                            const Operand& value = 0) {
        table.add(ops::pad, values(shape), counts, PadOptions{.value = value});
    };
    padded({2, 3}, {1, 1, 2, 0});
    padded({2, 3}, {-1, 1, 0, -1}, 0.5);
    padded({2, 3}, {});
    padded({2, 3}, {0, 0});
    padded({2, 2, 3}, {0, 0, 1, 1, 1, 0}, 2.5);
    padded({0, 3}, {0, 0, 1, 0}, 1.5);
    padded({4}, {-2, -2});
    for (const Dims& dims : {Dims{0}, Dims{0, 1}, Dims{-1}, Dims{}})
        table.add(ops::flip, values({2, 3}, 5), dims);
    table.add(ops::flip, values({2, 1, 3}), Dims{2, 0});
    table.add(ops::flip, values({0, 2}), Dims{0});
    table.add(ops::flip, values({}), Dims{});
}

void add_picks(SampleTable& table) {
    for (const DType dtype : all_dtypes) {
        table.add(ops::take, values(dtype, {2, 3}), indices({2, 2}, {5, 0, 3, 3}));
        table.add(ops::gather, values(dtype, {3, 2}), 0, indices({2, 2}, {2, 0, 1, 2}));
        table.add(ops::index_select, values(dtype, {3, 2}), 0, indices({4}, {2, 0, 2, 1}));
        table.add(ops::embedding, indices({2, 2}, {1, 0, 3, 1}), values(dtype, {4, 3}));
    }
    table.add(ops::take, values({4}), indices({}, {2}));
    table.add(ops::take, values({4}), indices({0}, {}));
    table.add(ops::take, values({2, 3}), indices({3}, {1, 4, 4}, int32));
    table.add(ops::gather, values({2, 4}), 1, indices({2, 3}, {3, 0, 0, 1, 1, 2}));
    table.add(ops::gather, values({2, 4}), -1, indices({1, 2}, {3, 1}, int32));
    table.add(ops::gather, values({2, 3, 2}), 1, indices({2, 1, 2}, {2, 1, 0, 2}));
    table.add(ops::gather, values({2, 4}), 1, indices({2, 0}, {}));
    table.add(ops::gather, values({5}), 0, indices({3}, {4, 4, 0}));
    table.add(ops::index_select, values({2, 4}), 1, indices({3}, {3, 0, 3}));
    table.add(ops::index_select, values({2, 4}), -1, indices({}, {2}));
    table.add(ops::index_select, values({2, 4}), 0, indices({0}, {}));
    table.add(ops::index_select, values({2, 3, 2}), 1, indices({2}, {2, 1}, int32));
    table.add(ops::embedding, indices({}, {2}), values({4, 3}));
    table.add(ops::embedding, indices({0}, {}), values({4, 3}));
    table.add(ops::embedding, indices({3}, {1, 1, 1}, int32), values({2, 1}));
    for (const DType dtype : {int64, int32}) {
        table.add(ops::one_hot, indices({2, 2}, {0, 2, 1, 2}, dtype), 3);
        table.add(ops::one_hot, indices({}, {1}, dtype), 2);
        table.add(ops::one_hot, indices({0}, {}, dtype), 2);
    }
    table.add(ops::one_hot, indices({3}, {0, 0, 0}), 1);
}

void add_scatters(SampleTable& table) {
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8}) {
        table
            .add(ops::scatter_add, values(dtype, {3, 2}), 0, indices({2, 2}, {2, 0, 2, 1}),
                 values(dtype, {2, 2}, 2))
            .within(2);
        table
            .add(ops::index_add, values(dtype, {3, 2}), 0, indices({4}, {2, 0, 2, 1}),
                 values(dtype, {4, 2}, 2))
            .within(2);
    }
    table.add(ops::scatter_add, values({2, 4}), -1, indices({2, 3}, {3, 0, 0, 1, 1, 2}), values({2, 3}, 2))
        .within(2);
    table.add(ops::scatter_add, values({2, 4}), 1, indices({1, 2}, {3, 3}, int32), values({2, 3}, 2))
        .within(2);
    table.add(ops::scatter_add, values({4}), 0, indices({0}, {}), values({0}, 2));
    table
        .add(ops::scatter_add, values({2, 2, 3}), 1, indices({1, 2, 3}, {0, 0, 0, 1, 0, 1}),
             values({1, 2, 3}, 4))
        .within(2);
    table.add(ops::index_add, values({2, 4}), 1, indices({2}, {3, 3}), values({2, 2}, 2)).within(2);
    table.add(ops::index_add, values({2, 4}), -1, indices({2}, {0, 1}, int32), values({2, 2}, 2));
    table.add(ops::index_add, values({3, 2}), 0, indices({0}, {}), values({0, 2}, 2));
    table.add(ops::index_add, values({5}), 0, indices({7}, {0, 0, 0, 0, 0, 0, 0}), values({7}, 2)).within(4);
}

void add_errors(SampleTable& table) {
    using List = std::vector<Tensor>;
    const Tensor x = values({2, 3});
    const Tensor zero_dim = values({});
    const Tensor index = indices({2}, {0, 1});
    const Tensor matrix_index = indices({2, 3}, {0, 1, 0, 1, 0, 1});
    const Tensor not_index = values({2});
    table.error<ValueError>(ops::cat, "none", List{}, 0);
    table.error<ShapeError>(ops::cat, "float32[2, 3] and float32[2, 4]", List{x, values({2, 4})}, 0);
    table.error<IndexError>(ops::cat, "2", List{x}, 2);
    table.error<ShapeError>(ops::cat, "float32[]", List{zero_dim}, 0);
    table.error<ValueError>(ops::stack, "none", List{}, 0);
    table.error<ShapeError>(ops::stack, "float32[2, 3] and float32[2, 4]", List{x, values({2, 4})}, 0);
    table.error<IndexError>(ops::stack, "3", List{x}, 3);
    table.error<ValueError>(ops::pad, "float32[2, 3]", x, std::vector<std::int64_t>{1}, PadOptions{});
    table.error<ValueError>(ops::pad, "float32[2, 3]", x, std::vector<std::int64_t>{1, 1, 1, 1, 1, 1},
                            PadOptions{});
    table.error<ShapeError>(ops::pad, "float32[2, 3]", x, std::vector<std::int64_t>{-2, -2}, PadOptions{});
    table.error<IndexError>(ops::flip, "2", x, Dims{2});
    table.error<ValueError>(ops::flip, "[1, 1]", x, Dims{1, -1});
    table.error<DTypeError>(ops::take, "float32[2]", x, not_index);
    table.error<IndexError>(ops::take, "6", x, indices({1}, {6}));
    table.error<IndexError>(ops::take, "-1", x, indices({1}, {-1}));
    table.error<DTypeError>(ops::gather, "float32[2, 3]", x, 0, x);
    table.error<ShapeError>(ops::gather, "int64[2]", x, 0, index);
    table.error<IndexError>(ops::gather, "2", x, 2, matrix_index);
    table.error<IndexError>(ops::gather, "3", x, 1, indices({1, 1}, {3}));
    table.error<DTypeError>(ops::scatter_add, "float64[2, 3]", x, 0, matrix_index, values(float64, {2, 3}));
    table.error<ShapeError>(ops::scatter_add, "float32[1, 3]", x, 0, matrix_index, values({1, 3}));
    table.error<IndexError>(ops::scatter_add, "2", x, 0, indices({1, 1}, {2}), x);
    table.error<ShapeError>(ops::index_add, "float32[3, 3]", x, 0, index, values({3, 3}));
    table.error<DTypeError>(ops::index_add, "int64[2, 3]", x, 0, index, values(int64, {2, 3}));
    table.error<IndexError>(ops::index_add, "2", x, 0, indices({2}, {0, 2}), x);
    table.error<ShapeError>(ops::index_select, "int64[2, 3]", x, 0, matrix_index);
    table.error<IndexError>(ops::index_select, "3", x, 1, indices({1}, {3}));
    table.error<DTypeError>(ops::index_select, "float32[2]", x, 0, not_index);
    table.error<ShapeError>(ops::embedding, "float32[2]", index, not_index);
    table.error<DTypeError>(ops::embedding, "float32[2]", not_index, x);
    table.error<IndexError>(ops::embedding, "2", indices({1}, {2}), x);
    table.error<ValueError>(ops::one_hot, "0", index, 0);
    table.error<DTypeError>(ops::one_hot, "float32[2]", not_index, 2);
    table.add_error<IndexError>("index", "float32[2, 3]",
                                [x] { fulgurite::index(x, {Index(0), Index(0), Index(0)}); }, {x});
    table.add_error<IndexError>("index", "several", [x] { fulgurite::index(x, {Ellipsis, Ellipsis}); }, {x});
}

}  // namespace

void add_index_samples(SampleTable& table) {
    add_joins(table);
    add_picks(table);
    add_scatters(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
