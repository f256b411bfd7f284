#include <string>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void offer(fg::OperatorExecutor& executor) {
    executor.register_implementation(
        fg::ops::exp, {
                          .checker = [](const fg::Operand&) { return fg::refuse("no"); },
                          .execution_transform = [](const fg::Operand& x) { return x.tensor(); },
                      });
}
