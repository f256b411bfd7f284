#pragma once

#include <vector>

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// Whose storage each output is, in a form that does not depend on how values are numbered: the index of the
/// first output that shares it (its own index where it is that one), or -1 - k for the k-th of the inputs and
/// captures. `aliases` are as in Trace::output_aliases; empty: what the views in the trace say.
std::vector<std::int64_t> output_owners(const Trace& trace, const std::vector<std::int64_t>& aliases);

}  // namespace fulgurite
