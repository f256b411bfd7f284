#pragma once

#include <memory>

#include <fulgurite/core/executor.h>

namespace fulgurite {

/// The executor "reference": every prim with plain loops on the CPU, in any dtype and layout. The last in
/// every list, and what the others are compared with.
std::shared_ptr<OperatorExecutor> make_reference_executor();

}  // namespace fulgurite
