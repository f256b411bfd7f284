#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void offer(fg::OperatorExecutor& executor, fg::Op<fg::Tensor(fg::Operand)> one,
           fg::Op<fg::Tensor(fg::Tensor, fg::Tensor)> two) {
    static_cast<void>(one);
    static_cast<void>(two);
    executor.register_implementation(fg::ops::exp, {.op = one});
}
