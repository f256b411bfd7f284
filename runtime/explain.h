#pragma once

#include <string>

#include <fulgurite/runtime/jit_cache.h>

namespace fulgurite {

/// One specialisation in words: its signature, why it was compiled, who runs what, and every refusal with its
/// reason.
std::string explain_entry(const JitEntry& entry);

}  // namespace fulgurite
