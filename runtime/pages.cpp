#include <fulgurite/runtime/pages.h>

#include <cstdint>

#include <sys/mman.h>

namespace fulgurite::pages {

namespace {

constexpr std::size_t small_page = 4096;

constexpr std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

}  // namespace

void* map(std::size_t bytes) noexcept {
    const std::size_t size = round_up(bytes, huge);
    void* const raw = mmap(nullptr, size + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) {
        return nullptr;
    }
    auto* const base = static_cast<std::byte*>(raw);
    const auto address = reinterpret_cast<std::uintptr_t>(raw);
    const std::size_t before = round_up(address, huge) - address;
    if (before > 0) {
        munmap(base, before);
    }
    if (before < huge) {
        munmap(base + before + size, huge - before);
    }
#if defined(MADV_HUGEPAGE)
    madvise(base + before, size, MADV_HUGEPAGE);
#endif
    return base + before;
}

void unmap(void* begin, std::size_t bytes) noexcept { munmap(begin, round_up(bytes, huge)); }

void* begin_of(void* inside) noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(inside) % huge;
    return static_cast<std::byte*>(inside) - offset;
}

void discard(void* begin, std::size_t bytes) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = round_up(address, small_page),
                         last = (address + bytes) / small_page * small_page;
    if (first < last) {
        madvise(static_cast<std::byte*>(begin) + (first - address), last - first, MADV_DONTNEED);
    }
}

}  // namespace fulgurite::pages
