// expect: a transform takes .* and returns what the op returns
#include <utility>

#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void offer(fg::OperatorExecutor& executor) {
    executor.register_implementation(
        fg::ops::exp,
        {
            .execution_transform = [](const fg::Operand& x) { return std::pair(x.tensor(), x.tensor()); },
        });
}
