#include <fulgurite/runtime/caching_allocator.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include <fulgurite/runtime/size_classes.h>
#include <fulgurite/tests/support/catch.h>

using namespace fulgurite;
namespace classes = host_memory::size_classes;

namespace {

/// A block that knows what was written into it.
struct Filled {
    Filled(std::size_t size, unsigned char value)
        : bytes(size), tag(value), data(static_cast<unsigned char*>(host_memory::allocate(size))) {
        std::memset(data, tag, bytes);
    }
    bool intact() const {
        for (const std::size_t i : {std::size_t{0}, bytes / 2, bytes - 1}) {
            if (bytes && data[i] != tag) {
                return false;
            }
        }
        return true;
    }
    void free() { host_memory::deallocate(data, bytes); }

    std::size_t bytes;
    unsigned char tag;
    unsigned char* data;
};

bool allocate_and_free_at_random(unsigned seed, int rounds) {
    std::mt19937 random(seed);
    std::vector<Filled> blocks;
    bool intact = true;
    for (int i = 0; i < rounds; ++i) {
        const std::size_t bytes = random() % (std::size_t{1} << (random() % 17));
        blocks.emplace_back(bytes, static_cast<unsigned char>(random()));
        if (blocks.size() > 200) {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            intact = intact && blocks.back().intact();
            blocks.back().free();
            blocks.pop_back();
        }
    }
    for (Filled& block : blocks) {
        intact = intact && block.intact();
        block.free();
    }
    return intact;
}

/// Frees a block when its thread has ended, after the allocator's own thread-local state is gone.
struct LateUser {
    void* data = nullptr;
    ~LateUser() {
        host_memory::deallocate(data, 100);
        host_memory::deallocate(host_memory::allocate(100), 100);
    }
};
thread_local LateUser late_user;
LateUser static_user;

}  // namespace

TEST_CASE("size classes hold what they promise and waste little", "[allocator]") {
    unsigned previous = 0;
    for (std::size_t bytes = 0; bytes < 70000; ++bytes) {
        const unsigned index = classes::index_of(bytes);
        const std::size_t size = classes::bytes_of(index);
        if (size < bytes || size % 64 || index < previous || index > previous + 1 ||
            classes::index_of(size) != index || (bytes > 512 && size > bytes + bytes / 4 + 64)) {
            FAIL("class " << index << " of " << bytes << " holds " << size);
        }
        previous = index;
    }
    CHECK(classes::bytes_of(classes::index_of(std::size_t{5} << 30)) == std::size_t{5} << 30);
}

TEST_CASE("blocks are aligned, apart and reusable", "[allocator]") {
    const auto before = host_memory::stats().live;
    std::vector<Filled> blocks;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t bytes = 0; bytes < 20'000'000; bytes = bytes * 5 / 4 + 1) {
            blocks.emplace_back(bytes, static_cast<unsigned char>(blocks.size()));
            CHECK(reinterpret_cast<std::uintptr_t>(blocks.back().data) % 64 == 0);
        }
    }
    CHECK(host_memory::stats().live > before);
    CHECK(host_memory::stats().peak >= host_memory::stats().live);
    for (Filled& block : blocks) {
        CHECK(block.intact());
        block.free();
    }
    CHECK(host_memory::stats().live == before);
    host_memory::deallocate(nullptr, 10);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("a freed block is the next one of its size", "[allocator]") {
    for (const std::size_t bytes : {1u, 64u, 5000u, 100'000u, 3'000'000u, 50'000'000u}) {
        void* const first = host_memory::allocate(bytes);
        host_memory::deallocate(first, bytes);
        void* const second = host_memory::allocate(bytes);
        CHECK(first == second);
        host_memory::deallocate(second, bytes);
    }
}

TEST_CASE("trim gives large blocks back and leaves the rest usable", "[allocator]") {
    for (const std::size_t bytes : {200'000u, 3'000'000u, 50'000'000u}) {
        Filled block(bytes, 7);
        block.free();
    }
    const auto cached = host_memory::stats().cached;
    host_memory::trim();
    CHECK(host_memory::stats().cached <= cached - 50'000'000);
    CHECK(allocate_and_free_at_random(3, 2000));
    Filled again(200'000, 9);
    CHECK(again.intact());
    again.free();
}
#endif

TEST_CASE("what cannot be had throws", "[allocator]") {
    CHECK_THROWS_AS(host_memory::allocate(std::size_t{1} << 62), std::bad_alloc);
    CHECK_THROWS_AS(host_memory::allocate(~std::size_t{0}), std::bad_alloc);
}

TEST_CASE("threads allocate and free at once", "[allocator][threads]") {
    const auto before = host_memory::stats().live;
    bool intact[4] = {};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i) {
        threads.emplace_back([&intact, i] { intact[i] = allocate_and_free_at_random(i, 20000); });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    for (const bool ok : intact) {
        CHECK(ok);
    }
    CHECK(host_memory::stats().live == before);
}

TEST_CASE("blocks may be freed on another thread", "[allocator][threads]") {
    const auto before = host_memory::stats().live;
    std::vector<Filled> blocks;
    std::mutex mutex;
    bool done = false, intact = true;
    std::thread consumer([&] {
        for (;;) {
            const std::lock_guard lock(mutex);
            for (Filled& block : blocks) {
                intact = intact && block.intact();
                block.free();
            }
            blocks.clear();
            if (done) {
                return;
            }
        }
    });
    for (int i = 0; i < 20000; ++i) {
        Filled block(static_cast<std::size_t>(i) % 3000, static_cast<unsigned char>(i));
        const std::lock_guard lock(mutex);
        blocks.push_back(block);
    }
    {
        const std::lock_guard lock(mutex);
        done = true;
    }
    consumer.join();
    CHECK(intact);
    CHECK(host_memory::stats().live == before);
}

TEST_CASE("destructors that run late may still allocate and free", "[allocator][threads]") {
    const auto before = host_memory::stats().live;
    std::thread([] {
        late_user.data = nullptr;  // constructed before the allocator's own state, so destroyed after it
        late_user.data = host_memory::allocate(100);
    }).join();
    CHECK(host_memory::stats().live == before);
    static_user.data = host_memory::allocate(100);
}
