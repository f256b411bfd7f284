// expect: an implementation takes the op's arguments and returns its results
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void offer(fg::OperatorExecutor& executor) {
    executor.register_kernel(fg::prims::exp, [](const fg::Operand&) { return 1; });
}
