// expect: not a pytree: make it an aggregate
#include <fulgurite/fulgurite.h>

#include <set>

namespace fg = fulgurite;

struct Config {
    fg::Tensor weight;
    std::set<int> sizes;
};

fg::Tensor run(const Config& config) {
    return fg::jit([](const Config& c) { return c.weight + 1; })(config);
}
