// expect: grad differentiates a function that returns one Tensor
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void run(const fg::Tensor& x) {
    const auto f = [](fg::Tensor y) { return fg::sum(y); };
    fg::value_and_grad(f, fg::has_aux)(x);
}
