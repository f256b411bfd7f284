#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

void add_nn_samples(SampleTable&) {}

}  // namespace fulgurite::tests
