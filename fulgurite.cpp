// The composition root: the only place that knows which executors there are and what core's interfaces stand for.

#include <fulgurite/core/allocator.h>
#include <fulgurite/core/evaluator.h>
#include <fulgurite/core/executor.h>
#include <fulgurite/executors/reference/reference.h>
#include <fulgurite/runtime/eager.h>
#include <fulgurite/runtime/host_allocator.h>

namespace fulgurite {

void ensure_builtin_executors() {
    static const bool done = [] {
        const ExecutorPtr reference = register_executor(make_reference_executor());
        add_always_executor(reference);
        return true;
    }();
    static_cast<void>(done);
}

Evaluator& evaluator() {
    ensure_builtin_executors();
    static auto* const instance = new EagerEvaluator;
    return *instance;
}

Allocator& allocator(Device device) {
    if (device.type == DeviceType::cpu) return host_allocator();
    fail<DeviceError>("allocator", "expected a device of this machine, got " + to_string(device) +
                                       ": this build has no CUDA runtime");
}

}  // namespace fulgurite
