#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void run(const fg::Tensor& x) {
    const auto f = [](fg::Tensor y, fg::Tensor z) { return fg::sum(y * z); };
    fg::grad<1>(f)(x, x);
}
