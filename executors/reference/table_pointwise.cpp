#include <algorithm>

#include <fulgurite/core/ops/prims.h>
#include <fulgurite/executors/reference/pointwise.h>
#include <fulgurite/executors/reference/table.h>

namespace fulgurite::reference {

namespace {

/// What the operands are computed in: the dtype of the tensors among them, or that of the highest number.
DType common_dtype(const Operand& a, const Operand& b) {
    if (!is_weak(a)) return a.tensor().dtype();
    if (!is_weak(b)) return b.tensor().dtype();
    return fulgurite::detail::weak_dtype(
        std::max(category_of(dtype_of_operand(a)), category_of(dtype_of_operand(b))));
}

template <UnaryOp op>
void run_unary(Out<Tensor>& out, const Operand& x) {
    // A weak integer is a float to a function of floats.
    const DType dtype = is_floating_point(out->dtype()) ? out->dtype() : dtype_of_operand(x);
    unary(op, view_of(*out), Input(x, dtype));
}

template <BinaryOp op>
void run_binary(Out<Tensor>& out, const Operand& a, const Operand& b) {
    // A number is not rounded to a low precision first, unless it is compared.
    const DType dtype = out->dtype() == bool_ ? common_dtype(a, b) : compute_dtype(common_dtype(a, b));
    binary(op, view_of(*out), Input(a, dtype), Input(b, dtype));
}

void run_where(Out<Tensor>& out, const Tensor& condition, const Operand& a, const Operand& b) {
    where(view_of(*out), view_of(condition), Input(a, out->dtype()), Input(b, out->dtype()));
}

void run_convert(Out<Tensor>& out, const Tensor& x, const DType&) { convert(view_of(*out), view_of(x)); }

template <UnaryOp op>
void add(OperatorExecutor& executor, const Op<Tensor(Operand)>& prim) {
    executor.register_kernel(prim, &run_unary<op>, runs_on_cpu);
}

template <BinaryOp op>
void add(OperatorExecutor& executor, const Op<Tensor(Operand, Operand)>& prim) {
    executor.register_kernel(prim, &run_binary<op>, runs_on_cpu);
}

void add_unary(OperatorExecutor& executor) {
    add<UnaryOp::neg>(executor, prims::neg);
    add<UnaryOp::abs>(executor, prims::abs);
    add<UnaryOp::sign>(executor, prims::sign);
    add<UnaryOp::floor>(executor, prims::floor);
    add<UnaryOp::ceil>(executor, prims::ceil);
    add<UnaryOp::trunc>(executor, prims::trunc);
    add<UnaryOp::round>(executor, prims::round);
    add<UnaryOp::exp>(executor, prims::exp);
    add<UnaryOp::expm1>(executor, prims::expm1);
    add<UnaryOp::log>(executor, prims::log);
    add<UnaryOp::log1p>(executor, prims::log1p);
    add<UnaryOp::sin>(executor, prims::sin);
    add<UnaryOp::cos>(executor, prims::cos);
    add<UnaryOp::tan>(executor, prims::tan);
    add<UnaryOp::tanh>(executor, prims::tanh);
    add<UnaryOp::sqrt>(executor, prims::sqrt);
    add<UnaryOp::rsqrt>(executor, prims::rsqrt);
    add<UnaryOp::reciprocal>(executor, prims::reciprocal);
    add<UnaryOp::erf>(executor, prims::erf);
    add<UnaryOp::logical_not>(executor, prims::logical_not);
    add<UnaryOp::bitwise_not>(executor, prims::bitwise_not);
    add<UnaryOp::isnan>(executor, prims::isnan);
    add<UnaryOp::isfinite>(executor, prims::isfinite);
}

void add_binary(OperatorExecutor& executor) {
    add<BinaryOp::add>(executor, prims::add);
    add<BinaryOp::sub>(executor, prims::sub);
    add<BinaryOp::mul>(executor, prims::mul);
    add<BinaryOp::div>(executor, prims::div);
    add<BinaryOp::pow>(executor, prims::pow);
    add<BinaryOp::maximum>(executor, prims::maximum);
    add<BinaryOp::minimum>(executor, prims::minimum);
    add<BinaryOp::remainder>(executor, prims::remainder);
    add<BinaryOp::fmod>(executor, prims::fmod);
    add<BinaryOp::eq>(executor, prims::eq);
    add<BinaryOp::ne>(executor, prims::ne);
    add<BinaryOp::lt>(executor, prims::lt);
    add<BinaryOp::le>(executor, prims::le);
    add<BinaryOp::gt>(executor, prims::gt);
    add<BinaryOp::ge>(executor, prims::ge);
    add<BinaryOp::logical_and>(executor, prims::logical_and);
    add<BinaryOp::logical_or>(executor, prims::logical_or);
    add<BinaryOp::logical_xor>(executor, prims::logical_xor);
    add<BinaryOp::bitwise_and>(executor, prims::bitwise_and);
    add<BinaryOp::bitwise_or>(executor, prims::bitwise_or);
    add<BinaryOp::bitwise_xor>(executor, prims::bitwise_xor);
}

}  // namespace

void add_pointwise(OperatorExecutor& executor) {
    add_unary(executor);
    add_binary(executor);
    executor.register_kernel(prims::where, &run_where, runs_on_cpu);
    executor.register_kernel(prims::convert, &run_convert, runs_on_cpu);
}

}  // namespace fulgurite::reference
