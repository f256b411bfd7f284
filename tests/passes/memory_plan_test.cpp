#include <fulgurite/runtime/memory_plan.h>

#include <random>

#include <fulgurite/tests/support/catch.h>

namespace fg = fulgurite;

namespace {

bool alive_together(const fg::Interval& a, const fg::Interval& b) {
    return a.first <= b.last && b.first <= a.last;
}

std::int64_t rounded(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Bytes alive at the worst step: no plan needs less.
std::int64_t peak(const std::vector<fg::Interval>& intervals, std::int32_t steps) {
    std::int64_t most = 0;
    for (std::int32_t step = 0; step < steps; ++step) {
        std::int64_t now = 0;
        for (const auto& interval : intervals) {
            if (interval.first <= step && step <= interval.last) now += interval.bytes;
        }
        most = std::max(most, now);
    }
    return most;
}

void check_plan(const std::vector<fg::Interval>& intervals, std::int64_t total, std::int32_t steps) {
    std::int64_t naive = 0;
    for (const auto& a : intervals) {
        naive += rounded(a.bytes);
        REQUIRE(a.offset >= 0);
        REQUIRE(a.offset % 64 == 0);
        REQUIRE(a.offset + a.bytes <= total);
    }
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto &a = intervals[i], &b = intervals[j];
            if (!alive_together(a, b) || a.bytes == 0 || b.bytes == 0) continue;
            REQUIRE((a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset));
        }
    }
    REQUIRE(total <= naive);
    REQUIRE(total >= peak(intervals, steps));
}

}  // namespace

TEST_CASE("blocks that are alive together never overlap, however they come") {
    std::mt19937 random(20240607);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    for (int round = 0; round < 500; ++round) {
        const int steps = 1 + below(30);
        std::vector<fg::Interval> intervals(static_cast<std::size_t>(below(40)));
        for (fg::Interval& interval : intervals) {
            const int first = below(steps);
            interval = {below(4) == 0 ? below(3) * 64 : below(5000), first, first + below(steps - first)};
        }
        const std::int64_t total = fg::pack(intervals);
        check_plan(intervals, total, steps);
    }
}

TEST_CASE("a chain needs two blocks, and blocks that never meet need one") {
    std::vector<fg::Interval> chain;
    for (std::int32_t i = 0; i < 20; ++i) chain.push_back({1024, i, i + 1});
    CHECK(fg::pack(chain) == 2048);
    std::vector<fg::Interval> apart;
    for (std::int32_t i = 0; i < 20; ++i) apart.push_back({1024, i, i});
    CHECK(fg::pack(apart) == 1024);
}

TEST_CASE("an empty plan, and blocks of no bytes") {
    std::vector<fg::Interval> none;
    CHECK(fg::pack(none) == 0);
    std::vector<fg::Interval> empty{{0, 0, 3}, {64, 1, 2}, {0, 1, 2}};
    CHECK(fg::pack(empty) == 64);
}
