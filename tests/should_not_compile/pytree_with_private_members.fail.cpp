// expect: not a pytree: make it an aggregate
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

class Layer {
public:
    fg::Tensor weight;

private:
    int calls_ = 0;
};

fg::Tensor run(const Layer& layer) {
    return fg::jit([](const Layer& l) { return l.weight + 1; })(layer);
}
