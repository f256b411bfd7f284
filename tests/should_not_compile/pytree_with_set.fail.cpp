// expect: not a pytree: make it an aggregate
#include <set>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Config {
    fg::Tensor weight;
    std::set<int> sizes;
};

fg::Tensor run(const Config& config) {
    return fg::jit([](const Config& c) { return c.weight + 1; })(config);
}
