#include <vector>

#include <fulgurite/core/ops/prims.h>
#include <fulgurite/executors/reference/data.h>
#include <fulgurite/executors/reference/table.h>

namespace fulgurite::reference {

namespace {

void run_clone(Out<Tensor>& out, const Tensor& x) { copy(view_of(*out), view_of(x)); }

void run_device_put(Out<Tensor>& out, const Tensor& x, const Device&) { copy(view_of(*out), view_of(x)); }

void run_full(Out<Tensor>& out, const Shape&, const Operand& value, const DType&, const Device&) {
    full(view_of(*out), number_of(value));
}

void run_iota(Out<Tensor>& out, const std::int64_t&, const Operand& start, const Operand& step, const DType&,
              const Device&) {
    iota(view_of(*out), number_of(start), number_of(step));
}

void run_cat(Out<Tensor>& out, const std::vector<Tensor>& tensors, const std::int64_t& dim) {
    std::vector<View> views;
    for (const Tensor& tensor : tensors) views.push_back(view_of(tensor));
    cat(view_of(*out), views, static_cast<int>(dim));
}

void run_pad(Out<Tensor>& out, const Tensor& x, const Dims& low, const Dims& high, const Operand& value) {
    pad(view_of(*out), view_of(x), low, high, number_of(value));
}

void run_flip(Out<Tensor>& out, const Tensor& x, const Dims& dims) { flip(view_of(*out), view_of(x), dims); }

void run_take(Out<Tensor>& out, const Tensor& x, const Tensor& index, const std::int64_t& dim) {
    take(view_of(*out), view_of(x), view_of(index), static_cast<int>(dim));
}

void run_gather(Out<Tensor>& out, const Tensor& x, const std::int64_t& dim, const Tensor& index) {
    gather(view_of(*out), view_of(x), static_cast<int>(dim), view_of(index));
}

/// scatter_add and index_add.
template <auto kernel>
void run_adding(Out<Tensor>& out, const Tensor& x, const std::int64_t& dim, const Tensor& index,
                const Tensor& src) {
    kernel(view_of(*out), view_of(x), static_cast<int>(dim), view_of(index), view_of(src));
}

}  // namespace

void add_copies(OperatorExecutor& executor) {
    executor.register_kernel(prims::clone, &run_clone, runs_on_cpu);
    executor.register_kernel(prims::device_put, &run_device_put, runs_on_cpu);
    executor.register_kernel(prims::full, &run_full, runs_on_cpu);
    executor.register_kernel(prims::iota, &run_iota, runs_on_cpu);
    executor.register_kernel(prims::cat, &run_cat, runs_on_cpu);
    executor.register_kernel(prims::pad, &run_pad, runs_on_cpu);
    executor.register_kernel(prims::flip, &run_flip, runs_on_cpu);
}

void add_indexing(OperatorExecutor& executor) {
    executor.register_kernel(prims::take, &run_take, runs_on_cpu);
    executor.register_kernel(prims::gather, &run_gather, runs_on_cpu);
    executor.register_kernel(prims::scatter_add, &run_adding<&scatter_add>, runs_on_cpu);
    executor.register_kernel(prims::index_add, &run_adding<&index_add>, runs_on_cpu);
}

}  // namespace fulgurite::reference
