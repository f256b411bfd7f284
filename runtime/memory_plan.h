#pragma once

#include <cstdint>
#include <vector>

namespace fulgurite {

/// A block of the arena that is alive from one step to another, both included.
struct Interval {
    std::int64_t bytes;
    std::int32_t first;
    std::int32_t last;
    std::int64_t offset = 0;  ///< where pack() puts it
};

/// Gives each interval an offset, aligned to 64, such that no two that are alive together overlap; returns
/// the bytes of the whole. Largest first, each at the lowest free place (greedy by size: Pisarchyk and Lee,
/// 2020).
std::int64_t pack(std::vector<Interval>& intervals);

}  // namespace fulgurite
