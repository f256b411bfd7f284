#include <fulgurite/core/ops/view.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

const char* const strides_decide = "strides decide whether it is an error";

void add_shapes(SampleTable& table) {
    for (const DType dtype : {float32, float64, bfloat16, int64, uint8, bool_}) {
        table.add(ops::reshape, values(dtype, {2, 6}), Shape{3, 4});
        table.add(ops::permute, values(dtype, {2, 3, 4}), Dims{2, 0, 1});
        table.add(ops::flatten, values(dtype, {2, 3, 4}), 1, 2);
        table.add(ops::view, values(dtype, {2, 6}), Shape{4, 3}).one_layout(strides_decide);
    }
    for (const auto* op :
         std::initializer_list<const Op<Tensor(Tensor, Shape)>*>{&ops::reshape, &ops::view}) {
        const auto one = [&](const Shape& from, const Shape& to) {
            Sample& sample = table.add(*op, values(from, 3), to);
            if (op->symbol().name == "view") sample.one_layout(strides_decide);
        };
        one({2, 3, 4}, {6, -1});
        one({2, 3, 4}, {-1});
        one({2, 3, 4}, {2, 3, 4});
        one({1}, {});
        one({}, {1, 1});
        one({0, 3}, {3, 0});
        one({4, 1, 2}, {1, 8});
    }
    table.add(ops::flatten, values({2, 3, 4}), 0, -1);
    table.add(ops::flatten, values({2, 3, 4}), 0, 1);
    table.add(ops::flatten, values({2, 3}), 1, 1);
    table.add(ops::flatten, values({}), 0, -1);
    table.add(ops::flatten, values({2, 0, 3}), 0, -1);
    table.add(ops::squeeze, values({1, 3, 1}), Dims{});
    table.add(ops::squeeze, values({1, 3, 1}), Dims{0});
    table.add(ops::squeeze, values({1, 3, 1}), Dims{-1, 1});
    table.add(ops::squeeze, values({2, 3}), Dims{});
    table.add(ops::squeeze, values({}), Dims{});
    table.add(ops::squeeze, values(bfloat16, {1, 2}), Dims{0});
    table.add(ops::squeeze, values(int64, {0, 1}), Dims{});
    for (const std::int64_t dim : {0, 1, 2, -1, -3}) table.add(ops::unsqueeze, values({2, 3}), dim);
    table.add(ops::unsqueeze, values({}), 0);
    table.add(ops::unsqueeze, values(bfloat16, {0}), 1);
}

void add_orders(SampleTable& table) {
    table.add(ops::permute, values({2, 3}), Dims{0, 1});
    table.add(ops::permute, values({2, 3}), Dims{-1, -2});
    table.add(ops::permute, values({}), Dims{});
    table.add(ops::permute, values({0, 2, 3}), Dims{1, 0, 2});
    table.add(ops::permute, values({2, 1, 3, 2}), Dims{3, 1, 0, 2});
    table.add(ops::transpose, values({2, 3, 4}), 0, 2);
    table.add(ops::transpose, values({2, 3, 4}), -1, -2);
    table.add(ops::transpose, values({2, 3}), 1, 1);
    table.add(ops::transpose, values({}), 0, -1);
    table.add(ops::transpose, values(bfloat16, {2, 0}), 0, 1);
    table.add(ops::t, values({2, 3}));
    table.add(ops::t, values({3}));
    table.add(ops::t, values({}));
    table.add(ops::t, values(bfloat16, {1, 3}));
    table.add(ops::t, values(int64, {0, 3}));
    table.add(ops::movedim, values({2, 3, 4}), Dims{0}, Dims{2});
    table.add(ops::movedim, values({2, 3, 4}), Dims{0, -1}, Dims{1, 0});
    table.add(ops::movedim, values({2, 3, 4}), Dims{}, Dims{});
    table.add(ops::movedim, values(bfloat16, {2, 0, 4}), Dims{-1}, Dims{0});
}

void add_parts(SampleTable& table) {
    for (const auto* op :
         std::initializer_list<const Op<Tensor(Tensor, Shape)>*>{&ops::expand, &ops::broadcast_to}) {
        table.add(*op, values({1, 3}), Shape{2, 3});
        table.add(*op, values({3, 1}), Shape{2, 3, 4});
        table.add(*op, values({3}), Shape{2, -1});
        table.add(*op, values({}), Shape{2, 2});
        table.add(*op, values({}), Shape{});
        table.add(*op, values({1}), Shape{0});
        table.add(*op, values({0, 1}), Shape{0, 2});
        table.add(*op, values(bfloat16, {2, 1}), Shape{2, 3});
        table.add(*op, values(bool_, {2, 1}), Shape{2, 3});
    }
    for (const DType dtype : {float32, bfloat16, int64}) {
        table.add(ops::slice, values(dtype, {5, 3}), 0, 1, 4, 1);
        table.add(ops::select, values(dtype, {2, 3}), 1, 2);
        table.add(ops::narrow, values(dtype, {2, 5}), 1, 1, 3);
        table.add(ops::split, values(dtype, {2, 6}), std::vector<std::int64_t>{2, 3, 1}, 1);
    }
    table.add(ops::slice, values({5, 3}), 0, 0, to_end, 2);
    table.add(ops::slice, values({5, 3}), -1, -2, to_end, 1);
    table.add(ops::slice, values({5, 3}), 0, -100, 100, 3);
    table.add(ops::slice, values({5, 3}), 0, 3, 1, 1);
    table.add(ops::slice, values({5, 3}), 0, 0, to_end, 1);
    table.add(ops::slice, values({0, 3}), 0, 0, to_end, 2);
    table.add(ops::slice, values({2, 5, 2}), 1, 1, -1, 2);
    table.add(ops::select, values({2, 3}), 0, -1);
    table.add(ops::select, values({3}), 0, 1);
    table.add(ops::select, values({2, 0}), 0, 1);
    table.add(ops::narrow, values({2, 5}), -1, -2, 2);
    table.add(ops::narrow, values({2, 5}), 1, 5, 0);
    table.add(ops::narrow, values({2, 5}), 0, 0, 2);
    table.add(ops::split, values({4, 2}), std::vector<std::int64_t>{1, 0, 3}, 0);
    table.add(ops::split, values({4}), std::vector<std::int64_t>{4}, -1);
    table.add(ops::split, values({0, 2}), std::vector<std::int64_t>{0, 0}, 0);
}

void add_copies(SampleTable& table) {
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, uint8, bool_}) {
        table.add(ops::clone, values(dtype, {2, 3}));
        table.add(ops::contiguous, values(dtype, {2, 3}));
        table.add(ops::to, values(dtype, {2, 3}), ToOptions{.dtype = float32});
        table.add(ops::to, values(dtype, {2, 3}), ToOptions{.dtype = bfloat16});
        table.add(ops::to, values(dtype, {2, 3}), ToOptions{.dtype = float16});
        table.add(ops::to, values(dtype, {2, 3}), ToOptions{.dtype = float64});
        table.add(ops::to, values(dtype, {2, 3}, 1, Range::positive), ToOptions{.dtype = uint8});
        table.add(ops::to, values(dtype, {2, 3}), ToOptions{.dtype = int64}).not_smooth();
        table.add(ops::to, values(dtype, {2, 3}), ToOptions{.dtype = bool_});
        table.add(ops::stop_gradient, values(dtype, {2, 3})).not_smooth("that is its meaning");
    }
    for (const Shape& shape : {Shape{}, Shape{0, 2}, Shape{1, 4, 1}}) {
        table.add(ops::clone, values(shape));
        table.add(ops::contiguous, values(shape));
        table.add(ops::stop_gradient, values(shape)).not_smooth("that is its meaning");
        table.add(ops::to, values(shape), ToOptions{.dtype = bfloat16});
    }
    table.add(ops::to, values({2, 3}), ToOptions{.device = cpu});
    table.add(ops::to, edge_numbers(float32), ToOptions{.dtype = bfloat16}).not_smooth();
    table.add(ops::to, edge_numbers(float32), ToOptions{.dtype = float16}).not_smooth();
    table.add(ops::to, edge_numbers(float32), ToOptions{.dtype = bool_}).not_smooth();
    table
        .add(ops::to,
             numbers(float64, {1.00390625, 1.01171875, 3.39e38, 1e-42, 65519.9, 65520.0, 6e-8, 2e-8}),
             ToOptions{.dtype = float16})
        .not_smooth("rounding")
        .only_exact("rounding");
    table
        .add(ops::to, numbers(float32, {1.00390625, 1.01171875, 3.39e38, 3.4e38, 1e-42, 9.2e-41}),
             ToOptions{.dtype = bfloat16})
        .not_smooth("rounding")
        .only_exact("rounding");
}

void add_errors(SampleTable& table) {
    const Tensor x = values({2, 3});
    const Tensor zero_dim = values({});
    for (const auto* op :
         std::initializer_list<const Op<Tensor(Tensor, Shape)>*>{&ops::reshape, &ops::view}) {
        table.error<ShapeError>(*op, "float32[2, 3]", x, Shape{4, 2});
        table.error<ShapeError>(*op, "[-1, -1]", x, Shape{-1, -1});
        table.error<ShapeError>(*op, "float32[0, 3]", values({0, 3}), Shape{0, -1});
    }
    table.error<ShapeError>(ops::view, "[6]", laid_out(x, {1, 2}), Shape{6});
    table.error<ShapeError>(ops::permute, "float32[2, 3]", x, Dims{0});
    table.error<ValueError>(ops::permute, "[1, 1]", x, Dims{1, 1});
    table.error<IndexError>(ops::permute, "2", x, Dims{0, 2});
    table.error<IndexError>(ops::transpose, "-3", x, 0, -3);
    table.error<ShapeError>(ops::t, "float32[2, 1, 3]", values({2, 1, 3}));
    table.error<ValueError>(ops::movedim, "[0] and [0, 1]", x, Dims{0}, Dims{0, 1});
    table.error<IndexError>(ops::movedim, "5", x, Dims{0}, Dims{5});
    for (const auto* op :
         std::initializer_list<const Op<Tensor(Tensor, Shape)>*>{&ops::expand, &ops::broadcast_to}) {
        table.error<ShapeError>(*op, "float32[2, 3]", x, Shape{4, 3});
        table.error<ShapeError>(*op, "float32[2, 3]", x, Shape{3});
        table.error<ShapeError>(*op, "[-1, 2, 3]", x, Shape{-1, 2, 3});
    }
    table.error<IndexError>(ops::squeeze, "2", x, Dims{2});
    table.error<IndexError>(ops::unsqueeze, "4", x, 4);
    table.error<ValueError>(ops::flatten, "float32[2, 3]", x, 1, 0);
    table.error<IndexError>(ops::flatten, "3", x, 0, 3);
    table.error<ValueError>(ops::slice, "0", x, 0, 0, 2, 0);
    table.error<IndexError>(ops::slice, "2", x, 2, 0, 1, 1);
    table.error<IndexError>(ops::slice, "float32[]", zero_dim, 0, 0, 1, 1);
    table.error<IndexError>(ops::select, "float32[2, 3]", x, 1, 3);
    table.error<IndexError>(ops::select, "float32[]", zero_dim, 0, 0);
    table.error<IndexError>(ops::narrow, "float32[2, 3]", x, 1, 2, 2);
    table.error<IndexError>(ops::narrow, "-1", x, 1, 0, -1);
    table.error<ShapeError>(ops::split, "float32[2, 3]", x, std::vector<std::int64_t>{1, 1}, 1);
    table.error<ShapeError>(ops::split, "float32[2, 3]", x, std::vector<std::int64_t>{4, -1}, 1);
    table.error<IndexError>(ops::split, "float32[]", zero_dim, std::vector<std::int64_t>{1}, 0);
    table.add_error<ValueError>("split", "0", [x] { split(x, 0); }, {x});
    table.add_error<ValueError>("chunk", "0", [x] { chunk(x, 0); }, {x});
    table.add_error<IndexError>("chunk", "float32[]", [zero_dim] { chunk(zero_dim, 2); }, {zero_dim});
}

}  // namespace

void add_view_samples(SampleTable& table) {
    add_shapes(table);
    add_orders(table);
    add_parts(table);
    add_copies(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
