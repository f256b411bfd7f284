#include <fulgurite/core/ops/index.h>

#include <algorithm>

#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite {

namespace decompose {

namespace {
void require_some(const char* op, const std::vector<Tensor>& tensors) {
    if (tensors.empty()) fail<ValueError>(op, "expected at least one tensor, got none");
    for (const Tensor& tensor : tensors) meta::require_defined(op, tensor);
}

std::vector<Tensor> of_one_dtype(const std::vector<Tensor>& tensors) {
    Promotion promotion;
    for (const Tensor& tensor : tensors) promotion.add(tensor.spec());
    std::vector<Tensor> out;
    for (const Tensor& tensor : tensors) out.push_back(converted(tensor, promotion.result()));
    return out;
}

int dim_of(const char* op, const Tensor& x, std::int64_t dim) {
    if (x.dim() == 0) fail<ShapeError>(op, "expected tensors with dimensions, got " + to_string(x.spec()));
    return wrap_dim(dim, x.dim(), op);
}

void require_src(const char* op, const Tensor& x, const Tensor& index, const Tensor& src) {
    meta::require_index(op, index);
    meta::require_same_dtype(op, x, src);
}
}  // namespace

Tensor cat(const std::vector<Tensor>& tensors, const std::int64_t& dim) {
    require_some("cat", tensors);
    const int at = dim_of("cat", tensors[0], dim);
    for (const Tensor& tensor : tensors) {
        bool fits = tensor.dim() == tensors[0].dim();
        for (int i = 0; fits && i < tensor.dim(); ++i)
            fits = i == at || tensor.shape()[i] == tensors[0].shape()[i];
        if (fits) continue;
        fail<ShapeError>("cat", "expected equal sizes but along dimension " + std::to_string(dim) + ", got " +
                                    to_string(tensors[0].spec()) + " and " + to_string(tensor.spec()));
    }
    return prims::cat(of_one_dtype(tensors), at);
}

Tensor stack(const std::vector<Tensor>& tensors, const std::int64_t& dim) {
    require_some("stack", tensors);
    Shape shape = tensors[0].shape();
    const int at = wrap_dim(dim, shape.size() + 1, "stack");
    shape.insert(at, 1);
    std::vector<Tensor> rows;
    for (const Tensor& tensor : of_one_dtype(tensors)) {
        if (tensor.shape() != tensors[0].shape()) {
            fail<ShapeError>("stack", "expected tensors of one shape, got " + to_string(tensors[0].spec()) +
                                          " and " + to_string(tensor.spec()));
        }
        rows.push_back(reshaped(tensor, shape));
    }
    return prims::cat(rows, at);
}

Tensor pad(const Tensor& x, const std::vector<std::int64_t>& pad, const PadOptions& options) {
    const auto pairs = static_cast<int>(pad.size() / 2);
    if (pad.size() % 2 != 0 || pairs > x.dim()) {
        fail<ValueError>("pad", "expected a pair of counts for at most each dimension of " +
                                    to_string(x.spec()) + ", got " + std::to_string(pad.size()) + " counts");
    }
    Dims low = Dims::filled(x.dim(), 0);
    Dims high = low;
    for (int i = 0; i < pairs; ++i) {
        low[x.dim() - 1 - i] = pad[static_cast<std::size_t>(2 * i)];
        high[x.dim() - 1 - i] = pad[static_cast<std::size_t>(2 * i + 1)];
    }
    const Dims none = Dims::filled(x.dim(), 0);
    return low == none && high == none ? x : prims::pad(x, low, high, options.value);
}

Tensor flip(const Tensor& x, const Dims& dims) {
    Dims wrapped;
    for (const std::int64_t dim : dims) wrapped.push_back(wrap_dim(dim, x.dim(), "flip"));
    meta::require_dims("flip", x, wrapped);
    return prims::flip(x, wrapped);
}

Tensor take(const Tensor& x, const Tensor& index) {
    meta::require_index("take", index);
    return prims::take(reshaped(x, {x.numel()}), index, 0);
}

Tensor gather(const Tensor& x, const std::int64_t& dim, const Tensor& index) {
    meta::require_index("gather", index);
    return prims::gather(x, dim_of("gather", x, dim), index);
}

Tensor scatter_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src) {
    require_src("scatter_add", x, index, src);
    return prims::scatter_add(x, dim_of("scatter_add", x, dim), index, src);
}

Tensor index_add(const Tensor& x, const std::int64_t& dim, const Tensor& index, const Tensor& src) {
    require_src("index_add", x, index, src);
    return prims::index_add(x, dim_of("index_add", x, dim), index, src);
}

Tensor index_select(const Tensor& x, const std::int64_t& dim, const Tensor& index) {
    meta::require_index("index_select", index);
    if (index.dim() > 1)
        fail<ShapeError>("index_select", "expected a 1-dim index, got " + to_string(index.spec()));
    return prims::take(x, reshaped(index, {index.numel()}), dim_of("index_select", x, dim));
}

Tensor embedding(const Tensor& index, const Tensor& weight) {
    meta::require_index("embedding", index);
    if (weight.dim() != 2)
        fail<ShapeError>("embedding", "expected a weight[n, d], got " + to_string(weight.spec()));
    return prims::take(weight, index, 0);
}

Tensor one_hot(const Tensor& x, const std::int64_t& num_classes) {
    meta::require_index("one_hot", x);
    if (num_classes < 1) {
        fail<ValueError>("one_hot", "expected num_classes of at least 1, got " + std::to_string(num_classes));
    }
    Shape shape = x.shape();
    shape.push_back(1);
    const Tensor column = reshaped(x, shape);
    shape[x.dim()] = num_classes;
    const Tensor classes = prims::iota(num_classes, 0, 1, x.dtype(), x.device());
    return converted(prims::eq(expanded(column, shape), expanded(classes, shape)), int64);
}

}  // namespace decompose

namespace {
/// Applies indices one by one, from the first dimension on.
class Indexing {
public:
    Indexing(Tensor x, const std::vector<Index>& indices) : x_(std::move(x)) {
        for (const Index& index : indices) consumed_ += consumes(index) ? 1 : 0;
        if (consumed_ <= x_.dim()) return;
        fail<IndexError>("index", "expected at most " + std::to_string(x_.dim()) + " indices for " +
                                      to_string(x_.spec()) + ", got " + std::to_string(consumed_));
    }
    Tensor run(const std::vector<Index>& indices) {
        const int whole = x_.dim() - consumed_;
        for (const Index& index : indices) {
            if (std::holds_alternative<EllipsisIndex>(index))
                skip(whole);
            else
                std::visit([this](const auto& i) { apply(i); }, index);
        }
        return x_;
    }

private:
    static bool consumes(const Index& index) {
        return !std::holds_alternative<EllipsisIndex>(index) && !std::holds_alternative<NewAxisIndex>(index);
    }
    void skip(int whole) {
        if (seen_ellipsis_) fail<IndexError>("index", "expected one Ellipsis at most, got several");
        seen_ellipsis_ = true;
        dim_ += whole;
    }
    void apply(std::int64_t i) { x_ = select(x_, dim_, i); }
    void apply(const Slice& s) {
        x_ = slice(x_, dim_++, s.start.value_or(0), s.end.value_or(to_end), s.step);
    }
    void apply(NewAxisIndex) { x_ = unsqueeze(x_, dim_++); }
    void apply(EllipsisIndex) {}
    void apply(const Tensor& i) {
        if (seen_tensor_)
            fail<IndexError>("index", "expected one tensor among the indices at most, got several");
        seen_tensor_ = true;
        meta::require_index("index", i);
        x_ = prims::take(x_, i, dim_);
        dim_ += i.dim();
    }

    Tensor x_;
    int dim_ = 0;
    int consumed_ = 0;
    bool seen_ellipsis_ = false;
    bool seen_tensor_ = false;
};
}  // namespace

Tensor index(TensorArg x, const std::vector<Index>& indices) {
    const LocationScope location(x.where);
    return Indexing(x.tensor, indices).run(indices);
}

}  // namespace fulgurite
