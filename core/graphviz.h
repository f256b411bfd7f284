#pragma once

#include <string>

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// The trace's data flow as a Graphviz digraph: values of the outside as ellipses, calls as boxes with their
/// executor, results' dtypes and shapes on the edges. `dot -Tsvg` draws it.
std::string graphviz(const Trace& trace);

}  // namespace fulgurite
