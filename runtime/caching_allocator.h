#pragma once

#include <cstddef>
#include <cstdint>

/// Memory for tensors on the host, and for small nodes by a class's own operator new. What is freed is kept
/// for the next allocation of its size class: a steady program never asks the system, whose fresh pages cost
/// more than the kernels.
namespace fulgurite::host_memory {

/// At least `bytes` bytes aligned to 64, uninitialised; `bytes` may be 0. Throws std::bad_alloc.
void* allocate(std::size_t bytes);

/// Takes back what allocate(bytes) gave, on any thread. Null is ignored.
void deallocate(void* data, std::size_t bytes) noexcept;

/// Gives cached blocks back to the system as far as possible: the large ones, and the pages inside of
/// middling ones.
void trim() noexcept;

/// Bytes in blocks, rounded up to their size classes.
struct Stats {
    std::int64_t live = 0;    ///< allocated and not yet deallocated
    std::int64_t cached = 0;  ///< kept for the next allocation
    std::int64_t peak =
        0;  ///< the most that was live at once; small blocks count by the batch a thread takes
};
Stats stats() noexcept;

}  // namespace fulgurite::host_memory
