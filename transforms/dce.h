#pragma once

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// Removes what no output needs, in one sweep from the end. Symbols with the `effect` tag stay. A composite
/// stays or goes whole.
Trace dce(const Trace& trace);

}  // namespace fulgurite
