#pragma once

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// Which storage each output shares in an eager run (Trace::output_aliases); taken right after tracing.
void note_output_aliases(Trace& trace);

/// Outputs alias each other and the inputs exactly as in an eager run: where passes merged two that were
/// apart, a clone parts them again.
Trace separate_outputs(const Trace& trace);

}  // namespace fulgurite
