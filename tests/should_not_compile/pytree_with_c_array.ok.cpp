#include <array>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Params {
    std::array<fg::Tensor, 2> weights;
};

fg::Tensor run(const Params& params) {
    return fg::jit([](const Params& p) { return p.weights[0] + 1; })(params);
}
