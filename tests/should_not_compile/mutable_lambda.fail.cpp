// expect: jit, grad and the like take a function that can be called when it is const
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

fg::Tensor run(const fg::Tensor& x) {
    int calls = 0;
    return fg::jit([calls](fg::Tensor y) mutable { return y * ++calls; })(x);
}
