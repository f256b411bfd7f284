// expect: has more than 32 fields
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Sizes {
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1;
    int d2;
};

fg::Tensor run(const Sizes& sizes) {
    return fg::jit([](const Sizes& s) { return fg::ones({s.a0}); })(sizes);
}
