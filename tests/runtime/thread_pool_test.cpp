#include <fulgurite/runtime/thread_pool.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <fulgurite/core/errors.h>
#include <fulgurite/tests/support/catch.h>

#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace fulgurite;

namespace {

/// Restores the number of threads at the end of a test.
struct Threads {
    explicit Threads(int count) : before(num_threads()) { set_num_threads(count); }
    ~Threads() { set_num_threads(before); }
    int before;
};

void check_covers(std::int64_t count, std::int64_t grain) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            ++visits[static_cast<std::size_t>(i)];
        }
    });
    for (const auto& visit : visits) {
        if (visit != 1) {
            FAIL("an item of " << count << " by " << grain << " ran " << visit << " times");
        }
    }
    SUCCEED();
}

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

Ranges ranges_with(int threads, std::int64_t count, std::int64_t grain) {
    const Threads scope(threads);
    Ranges ranges(static_cast<std::size_t>((count + grain - 1) / grain));
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
        ranges[static_cast<std::size_t>(begin / grain)] = {begin, end};
    });
    return ranges;
}

}  // namespace

TEST_CASE("parallel_for runs every item once", "[threads]") {
    for (const int threads : {1, 2, 5}) {
        const Threads scope(threads);
        for (const std::int64_t count : {0, 1, 2, 7, 64, 1000}) {
            for (const std::int64_t grain : {0, 1, 3, 64, 2000}) {
                check_covers(count, grain);
            }
        }
    }
    for (int round = 0; round < 2000; ++round) {
        check_covers(3, 1);
    }
}

TEST_CASE("the cuts do not depend on the number of threads", "[threads]") {
    CHECK(ranges_with(1, 1001, 10) == ranges_with(4, 1001, 10));
    CHECK(ranges_with(1, 1001, 10).back() == std::pair<std::int64_t, std::int64_t>(1000, 1001));
}

TEST_CASE("a huge count with a tiny grain is cut into fewer ranges", "[threads]") {
    std::atomic<std::int64_t> items = 0, ranges = 0;
    parallel_for(std::int64_t{1} << 40, 1, [&](std::int64_t begin, std::int64_t end) {
        items += end - begin;
        ++ranges;
    });
    CHECK(items == std::int64_t{1} << 40);
    CHECK(ranges <= std::int64_t{1} << 20);
}

TEST_CASE("workers take part", "[threads]") {
    const Threads scope(2);
    std::atomic<int> arrived = 0;
    // Each of the two items waits for the other: only two threads can finish this.
    parallel_for(2, 1, [&](std::int64_t, std::int64_t) {
        ++arrived;
        while (arrived != 2) {
            std::this_thread::yield();
        }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the worker is asleep by now
    parallel_for(2, 1, [&](std::int64_t, std::int64_t) {
        ++arrived;
        while (arrived != 4) {
            std::this_thread::yield();
        }
    });
    CHECK(arrived == 4);
}

TEST_CASE("a nested parallel_for runs inline", "[threads]") {
    const Threads scope(3);
    std::atomic<int> total = 0;
    parallel_for(8, 1, [&](std::int64_t, std::int64_t) {
        const auto thread = std::this_thread::get_id();
        parallel_for(10, 1, [&](std::int64_t begin, std::int64_t end) {
            if (std::this_thread::get_id() == thread) {
                total += static_cast<int>(end - begin);
            }
        });
    });
    CHECK(total == 80);
}

TEST_CASE("an exception comes back to the caller and the pool lives on", "[threads]") {
    const Threads scope(3);
    for (int round = 0; round < 50; ++round) {
        const LocationScope location({"user.cpp", 5});
        CHECK_THROWS_WITH(parallel_for(100, 1,
                                       [&](std::int64_t begin, std::int64_t) {
                                           if (begin == 57) {
                                               fail<IndexError>("take", "57");
                                           }
                                       }),
                          "[take] user.cpp:5: 57");
        check_covers(100, 1);
    }
}

TEST_CASE("several threads call at once", "[threads]") {
    const Threads scope(3);
    std::vector<std::thread> callers;
    std::atomic<std::int64_t> total = 0;
    for (int caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&] {
            for (int round = 0; round < 200; ++round) {
                std::vector<std::int64_t> squares(100);
                parallel_for(100, 7, [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) {
                        squares[static_cast<std::size_t>(i)] = i * i;
                    }
                });
                total += std::accumulate(squares.begin(), squares.end(), std::int64_t{0});
            }
        });
    }
    for (auto& caller : callers) {
        caller.join();
    }
    CHECK(total == 4 * 200 * 328350);
}

TEST_CASE("the number of threads is checked", "[threads]") {
    CHECK(num_threads() >= 1);
    CHECK_THROWS_AS(set_num_threads(0), ValueError);
    CHECK_THROWS_AS(set_num_threads(100000), ValueError);
    const Threads scope(2);
    CHECK(num_threads() == 2);
    CHECK_THROWS_AS(parallel_for(2, 1, [](std::int64_t, std::int64_t) { set_num_threads(1); }), ValueError);
}

#if defined(__linux__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("the child of a fork has a working pool", "[threads]") {
    const Threads scope(3);
    check_covers(100, 1);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::atomic<int> items = 0;
        parallel_for(100, 1,
                     [&](std::int64_t begin, std::int64_t end) { items += static_cast<int>(end - begin); });
        _exit(items == 100 ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
#endif
