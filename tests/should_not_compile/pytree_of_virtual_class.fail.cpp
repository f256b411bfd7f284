// expect: not a pytree: a polymorphic class
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Layer {
    virtual ~Layer() = default;
    fg::Tensor weight;
};

fg::Tensor run(const Layer& layer) {
    return fg::jit([](const Layer& l) { return l.weight + 1; })(layer);
}
