#pragma once

#include <cstddef>

/// Whole pages from the system.
namespace fulgurite::pages {

inline constexpr std::size_t huge = std::size_t{2} << 20;

/// At least `bytes` of zeroed memory that begins at a multiple of 2 MiB and asks for huge pages; null when
/// there is none.
void* map(std::size_t bytes) noexcept;

/// Gives back what map(bytes) gave.
void unmap(void* begin, std::size_t bytes) noexcept;

/// Where the mapping begins that `inside`, less than 2 MiB into it, points to.
void* begin_of(void* inside) noexcept;

/// Gives the whole small pages within [begin, begin + bytes) back; they read as zero when they are next used.
void discard(void* begin, std::size_t bytes) noexcept;

}  // namespace fulgurite::pages
