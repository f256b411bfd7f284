#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

void offer(fg::OperatorExecutor& executor) {
    const auto meta = [](const fg::Tensor& x, double) { return x.spec(); };
    executor.register_operator("scale", meta, [](const fg::Tensor& x, double by) { return x * by; });
}
