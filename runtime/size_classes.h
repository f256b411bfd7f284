#pragma once

#include <bit>
#include <cstddef>

/// The sizes that the caching allocator hands out: multiples of 64, four a doubling (64, 128, ... 512, 640,
/// 768, ...).
namespace fulgurite::host_memory::size_classes {

inline constexpr std::size_t unit = 64;

/// The class of the smallest size that holds `bytes`.
constexpr unsigned index_of(std::size_t bytes) {
    const std::size_t last = bytes == 0 ? 0 : (bytes - 1) / unit;
    const unsigned shift = last < 8 ? 0 : static_cast<unsigned>(std::bit_width(last)) - 3;
    return 4 * shift + static_cast<unsigned>(last >> shift);
}

constexpr std::size_t bytes_of(unsigned index) {
    if (index < 8) {
        return (index + 1) * unit;
    }
    const unsigned shift = index / 4 - 1;
    return (static_cast<std::size_t>(index - 4 * shift + 1) << shift) * unit;
}

}  // namespace fulgurite::host_memory::size_classes
