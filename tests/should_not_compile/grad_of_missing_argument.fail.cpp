// expect: argnums names an argument that the function does not have
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void run(const fg::Tensor& x) {
    const auto f = [](fg::Tensor y, fg::Tensor z) { return fg::sum(y * z); };
    fg::grad<2>(f)(x, x);
}
