#include <fulgurite/core/ops/promote.h>

#include <utility>

#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/meta_common.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite {

namespace {
/// The common shape and device of the operands that are not weak.
struct Place {
    Shape shape;
    Device device = cpu;
    const TensorSpec* decides = nullptr;  ///< whose device it is
};

bool may_move(const TensorSpec& spec) { return spec.rank() == 0 && spec.device == cpu; }

void add_to(Place& place, const char* op, const Operand& operand) {
    if (is_weak(operand)) return;
    const TensorSpec& spec = operand.tensor().spec();
    place.shape = broadcast_shapes(place.shape, spec.shape, op);
    if (may_move(spec)) return;
    if (place.decides && place.decides->device != spec.device) {
        fail<DeviceError>(op, "expected tensors on one device, got " + to_string(*place.decides) + " on " +
                                  to_string(place.decides->device) + " and " + to_string(spec) + " on " +
                                  to_string(spec.device));
    }
    place.decides = &spec;
    place.device = spec.device;
}

Operand placed(const Operand& operand, DType dtype, const Place& place) {
    if (is_weak(operand)) return operand;
    Tensor x = operand.tensor();
    if (x.device() != place.device) x = prims::device_put(x, place.device);
    return expanded(converted(x, dtype), place.shape);
}

DType common_dtype(const char* op, std::span<const Operand> operands, PromotionKind kind) {
    Promotion promotion;
    bool all_weak = true;
    Category weak = Category::boolean;
    for (const Operand& operand : operands) {
        const DType dtype = dtype_of_operand(operand);
        promotion.add(dtype, operand.is_tensor() ? operand.tensor().dim() : 0, is_weak(operand));
        all_weak = all_weak && is_weak(operand);
        weak = std::max(weak, category_of(dtype));
    }
    if (kind == PromotionKind::int_to_float && weak != Category::floating) weak = Category::floating;
    const DType dtype = all_weak ? detail::weak_dtype(weak) : promotion.result();
    if (dtype == bool_ && kind == PromotionKind::no_bool) {
        std::string text;
        for (const Operand& operand : operands)
            text += (text.empty() ? "" : " and ") + meta::describe(operand);
        fail<DTypeError>(op, "expected a numeric dtype, got " + text);
    }
    return kind == PromotionKind::int_to_float ? floating_dtype(dtype) : dtype;
}
}  // namespace

DType dtype_of_operand(const Operand& operand) {
    return operand.is_tensor() ? operand.tensor().dtype() : detail::weak_dtype(operand.number().category());
}

DType promote(const char* op, std::span<Operand> operands, PromotionKind kind, Operand* condition) {
    const DType dtype = common_dtype(op, operands, kind);
    Place place;
    for (const Operand& operand : operands) add_to(place, op, operand);
    if (condition) {
        add_to(place, op, *condition);
        *condition = placed(*condition, dtype_of_operand(*condition), place);
    }
    for (Operand& operand : operands) operand = placed(operand, dtype, place);
    return dtype;
}

Tensor converted(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : prims::convert(x, dtype); }

Tensor expanded(const Tensor& x, const Shape& shape) {
    return x.shape() == shape ? x : prims::expand(x, shape);
}

Tensor reshaped(const Tensor& x, const Shape& shape) {
    if (x.shape() == shape) return x;
    return prims::view(view_strides(x.spec(), shape) ? x : prims::clone(x), shape);
}

Tensor swapped(const Tensor& x, int i, int j) {
    if (i == j) return x;
    Dims dims;
    for (int k = 0; k < x.dim(); ++k) dims.push_back(k);
    std::swap(dims[i], dims[j]);
    return prims::permute(x, dims);
}

Tensor as_tensor(const Operand& operand) {
    if (operand.is_tensor()) return operand.tensor();
    return prims::full({}, operand, operand.number().dtype(), cpu);
}

}  // namespace fulgurite
