// Gives matrix products to any CBLAS (OpenBLAS, MKL, BLIS, Accelerate): an executor in about forty lines.

#include <iostream>

#include <cblas.h>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

namespace {

/// A matrix CBLAS can read where it lies: rows or columns adjacent.
bool is_blas_matrix(const fg::Tensor& a) {
    return a.dim() == 2 && (a.strides()[1] == 1 || a.strides()[0] == 1) && a.numel() > 0;
}

fg::Claim<> check(const fg::Tensor& a, const fg::Tensor& b) {
    if (a.device() != fg::cpu || a.dtype() != fg::float32) return fg::refuse("blas takes float32 on the cpu");
    if (!is_blas_matrix(a) || !is_blas_matrix(b))
        return fg::refuse("blas takes two matrices with adjacent rows or columns");
    return true;
}

void sgemm(fg::Out<fg::Tensor>& out, const fg::Tensor& a, const fg::Tensor& b) {
    const auto layout = [](const fg::Tensor& t) { return t.strides()[1] == 1 ? CblasNoTrans : CblasTrans; };
    const auto leading = [](const fg::Tensor& t) {
        return static_cast<blasint>(std::max<std::int64_t>({t.strides()[0], t.strides()[1], 1}));
    };
    const auto size = [](std::int64_t n) { return static_cast<blasint>(n); };
    cblas_sgemm(CblasRowMajor, layout(a), layout(b), size(a.size(0)), size(b.size(1)), size(a.size(1)), 1.0f,
                static_cast<const float*>(a.data()), leading(a), static_cast<const float*>(b.data()),
                leading(b), 0.0f, static_cast<float*>(out->data()), size(b.size(1)));
}

}  // namespace

int main() {
    fg::OperatorExecutor& blas = fg::register_executor("blas");
    blas.register_kernel(fg::prims::matmul, &sgemm, &check);

    auto product =
        fg::jit([](fg::Tensor a, fg::Tensor b) { return fg::matmul(a, b.t()); }, {.name = "product"});
    const fg::Tensor a = fg::tensor({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}});
    std::cout << product(a, a) << '\n' << fg::last_traces(product).back() << '\n' << fg::explain(product);
}
