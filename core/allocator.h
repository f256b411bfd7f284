#pragma once

#include <cstddef>

#include <fulgurite/core/device.h>

namespace fulgurite {

/// Where the bytes of tensors on one kind of device come from. Core only asks; the runtime provides.
class Allocator {
public:
    virtual ~Allocator() = default;
    /// At least `bytes` bytes, aligned to 64. Throws std::bad_alloc.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void deallocate(void* data, std::size_t bytes) noexcept = 0;
};

/// The allocator of a device; throws DeviceError where this build or machine has no such device.
Allocator& allocator(Device device);

}  // namespace fulgurite
