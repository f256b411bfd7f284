#include <limits>

#include <fulgurite/core/ops/nn.h>
#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Reduction reductions[] = {Reduction::mean, Reduction::sum, Reduction::none};

void add_softmaxes(SampleTable& table) {
    const Tensor big = numbers(float32, {3, 3}, {1000, 1001, 999, -inf, 0, 1, -1e30, 0, 1e30});
    for (const auto* op : std::initializer_list<const Op<Tensor(Tensor, std::int64_t, SoftmaxOptions)>*>{
             &ops::softmax, &ops::log_softmax}) {
        for (const DType dtype : floating_dtypes) {
            table.add(*op, values(dtype, {3, 4}), -1, SoftmaxOptions{}).within(4);
            table.add(*op, values(dtype, {3, 4}), 0, SoftmaxOptions{}).within(4);
        }
        table.add(*op, values({2, 3, 4}), 1, SoftmaxOptions{}).within(4);
        table.add(*op, values({2, 37}), 1, SoftmaxOptions{}).within(4);
        table.add(*op, values({2, 1}), 1, SoftmaxOptions{}).within(4);
        table.add(*op, values({}), 0, SoftmaxOptions{});
        table.add(*op, values({0, 3}), 1, SoftmaxOptions{});
        table.add(*op, values({3, 0}), 1, SoftmaxOptions{});
        table.add(*op, values(bfloat16, {3, 4}), 1, SoftmaxOptions{.dtype = float32}).within(4);
        table.add(*op, values(int64, {3, 4}), 1, SoftmaxOptions{.dtype = float32}).within(4);
        table.add(*op, big, 1, SoftmaxOptions{}).not_smooth();
        table.add(*op, edge_numbers(float32), 0, SoftmaxOptions{}).not_smooth();
        table.error<DTypeError>(*op, "int64[2]", values(int64, {2}), 0, SoftmaxOptions{});
        table.error<IndexError>(*op, "2", values({2, 3}), 2, SoftmaxOptions{});
    }
    for (const DType dtype : floating_dtypes)
        table.add(ops::logsumexp, values(dtype, {3, 4}), 1, LogsumexpOptions{}).within(4);
    table.add(ops::logsumexp, values({2, 3, 4}), Dims{0, -1}, LogsumexpOptions{.keepdim = true}).within(4);
    table.add(ops::logsumexp, values({2, 3}), Dims{0, 1}, LogsumexpOptions{}).within(4);
    table.add(ops::logsumexp, values({}), 0, LogsumexpOptions{}).within(4);
    table.add(ops::logsumexp, values({0, 3}), 1, LogsumexpOptions{});
    table.add(ops::logsumexp, values({3, 0}), 1, LogsumexpOptions{}).not_smooth();
    table.add(ops::logsumexp, big, 1, LogsumexpOptions{}).within(4).not_smooth();
    table.add(ops::logsumexp, numbers(float32, {2, 2}, {-inf, -inf, inf, 0}), 1, LogsumexpOptions{})
        .not_smooth();
    table.error<IndexError>(ops::logsumexp, "2", values({2, 3}), 2, LogsumexpOptions{});
    table.error<DTypeError>(ops::logsumexp, "int64[2]", values(int64, {2}), 0, LogsumexpOptions{});
}

void add_losses(SampleTable& table) {
    const Tensor target = numbers(int64, {3}, {1, 0, 3});
    const Tensor ignored = numbers(int64, {3}, {1, -100, 3});
    for (const auto* op : std::initializer_list<const Op<Tensor(Tensor, Tensor, NllLossOptions)>*>{
             &ops::nll_loss, &ops::cross_entropy}) {
        for (const Reduction reduction : reductions) {
            const NllLossOptions options{.reduction = reduction};
            for (const DType dtype : floating_dtypes)
                table.add(*op, values(dtype, {3, 4}), target, options).within(4);
            table.add(*op, values({3, 4}, 2), ignored, options).within(4);
            table.add(*op, values({2, 3, 2}), numbers(int64, {2, 2}, {0, 2, 1, 1}), options).within(4);
            table.add(*op, values({4}), numbers(int64, {}, {2}), options).within(4);
        }
        table.add(*op, values({3, 4}), numbers(int32, {3}, {1, 0, 3}), NllLossOptions{}).within(4);
        table.add(*op, values({3, 4}, 3), target, NllLossOptions{.ignore_index = 0}).within(4);
        table.add(*op, values({0, 4}), numbers(int64, {}), NllLossOptions{.reduction = Reduction::sum});
        table.add(*op, values({0, 4}), numbers(int64, {}), NllLossOptions{})
            .not_smooth("nothing over nothing");
        table.error<ShapeError>(*op, "float32[3, 4] and int64[2]", values({3, 4}), numbers(int64, {0, 1}),
                                NllLossOptions{});
        table.error<DTypeError>(*op, "float32[3]", values({3, 4}), values({3}), NllLossOptions{});
        table.error<DTypeError>(*op, "int64[3, 4]", values(int64, {3, 4}), target, NllLossOptions{});
        table.error<IndexError>(*op, "4", values({3, 4}), numbers(int64, {0, 4, 1}), NllLossOptions{});
    }
    for (const Reduction reduction : reductions) {
        const LossOptions options{.reduction = reduction};
        for (const DType dtype : floating_dtypes) {
            table.add(ops::mse_loss, values(dtype, {2, 3}), values(dtype, {2, 3}, 2), options).within(4);
        }
        table.add(ops::mse_loss, values({2, 3}), values({3}, 2), options).within(4);
        table.add(ops::mse_loss, values({}), values(Shape{}, 2), options).within(4);
    }
    table.add(ops::mse_loss, values({0, 2}), values({0, 2}), LossOptions{.reduction = Reduction::sum});
    table.add(ops::mse_loss, values(bfloat16, {3}), values(float32, {3}, 2), LossOptions{}).within(4);
    table.error<ShapeError>(ops::mse_loss, "[2, 3] and [4]", values({2, 3}), values({4}), LossOptions{});
    table.error<DTypeError>(ops::mse_loss, "int64[2]", values(int64, {2}), values(int64, {2}), LossOptions{});
}

void add_norms(SampleTable& table) {
    const auto layer = [&](DType dtype, const Shape& shape, const Shape& normalized, bool weight, bool bias) {
        LayerNormOptions options;
        if (weight) options.weight = values(dtype, normalized, 5);
        if (bias) options.bias = values(dtype, normalized, 7);
        table.add(ops::layer_norm, values(dtype, shape, 3), normalized, options).within(8);
    };
    const auto rms = [&](DType dtype, const Shape& shape, const Shape& normalized, bool weight) {
        RmsNormOptions options;
        if (weight) options.weight = values(dtype, normalized, 5);
        table.add(ops::rms_norm, values(dtype, shape, 3), normalized, options).within(8);
    };
    for (const DType dtype : floating_dtypes) {
        layer(dtype, {3, 4}, {4}, true, true);
        layer(dtype, {3, 4}, {4}, false, false);
        rms(dtype, {3, 4}, {4}, true);
        rms(dtype, {3, 4}, {4}, false);
    }
    layer(float32, {3, 4}, {4}, true, false);
    layer(float32, {3, 4}, {4}, false, true);
    layer(float32, {2, 3, 4}, {3, 4}, true, true);
    layer(float32, {5}, {5}, true, true);
    layer(float32, {0, 4}, {4}, true, true);
    layer(float32, {2, 37}, {37}, true, true);
    rms(float32, {2, 3, 4}, {3, 4}, true);
    rms(float32, {5}, {5}, true);
    rms(float32, {0, 4}, {4}, true);
    rms(float32, {2, 37}, {37}, true);
    table.add(ops::layer_norm, values({2, 3}), Shape{3}, LayerNormOptions{.eps = 0.5}).within(8);
    table.add(ops::layer_norm, numbers(float32, {2, 3}, {1, 1, 1, 2, 2, 2}), Shape{3}, LayerNormOptions{})
        .not_smooth("no variance");
    table.add(ops::rms_norm, values({2, 3}), Shape{3}, RmsNormOptions{.eps = 0.5}).within(8);
    table.error<ShapeError>(ops::layer_norm, "float32[2, 3]", values({2, 3}), Shape{2}, LayerNormOptions{});
    table.error<ShapeError>(ops::layer_norm, "[]", values({2, 3}), Shape{}, LayerNormOptions{});
    table.error<ShapeError>(ops::layer_norm, "float32[2]", values({2, 3}), Shape{3},
                            LayerNormOptions{.weight = values({2})});
    table.error<DTypeError>(ops::layer_norm, "int64[2, 3]", values(int64, {2, 3}), Shape{3},
                            LayerNormOptions{});
    table.error<ShapeError>(ops::rms_norm, "float32[2, 3]", values({2, 3}), Shape{2}, RmsNormOptions{});
    table.error<ShapeError>(ops::rms_norm, "float32[2]", values({2, 3}), Shape{3},
                            RmsNormOptions{.weight = values({2})});
    table.error<DTypeError>(ops::rms_norm, "int64[2, 3]", values(int64, {2, 3}), Shape{3}, RmsNormOptions{});
}

}  // namespace

void add_nn_samples(SampleTable& table) {
    add_softmaxes(table);
    add_losses(table);
    add_norms(table);
}

}  // namespace fulgurite::tests
