// expect: accept by returning one
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

struct Plan {
    int tile;
};

void offer(fg::OperatorExecutor& executor) {
    executor.register_implementation<Plan>(
        fg::ops::exp, {
                          .checker = [](const fg::Operand&) -> fg::Claim<Plan> { return true; },
                          .execution_transform = [](const Plan&, const fg::Operand& x) { return x.tensor(); },
                      });
}
