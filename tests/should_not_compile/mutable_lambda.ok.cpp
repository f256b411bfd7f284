#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

fg::Tensor run(const fg::Tensor& x) {
    int calls = 0;
    return fg::jit([calls](fg::Tensor y) { return y * calls; })(x);
}
