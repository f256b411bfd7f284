#include <fulgurite/runtime/memory_plan.h>

#include <algorithm>
#include <numeric>

namespace fulgurite {

namespace {
constexpr std::int64_t alignment = 64;
std::int64_t rounded(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
bool overlap(const Interval& a, const Interval& b) { return a.first <= b.last && b.first <= a.last; }

/// The lowest offset where `interval` fits between the placed ones (sorted by offset) that live at the same
/// time.
std::int64_t lowest_fit(const Interval& interval, const std::vector<const Interval*>& placed) {
    std::int64_t offset = 0;
    for (const Interval* other : placed) {
        if (!overlap(interval, *other)) continue;
        if (offset + rounded(interval.bytes) <= other->offset) break;
        offset = std::max(offset, other->offset + rounded(other->bytes));
    }
    return offset;
}
}  // namespace

std::int64_t pack(std::vector<Interval>& intervals) {
    std::vector<std::size_t> order(intervals.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return intervals[a].bytes > intervals[b].bytes; });
    std::vector<const Interval*> placed;
    std::int64_t total = 0;
    for (const std::size_t i : order) {
        Interval& interval = intervals[i];
        interval.offset = lowest_fit(interval, placed);
        total = std::max(total, interval.offset + rounded(interval.bytes));
        const auto at =
            std::upper_bound(placed.begin(), placed.end(), interval.offset,
                             [](std::int64_t offset, const Interval* p) { return offset < p->offset; });
        placed.insert(at, &interval);
    }
    return total;
}

}  // namespace fulgurite
