#pragma once

#include <string>
#include <vector>

#include <fulgurite/core/trace.h>

namespace fulgurite::tests {

struct NamedTrace {
    std::string name;  ///< also a C++ identifier
    Trace trace;
    bool keeps_calls = true;  ///< its text records the same calls again (a fusion's records what was fused)
    bool runs = true;         ///< somebody has kernels for all of it
};

/// Traces of every kind: one for each op that takes tensors or numbers alone, and larger ones.
std::vector<NamedTrace> text_traces();

}  // namespace fulgurite::tests
