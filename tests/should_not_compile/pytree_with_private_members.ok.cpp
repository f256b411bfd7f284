#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Layer {
    fg::Tensor weight;
    int calls = 0;
};

fg::Tensor run(const Layer& layer) {
    return fg::jit([](const Layer& l) { return l.weight + 1; })(layer);
}
