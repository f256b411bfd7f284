#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

fg::Tensor f() {
    return fg::jit([](fg::Tensor x) { return x + 1; })(fg::tensor(3.0));
}
