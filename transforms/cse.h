#pragma once

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// Merges equal calls: same symbol, statics and operands. Random symbols and those with effects or regions
/// are never merged, whatever executor they belong to, but their arguments are rewritten like everybody's
/// (subsymbols too). Two outputs that become one value stay two tensors: Trace::output_aliases says so, and
/// the plan clones.
Trace cse(const Trace& trace);

}  // namespace fulgurite
