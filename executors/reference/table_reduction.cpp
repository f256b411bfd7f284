#include <fulgurite/core/ops/prims.h>
#include <fulgurite/executors/reference/data.h>
#include <fulgurite/executors/reference/reduce.h>
#include <fulgurite/executors/reference/table.h>

namespace fulgurite::reference {

namespace {

template <auto kernel>
void run_over_dims(Out<Tensor>& out, const Tensor& x, const Dims& dims) {
    kernel(view_of(*out), view_of(x), dims);
}

template <auto kernel>
void run_along(Out<Tensor>& out, const Tensor& x, const std::int64_t& dim) {
    kernel(view_of(*out), view_of(x), static_cast<int>(dim));
}

}  // namespace

void add_reductions(OperatorExecutor& executor) {
    executor.register_kernel(prims::sum, &run_over_dims<&sum>, runs_on_cpu);
    executor.register_kernel(prims::prod, &run_over_dims<&prod>, runs_on_cpu);
    executor.register_kernel(prims::amax, &run_over_dims<&amax>, runs_on_cpu);
    executor.register_kernel(prims::amin, &run_over_dims<&amin>, runs_on_cpu);
    executor.register_kernel(prims::argmax, &run_along<&argmax>, runs_on_cpu);
    executor.register_kernel(prims::argmin, &run_along<&argmin>, runs_on_cpu);
    executor.register_kernel(prims::cumsum, &run_along<&cumsum>, runs_on_cpu);
}

}  // namespace fulgurite::reference
