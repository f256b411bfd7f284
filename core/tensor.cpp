#include <fulgurite/core/tensor.h>

#include <cstring>

namespace fulgurite {

namespace {
void make(TensorNode::Kind kind, const TensorSpec& spec, Counted<TensorNode>& slot) {
    auto* node = new TensorNode;
    node->kind = kind;
    node->spec = spec;
    slot = Counted<TensorNode>::adopt(node);
}

Number read_number(const void* data, DType dtype) {
    const auto as = [data]<class T>(T) {
        T value;
        std::memcpy(&value, data, sizeof value);
        return value;
    };
    switch (dtype) {
        case DType::bool_:
            return Number(as(std::uint8_t{}) != 0);
        case DType::uint8:
            return Number(as(std::uint8_t{}));
        case DType::int8:
            return Number(as(std::int8_t{}));
        case DType::int16:
            return Number(as(std::int16_t{}));
        case DType::int32:
            return Number(as(std::int32_t{}));
        case DType::int64:
            return Number(as(std::int64_t{}));
        case DType::float16:
            return Number(static_cast<float>(as(Half{})));
        case DType::bfloat16:
            return Number(static_cast<float>(as(BFloat16{})));
        case DType::float32:
            return Number(as(float{}));
        case DType::float64:
            return Number(as(double{}));
    }
    return {};
}

/// Throws unless the elements of `tensor` can be read here.
void require_elements(const Tensor& tensor, const char* op) {
    const TensorNode& node = tensor.node();
    if (node.kind == TensorNode::Kind::traced) {
        throw TraceError("[" + std::string(op) + "] " +
                         (node.where.known() ? to_string(node.where) + ": " : "") +
                         "expected a concrete tensor, got a traced " + to_string(node.spec) +
                         ": a traced value has no elements while its program is being recorded");
    }
    if (node.kind == TensorNode::Kind::abstract) {
        fail<TraceError>(op, "expected a concrete tensor, got an abstract " + to_string(node.spec));
    }
    if (node.spec.device != cpu) {
        fail<DeviceError>(op, "expected a tensor on the cpu, got " + to_string(node.spec) + ": use to(cpu)");
    }
}
}  // namespace

Tensor::Tensor(const TensorSpec& spec) { make(TensorNode::Kind::abstract, spec, node_); }

Tensor Tensor::concrete(const TensorSpec& spec, StoragePtr storage, std::int64_t offset) {
    Tensor tensor;
    make(TensorNode::Kind::concrete, spec, tensor.node_);
    tensor.node_->storage = std::move(storage);
    tensor.node_->offset = offset;
    return tensor;
}

Tensor Tensor::abstract_view(const TensorSpec& spec, std::int64_t offset) {
    Tensor tensor(spec);
    tensor.node_->offset = offset;
    return tensor;
}

Tensor Tensor::traced(const TensorSpec& spec, std::uint64_t scope, ValueId value, SourceLocation where) {
    Tensor tensor;
    make(TensorNode::Kind::traced, spec, tensor.node_);
    tensor.node_->scope = scope;
    tensor.node_->value = value;
    tensor.node_->where = where;
    return tensor;
}

std::int64_t Tensor::size(std::int64_t dim) const {
    const Shape& sizes = shape();
    if (sizes.empty()) fail<IndexError>("size", "expected a tensor with dimensions, got a 0-dim tensor");
    return sizes[wrap_dim(dim, sizes.size(), "size")];
}

Tensor::operator bool() const {
    if (is_traced()) detail::throw_traced_bool(node_->where);
    return item_number().as_bool();
}

Number Tensor::item_number() const {
    require_elements(*this, "item");
    if (numel() != 1) fail<ValueError>("item", "expected a tensor of one element, got " + to_string(spec()));
    return read_number(data(), dtype());
}

void* Tensor::checked_data(DType expected) const {
    require_elements(*this, "span");
    if (dtype() != expected) {
        fail<DTypeError>(
            "span", "expected elements of " + std::string(name_of(expected)) + ", got " + to_string(spec()));
    }
    if (!is_contiguous()) {
        fail<ShapeError>("span", "expected a contiguous tensor, got shape " + to_string(shape()) +
                                     " with strides " + to_string(strides()) + ": use contiguous()");
    }
    return data();
}

void Tensor::throw_undefined() { fail<ValueError>("Tensor", "expected a tensor, got an undefined one"); }

namespace detail {
void throw_traced_bool(SourceLocation where) {
    throw TraceError(
        "[bool] " + (where.known() ? to_string(where) + ": " : std::string()) +
        "a traced value has no bool: use where(cond, a, b) for a choice that depends on elements, "
        "or a plain C++ value (part of the signature) for one that does not");
}

DType weak_dtype(Category category) {
    if (category == Category::boolean) return DType::bool_;
    return category == Category::integer ? DType::int64 : DType::float64;
}
}  // namespace detail

DType Number::dtype() const {
    return category_ == Category::floating ? default_dtype() : detail::weak_dtype(category_);
}

}  // namespace fulgurite
