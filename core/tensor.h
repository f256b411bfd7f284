#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <fulgurite/core/errors.h>
#include <fulgurite/core/number.h>
#include <fulgurite/core/storage.h>
#include <fulgurite/core/tensor_spec.h>

namespace fulgurite {

/// The number of a value within its trace's table.
using ValueId = std::int32_t;
inline constexpr ValueId no_value = -1;

/// What a Tensor points at. Users never see it; passes and the runtime do.
struct TensorNode {
    enum class Kind : std::uint8_t { concrete, traced, abstract };

    std::atomic<std::int32_t> owners{1};
    Kind kind = Kind::abstract;
    TensorSpec spec;
    std::int64_t offset = 0;   ///< elements: into the storage; for an abstract view, into its operand
    StoragePtr storage;        ///< concrete only
    std::uint64_t scope = 0;   ///< traced only: the serial number of the scope that made the handle
    ValueId value = no_value;  ///< traced only
    SourceLocation where;      ///< traced only: the line that made the value

    void retain() noexcept { owners.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept {
        if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }
    static void* operator new(std::size_t bytes);
    static void operator delete(void* node, std::size_t bytes) noexcept;
};

/// A handle to a tensor: one counted pointer, cheap to copy; copies are the same tensor.
/// Concrete (has elements), traced (a value of a trace being recorded) or abstract (a TensorSpec only).
class Tensor {
public:
    Tensor() = default;
    /// Abstract: shape, dtype, device and strides, no elements.
    Tensor(const TensorSpec& spec);
    static Tensor concrete(const TensorSpec& spec, StoragePtr storage, std::int64_t offset = 0);
    /// An abstract view of an operand that starts `offset` elements after it (for the metas of view prims).
    static Tensor abstract_view(const TensorSpec& spec, std::int64_t offset);
    static Tensor traced(const TensorSpec& spec, std::uint64_t scope, ValueId value, SourceLocation where);

    bool defined() const { return static_cast<bool>(node_); }
    bool is_concrete() const { return defined() && node_->kind == TensorNode::Kind::concrete; }
    bool is_traced() const { return defined() && node_->kind == TensorNode::Kind::traced; }
    bool is_abstract() const { return defined() && node_->kind == TensorNode::Kind::abstract; }

    /// All throw ValueError on an undefined tensor.
    const TensorSpec& spec() const { return node().spec; }
    const Shape& shape() const { return node().spec.shape; }
    const Strides& strides() const { return node().spec.strides; }
    DType dtype() const { return node().spec.dtype; }
    Device device() const { return node().spec.device; }
    int dim() const { return node().spec.rank(); }
    std::int64_t numel() const { return node().spec.numel(); }
    /// The size of one dimension; negative counts from the end; throws IndexError.
    std::int64_t size(std::int64_t dim) const;
    bool is_contiguous() const { return node().spec.is_contiguous(); }

    /// The one element of a tensor of one element, converted. Throws ValueError for more than one, TraceError
    /// while traced or abstract.
    template <Arithmetic T>
    T item() const {
        const Number value = item_number();
        if constexpr (std::is_same_v<T, bool>)
            return value.as_bool();
        else if constexpr (std::is_integral_v<T>)
            return static_cast<T>(value.as_int());
        else
            return static_cast<T>(value.as_double());
    }

    /// The elements of a contiguous CPU tensor. Throws DTypeError for another T, ShapeError (with the
    /// strides) when not contiguous, DeviceError off the CPU, TraceError while traced or abstract.
    template <class T>
    std::span<const T> span() const {
        return {static_cast<const T*>(checked_data(dtype_of<T>())), static_cast<std::size_t>(numel())};
    }
    template <class T>
    std::span<T> mutable_span() {
        return {static_cast<T*>(checked_data(dtype_of<T>())), static_cast<std::size_t>(numel())};
    }

    /// The address of the first element; concrete only.
    void* data() const {
        return static_cast<char*>(node_->storage->data()) + node_->offset * size_of(node_->spec.dtype);
    }
    TensorNode& node() const {
        if (!node_) throw_undefined();
        return *node_;
    }
    /// True where both handles are the same tensor (identity, not equality of elements).
    bool is_same(const Tensor& other) const { return node_.get() == other.node_.get(); }

    /// A 0- or 1-element tensor as a condition. Throws TraceError while traced: a traced value has no bool.
    explicit operator bool() const;

    // Chaining; each is the free function of the same name (see core/ops).
    using Line = std::source_location;
    Tensor reshape(const Shape& shape, Line here = Line::current()) const;
    Tensor view(const Shape& shape, Line here = Line::current()) const;
    Tensor permute(const Dims& dims, Line here = Line::current()) const;
    Tensor transpose(std::int64_t dim0, std::int64_t dim1, Line here = Line::current()) const;
    Tensor t(Line here = Line::current()) const;
    Tensor contiguous(Line here = Line::current()) const;
    Tensor clone(Line here = Line::current()) const;
    Tensor to(DType dtype, Line here = Line::current()) const;
    Tensor to(Device device, Line here = Line::current()) const;
    Tensor sum(Line here = Line::current()) const;
    Tensor mean(Line here = Line::current()) const;
    /// Select along the first dimension: x[i].
    Tensor operator[](struct Subscript index) const;

private:
    [[noreturn]] static void throw_undefined();
    Number item_number() const;
    void* checked_data(DType expected) const;

    Counted<TensorNode> node_;
};

/// Prints elements as PyTorch does (summarised above 1000 elements); traced and abstract tensors print their
/// spec.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
std::string to_string(const Tensor& tensor);

/// A run-time number: implicit from T, part of no signature. While tracing it is a weak 0-dim host value.
template <Arithmetic T>
class Scalar;

/// An index with the user's line.
struct Subscript {
    std::int64_t index;
    SourceLocation where;
    template <std::integral T>
    Subscript(T value, std::source_location here = std::source_location::current())
        : index(static_cast<std::int64_t>(value)), where(here) {}
};

/// A tensor or a number, as elementwise ops take them.
class Operand {
public:
    Operand() = default;
    /// Throws ValueError for an undefined tensor.
    Operand(const Tensor& tensor) : tensor_(tensor) { tensor.node(); }
    Operand(Number number) : number_(number) {}
    template <Arithmetic T>
    Operand(T number) : number_(number) {}
    template <Arithmetic T>
    Operand(const Scalar<T>& scalar);

    bool is_tensor() const { return tensor_.defined(); }
    const Tensor& tensor() const { return tensor_; }
    const Number& number() const { return number_; }

private:
    Tensor tensor_;
    Number number_;
};

/// An Operand with the user's line. The functions users call take it, so that every op knows where it was
/// written.
struct Arg {
    Operand operand;
    SourceLocation where;
    template <class T>
        requires std::convertible_to<const T&, Operand>
    Arg(const T& value, std::source_location here = std::source_location::current())
        : operand(value), where(here) {}
};

/// A Tensor with the user's line.
struct TensorArg {
    Tensor tensor;
    SourceLocation where;
    TensorArg(const Tensor& value, std::source_location here = std::source_location::current())
        : tensor(value), where(here) {}
};

}  // namespace fulgurite

#include <fulgurite/core/scalar.h>
