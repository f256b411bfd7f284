// expect: could not convert|cannot convert|no match
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

fg::Tensor f() {
    return fg::jit([](fg::Tensor x) { return x + 1; })(3.0);
}
