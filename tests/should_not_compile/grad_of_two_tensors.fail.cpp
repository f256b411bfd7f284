// expect: grad differentiates a function that returns one Tensor
#include <utility>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void run(const fg::Tensor& x) {
    const auto f = [](fg::Tensor y) { return std::pair(fg::sum(y), y); };
    fg::grad(f)(x);
}
