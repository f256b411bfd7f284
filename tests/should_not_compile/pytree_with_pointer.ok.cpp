#include <optional>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Params {
    fg::Tensor weight;
    std::optional<fg::Tensor> bias;
};

fg::Tensor run(const Params& params) {
    return fg::jit([](const Params& p) { return p.weight + 1; })(params);
}
