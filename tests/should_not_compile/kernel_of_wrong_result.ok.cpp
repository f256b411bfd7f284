#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void offer(fg::OperatorExecutor& executor) {
    executor.register_kernel(fg::prims::exp, [](fg::Out<fg::Tensor>&, const fg::Operand&) {});
}
