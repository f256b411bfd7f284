// expect: not a pytree: .*C array
#include <array>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Params {
    fg::Tensor weights[2];
};

fg::Tensor run(const Params& params) {
    return fg::jit([](const Params& p) { return p.weights[0] + 1; })(params);
}
