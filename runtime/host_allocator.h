#pragma once

#include <fulgurite/core/allocator.h>

namespace fulgurite {

/// The caching allocator of host memory as core's Allocator; never destroyed.
Allocator& host_allocator();

}  // namespace fulgurite
