#pragma once

#include <fulgurite/core/tensor.h>

namespace fulgurite {

namespace detail {
/// Records that the program being traced is right only for the present values of its Scalars; throws
/// TraceError for a number that was computed within the trace (`known` is false).
void guard_scalars(bool known, SourceLocation where);
[[noreturn]] void throw_traced_bool(SourceLocation where);
/// The DType a run-time number of this category has as a weak value: bool_, int64, float64.
DType weak_dtype(Category category);
}  // namespace detail

template <Arithmetic T>
class Scalar {
public:
    Scalar(T value = T{}) : value_(value) {}
    /// For the tracing of a jitted function: the value it has now, and the traced value it stands for.
    Scalar(T value, Tensor traced) : value_(value), traced_(std::move(traced)) {}
    /// A 0-dim tensor as a number, as in `step = step + 1`: its element, or what is traced (which has no
    /// value()).
    Scalar(const Tensor& number) {
        if (number.is_concrete()) {
            value_ = number.item<T>();
        } else {
            traced_ = number;
            known_ = false;
        }
    }

    /// The number. While tracing this adds a guard: another value compiles another program.
    T value(std::source_location here = std::source_location::current()) const {
        if (traced_.defined()) detail::guard_scalars(known_, here);
        return value_;
    }
    bool is_traced() const { return traced_.defined(); }
    const Tensor& traced() const { return traced_; }
    /// The number without a guard, for those who know what they do (the runtime).
    T unguarded_value() const { return value_; }

    /// Throws TraceError while traced: a run-time number has no bool then.
    explicit operator bool() const {
        if (traced_.defined()) detail::throw_traced_bool(current_location());
        return value_ != T{};
    }

private:
    T value_{};
    bool known_ = true;
    Tensor traced_;
};

template <Arithmetic T>
Operand::Operand(const Scalar<T>& scalar) {
    if (scalar.is_traced())
        tensor_ = scalar.traced();
    else
        number_ = Number(scalar.unguarded_value());
}

}  // namespace fulgurite
