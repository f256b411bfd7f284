#include <fulgurite/core/ops/prims.h>
#include <fulgurite/executors/reference/gemm.h>
#include <fulgurite/executors/reference/table.h>

namespace fulgurite::reference {

namespace {

/// The matrices of a tensor at `offset`, along its batch dimension `dim` (none: negative).
Matrices matrices_of(const Tensor& x, int dim, std::int64_t offset) {
    const Strides& strides = x.strides();
    char* const data = static_cast<char*>(x.data()) + offset * size_of(x.dtype());
    return {data, dim < 0 ? 0 : strides[dim], strides[x.dim() - 2], strides[x.dim() - 1]};
}

/// Whether two neighbouring dimensions are steps of one stride.
bool merges(const Tensor& x, int dim) {
    return x.strides()[dim] == x.strides()[dim + 1] * x.shape()[dim + 1];
}

/// Products over batch dimensions, of which the last ones that merge in all three go at once.
class Products {
public:
    Products(const Tensor& out, const Tensor& a, const Tensor& b)
        : out_(out), a_(a), b_(b), batch_(out.dim() - 2) {
        sizes_ = {1, out.shape()[batch_], out.shape()[batch_ + 1], a.shape().back()};
        if (batch_ == 0) return;
        sizes_.batch = out.shape()[batch_ - 1];
        outer_ = batch_ - 1;
        while (outer_ > 0 && merges(out, outer_ - 1) && merges(a, outer_ - 1) && merges(b, outer_ - 1)) {
            sizes_.batch *= out.shape()[--outer_];
        }
    }

    void run(int dim = 0, std::int64_t out = 0, std::int64_t a = 0, std::int64_t b = 0) const {
        if (dim == outer_) {
            gemm(out_.dtype(), sizes_, matrices_of(out_, batch_ - 1, out), matrices_of(a_, batch_ - 1, a),
                 matrices_of(b_, batch_ - 1, b));
            return;
        }
        for (std::int64_t i = 0; i < out_.shape()[dim]; ++i) {
            run(dim + 1, out + i * out_.strides()[dim], a + i * a_.strides()[dim], b + i * b_.strides()[dim]);
        }
    }

private:
    const Tensor& out_;
    const Tensor& a_;
    const Tensor& b_;
    int batch_;
    int outer_ = 0;
    GemmSizes sizes_;
};

void run_matmul(Out<Tensor>& out, const Tensor& a, const Tensor& b) { Products(*out, a, b).run(); }

}  // namespace

void add_matmul(OperatorExecutor& executor) {
    executor.register_kernel(prims::matmul, &run_matmul, runs_on_cpu);
}

}  // namespace fulgurite::reference
