#pragma once

#include <fulgurite/core/executor.h>
#include <fulgurite/core/ops/promote.h>
#include <fulgurite/executors/reference/view.h>

/// The rows of the reference executor, a file a family, and what they share.
namespace fulgurite::reference {

void add_pointwise(OperatorExecutor& executor);
void add_reductions(OperatorExecutor& executor);
void add_copies(OperatorExecutor& executor);
void add_indexing(OperatorExecutor& executor);
void add_matmul(OperatorExecutor& executor);

namespace detail {
/// Finds an argument that is not on the CPU.
struct OtherDevice : PyTreeVisitor {
    Device device = cpu;
    bool found = false;
    void see(Device other) {
        if (other == cpu) return;
        device = other;
        found = true;
    }
    void tensor(const Tensor& value) {
        if (value.defined()) see(value.device());
    }
    void operand(const Operand& value) {
        if (value.is_tensor()) tensor(value.tensor());
    }
    void atom(Atom value) {
        if (value.kind == Atom::Kind::device) see(value.as_device());
    }
};
}  // namespace detail

/// The checker of every row: the CPU only.
inline constexpr auto runs_on_cpu = [](const auto&... arguments) -> Claim<> {
    detail::OtherDevice other;
    (walk(arguments, other), ...);
    if (!other.found) return true;
    return refuse("reference runs on the CPU; an argument is on " + to_string(other.device));
};

inline View view_of(const Tensor& tensor) {
    return {tensor.data(), tensor.dtype(), &tensor.spec().shape, &tensor.spec().strides};
}

/// The C++ number that a number or a weak 0-dim tensor stands for.
Number number_of(const Operand& operand);

/// An operand as a kernel reads it: a tensor as it is, a number as a 0-dim view of one element of `dtype`.
class Input {
public:
    Input(const Operand& operand, DType dtype);
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    operator const View&() const { return view_; }

private:
    View view_;
    alignas(8) std::uint64_t cell_ = 0;
};

}  // namespace fulgurite::reference
