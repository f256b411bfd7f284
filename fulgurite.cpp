// The composition root: the only place that knows which executors there are and what core's interfaces stand
// for.

#include <fulgurite/core/allocator.h>
#include <fulgurite/core/evaluator.h>
#include <fulgurite/core/executor.h>
#include <fulgurite/executors/reference/reference.h>
#include <fulgurite/runtime/eager.h>
#include <fulgurite/runtime/host_allocator.h>

namespace fulgurite {

// The registry calls it once, at its own first use.
void ensure_builtin_executors() { add_always_executor(register_executor(make_reference_executor())); }

Evaluator& evaluator() {
    static auto* const instance = new EagerEvaluator;
    return *instance;
}

Allocator& allocator(Device device) {
    if (device.type == DeviceType::cpu) return host_allocator();
    fail<DeviceError>("allocator", "expected a device of this machine, got " + to_string(device) +
                                       ": this build has no CUDA runtime");
}

}  // namespace fulgurite
