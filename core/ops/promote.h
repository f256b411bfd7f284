#pragma once

#include <array>
#include <span>

#include <fulgurite/core/tensor.h>

/// What decompositions share: PyTorch's promotion and broadcasting, in terms of prims.
namespace fulgurite {

/// How the common dtype of the operands becomes the one that is computed in.
enum class PromotionKind {
    keep,          ///< torch.result_type
    int_to_float,  ///< integers and bool become the default dtype
    no_bool,       ///< DTypeError for bool
};

/// Makes operands ready for a pointwise prim: tensors get one dtype, one shape and one device (a 0-dim CPU
/// tensor goes where the others are); numbers and weak values stay as they are. Returns the common dtype. A
/// condition takes part in the shape and device only. Throws ShapeError, DTypeError or DeviceError naming the
/// op.
DType promote(const char* op, std::span<Operand> operands, PromotionKind kind = PromotionKind::keep,
              Operand* condition = nullptr);

/// promote, for a fixed number of operands.
template <class... A>
std::array<Operand, sizeof...(A)> promoted(const char* op, PromotionKind kind, const A&... operands) {
    std::array<Operand, sizeof...(A)> out{Operand(operands)...};
    promote(op, out, kind);
    return out;
}

/// Whether it is a C++ number or stands for one.
inline bool is_weak(const Operand& operand) { return !operand.is_tensor() || operand.tensor().spec().weak; }

/// The dtype an operand has on its own.
DType dtype_of_operand(const Operand& operand);

/// x in another dtype; x itself where it has it.
Tensor converted(const Tensor& x, DType dtype);
/// x expanded; x itself where it has the shape.
Tensor expanded(const Tensor& x, const Shape& shape);
/// x in another shape of as many elements: a view where strides allow it, else of a copy; x itself where it
/// has it.
Tensor reshaped(const Tensor& x, const Shape& shape);
/// x with two dimensions, 0 <= i, j < rank, swapped.
Tensor swapped(const Tensor& x, int i, int j);

/// The operand as a tensor: a number becomes a 0-dim one of the dtype it has where no tensor decides.
Tensor as_tensor(const Operand& operand);

/// What low-precision values are computed in: float32 for float16 and bfloat16, the dtype itself for all
/// others.
constexpr DType compute_dtype(DType dtype) { return dtype == float16 || dtype == bfloat16 ? float32 : dtype; }
/// What transcendental functions compute in and return: the default dtype for integers and bool.
inline DType floating_dtype(DType dtype) { return is_floating_point(dtype) ? dtype : default_dtype(); }

/// f(x) with x converted to what its dtype is computed in (integers: the default dtype), and the result back.
template <class F>
Tensor computed(const char* op, const Operand& x, const F& f) {
    const Operand y = promoted(op, PromotionKind::int_to_float, x)[0];
    if (is_weak(y)) return f(y);
    const DType dtype = y.tensor().dtype();
    return converted(f(Operand(converted(y.tensor(), compute_dtype(dtype)))), dtype);
}

}  // namespace fulgurite
