// expect: not a pytree: a pointer or C array
#include <fulgurite/fulgurite.h>

#include <optional>

namespace fg = fulgurite;

struct Params {
    fg::Tensor weight;
    fg::Tensor* bias;
};

fg::Tensor run(const Params& params) {
    return fg::jit([](const Params& p) { return p.weight + 1; })(params);
}
