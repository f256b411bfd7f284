#include <fulgurite/executors/reference/pointwise.h>

#include <cstddef>
#include <string>
#include <string_view>

#include <fulgurite/core/errors.h>
#include <fulgurite/executors/reference/data.h>
#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/nest.h>
#include <fulgurite/executors/reference/processor.h>
#include <fulgurite/executors/reference/row_math.h>

namespace fulgurite::reference {

namespace {

constexpr std::int64_t buffer_elements = 1024;
constexpr std::int64_t direct_elements = 8192;

/// How one operand's rows reach the kernel: in place, or by way of a buffer.
struct RowAccess {
    std::byte* data = nullptr;
    std::int64_t element = 0, stride = 0;
    bool direct = false;
    LoadRow load = nullptr;
    StoreRow store = nullptr;

    RowAccess() = default;
    RowAccess(const View& view, std::int64_t inner_stride, DType row)
        : data(view.as<std::byte>()),
          element(size_of(view.dtype)),
          stride(inner_stride),
          direct(view.dtype == row && inner_stride == 1) {}
    void* at(std::int64_t offset) const { return data + offset * element; }
};

void store_booleans(void* to, std::int64_t stride, const void* row, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        static_cast<bool*>(to)[i * stride] = static_cast<const bool*>(row)[i];
    }
}

bool same_and_contiguous(const View& view, const Shape& shape, DType dtype) {
    return view.dtype == dtype && *view.shape == shape && is_contiguous(shape, *view.strides);
}

template <int inputs>
using Operands = std::array<const View*, inputs + 1>;

/// Whole tensors that are one short row need none of the machinery.
template <int inputs>
bool run_directly(const RowKernel& kernel, DType row, DType result, const Operands<inputs>& operands) {
    const Shape& shape = *operands[0]->shape;
    std::int64_t n = 1;
    for (const std::int64_t size : shape) {
        n *= size;
    }
    if (n > direct_elements || !same_and_contiguous(*operands[0], shape, result)) {
        return false;
    }
    const void* in[inputs];
    for (std::size_t k = 0; k < inputs; ++k) {
        if (!same_and_contiguous(*operands[k + 1], shape, row)) {
            return false;
        }
        in[k] = operands[k + 1]->data;
    }
    kernel.run(operands[0]->data, in, n);
    return true;
}

template <int inputs>
void run_block(const RowKernel& kernel, const std::array<RowAccess, inputs + 1>& accesses,
               const std::array<std::int64_t, inputs + 1>& offsets, std::int64_t n) {
    alignas(64) std::byte buffers[inputs + 1][buffer_elements * sizeof(std::int64_t)];
    const void* in[inputs];
    for (std::size_t k = 1; k <= inputs; ++k) {
        const void* const from = accesses[k].at(offsets[k]);
        if (!accesses[k].direct) {
            accesses[k].load(buffers[k], from, accesses[k].stride, n);
        }
        in[k - 1] = accesses[k].direct ? from : buffers[k];
    }
    void* const to = accesses[0].at(offsets[0]);
    kernel.run(accesses[0].direct ? to : buffers[0], in, n);
    if (!accesses[0].direct) {
        accesses[0].store(to, accesses[0].stride, buffers[0], n);
    }
}

template <int inputs>
void run_rows(const RowKernel& kernel, Compute compute, const Operands<inputs>& operands) {
    const DType row = native_dtype(compute), result = kernel.boolean ? DType::bool_ : row;
    if (run_directly<inputs>(kernel, row, result, operands)) {
        return;
    }
    const auto nest = make_nest<inputs + 1>(operands);
    std::array<RowAccess, inputs + 1> accesses;
    bool all_direct = true;
    for (std::size_t k = 0; k <= inputs; ++k) {
        accesses[k] = RowAccess(*operands[k], nest.inner_stride(static_cast<int>(k)), k ? row : result);
        accesses[k].load = load_row(operands[k]->dtype, compute);
        accesses[k].store = kernel.boolean ? &store_booleans : store_row(compute, operands[k]->dtype);
        all_direct = all_direct && accesses[k].direct;
    }
    for_each_block(nest, all_direct ? direct_elements : buffer_elements,
                   [&](const std::array<std::int64_t, inputs + 1>& offsets, std::int64_t n) {
                       run_block<inputs>(kernel, accesses, offsets, n);
                   });
}

constexpr std::string_view unary_names[] = {
#define FULGURITE_NAME(name) #name,
    FULGURITE_UNARY_OPS(FULGURITE_NAME)};
constexpr std::string_view binary_names[] = {FULGURITE_BINARY_OPS(FULGURITE_NAME)};
#undef FULGURITE_NAME

void check_taken(std::string_view op, const RowKernel& kernel, const View& out, const View& x) {
    if (!kernel.run) {
        fail<DTypeError>(op, "does not take " + std::string(name_of(x.dtype)));
    }
    if (kernel.boolean && out.dtype != DType::bool_) {
        fail<DTypeError>(op, "gives bool_, not " + std::string(name_of(out.dtype)));
    }
}

const RowKernels& choose_row_kernels() {
#if defined(__x86_64__)
    if (have_avx512()) {
        return *row_kernels_avx512();
    }
    if (have_avx2()) {
        return *row_kernels_avx2();
    }
#endif
    return *row_kernels_portable(Compute::float32);
}

}  // namespace

void throw_division_by_zero(const char* op) { fail<ValueError>(op, "integer division by zero"); }

const RowKernels& row_kernels(Compute compute) {
    static const RowKernels& floats = choose_row_kernels();
    return compute == Compute::float32 ? floats : *row_kernels_portable(compute);
}

void unary(UnaryOp op, const View& out, const View& x) {
    if (op == UnaryOp::bitwise_not && x.dtype == DType::bool_) {
        op = UnaryOp::logical_not;
    }
    const Compute compute = compute_of(x.dtype);
    const RowKernel& kernel = row_kernels(compute).unary[static_cast<int>(op)];
    check_taken(unary_names[static_cast<int>(op)], kernel, out, x);
    run_rows<1>(kernel, compute, {&out, &x});
}

void binary(BinaryOp op, const View& out, const View& x, const View& y) {
    const Compute compute = compute_of(x.dtype);
    const RowKernel& kernel = row_kernels(compute).binary[static_cast<int>(op)];
    const std::string_view name = binary_names[static_cast<int>(op)];
    check_taken(name, kernel, out, x);
    if (compute != compute_of(y.dtype)) {
        fail<DTypeError>(name, "expected two operands that are computed in one type");
    }
    run_rows<2>(kernel, compute, {&out, &x, &y});
}

void convert(const View& out, const View& x) {
    if (out.dtype == x.dtype) {
        return copy(out, x);
    }
    const auto nest = make_nest<2>({&out, &x});
    const Compute compute = compute_of(x.dtype);
    const RowAccess to(out, nest.inner_stride(0), native_dtype(compute));
    const RowAccess from(x, nest.inner_stride(1), native_dtype(compute));
    const LoadRow load = load_row(x.dtype, compute);
    const StoreRow store = store_row(compute, out.dtype);
    for_each_block(nest, buffer_elements, [&](const std::array<std::int64_t, 2>& offsets, std::int64_t n) {
        alignas(64) std::byte buffer[buffer_elements * sizeof(std::int64_t)];
        const void* row = from.at(offsets[1]);
        if (to.direct) {
            return load(to.at(offsets[0]), row, from.stride, n);
        }
        if (!from.direct) {
            load(buffer, row, from.stride, n);
            row = buffer;
        }
        store(to.at(offsets[0]), to.stride, row, n);
    });
}

void where(const View& out, const View& condition, const View& x, const View& y) {
    const auto nest = make_nest<4>({&out, &condition, &x, &y});
    const std::int64_t step[] = {nest.inner_stride(0), nest.inner_stride(1), nest.inner_stride(2),
                                 nest.inner_stride(3)};
    dispatch_size(out.dtype, [&]<class T>(Type<T>) {
        for_each_block(
            nest, direct_elements, [&](const std::array<std::int64_t, 4>& offsets, std::int64_t n) {
                T* const to = out.as<T>() + offsets[0];
                const bool* const test = condition.as<bool>() + offsets[1];
                const T *const if_true = x.as<T>() + offsets[2], *const if_false = y.as<T>() + offsets[3];
                for (std::int64_t i = 0; i < n; ++i) {
                    to[i * step[0]] = test[i * step[1]] ? if_true[i * step[2]] : if_false[i * step[3]];
                }
            });
    });
}

}  // namespace fulgurite::reference
