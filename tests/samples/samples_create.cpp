#include <limits>

#include <fulgurite/core/ops/create.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

void add_fills(SampleTable& table) {
    for (const DType dtype : {float32, float64, bfloat16, float16, int64, int32, uint8, bool_}) {
        table.add(prims::full, Shape{2, 3}, 1, dtype, cpu);
        table.add(ops::eye, 3, 4, dtype, cpu);
        if (dtype != bool_) table.add(prims::iota, 5, 2, 3, dtype, cpu);
    }
    table.add(prims::full, Shape{}, 2.5, float32, cpu);
    table.add(prims::full, Shape{0, 2}, 2.5, float32, cpu);
    table.add(prims::full, Shape{2}, -std::numeric_limits<double>::infinity(), bfloat16, cpu);
    table.add(prims::full, Shape{2, 2}, values({}), float32, cpu);
    table.add(prims::full, Shape{3}, values({}), bfloat16, cpu);
    table.add(prims::full, Shape{3}, values(int64, {}), float32, cpu);
    table.add(prims::iota, 0, 0, 1, int64, cpu);
    table.add(prims::iota, 1, 7, 0, int32, cpu);
    table.add(prims::iota, 6, 1.5, -0.25, float32, cpu);
    table.add(prims::iota, 40, -1.0, 0.125, bfloat16, cpu);
    table.add(ops::eye, 2, 2, float32, cpu);
    table.add(ops::eye, 4, 2, float32, cpu);
    table.add(ops::eye, 0, 3, float32, cpu);
    table.add(ops::eye, 1, 1, float32, cpu);
}

void add_errors(SampleTable& table) {
    table.error<ShapeError>(prims::full, "float32[2]", Shape{2}, values({2}), float32, cpu);
    table.error<ShapeError>(prims::full, "[-1]", Shape{-1}, 1, float32, cpu);
    table.add_error<ShapeError>("full", "float32[2]", [] { full({2}, values({2})); });
    table.add_error<ShapeError>("zeros", "[-1]", [] { zeros({-1}); });
    table.error<ValueError>(prims::iota, "-2", -2, 0, 1, int64, cpu);
    table.error<DTypeError>(prims::iota, "bool_", 2, 0, 1, bool_, cpu);
    table.error<ValueError>(ops::eye, "-1", -1, 2, float32, cpu);
    table.add_error<ValueError>("arange", "step", [] { arange(0, 5, 0); });
    table.add_error<ValueError>("arange", "step", [] { arange(0, 5, -1); });
    table.add_error<ShapeError>("tensor", "got 3 and 2", [] { tensor({{1.0f, 2.0f, 3.0f}, {1.0f, 2.0f}}); });
    table.add_error<ShapeError>("tensor", "[2, 2]", [] { tensor(std::vector<float>{1, 2, 3}, {2, 2}); });
}

}  // namespace

void add_create_samples(SampleTable& table) {
    add_fills(table);
    add_errors(table);
}

}  // namespace fulgurite::tests
