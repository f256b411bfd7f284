#include <fulgurite/tests/samples/sample.h>

namespace fulgurite::tests {

void add_index_samples(SampleTable&) {}

}  // namespace fulgurite::tests
