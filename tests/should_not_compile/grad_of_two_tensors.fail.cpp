// expect: grad differentiates a function that returns one Tensor
#include <fulgurite/fulgurite.h>

#include <utility>

namespace fg = fulgurite;

void run(const fg::Tensor& x) {
    const auto f = [](fg::Tensor y) { return std::pair(fg::sum(y), y); };
    fg::grad(f)(x);
}
