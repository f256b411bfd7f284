#include <fulgurite/runtime/caching_allocator.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

#include <fulgurite/runtime/pages.h>
#include <fulgurite/runtime/size_classes.h>

#if defined(__linux__)
#include <pthread.h>
#endif

#if defined(__has_feature)
#define FULGURITE_HAS_FEATURE(name) __has_feature(name)
#else
#define FULGURITE_HAS_FEATURE(name) 0
#endif

namespace fulgurite::host_memory {

namespace {

using size_classes::bytes_of;
using size_classes::index_of;

/// Under the address sanitizer every block comes from the system, so that it sees what is used after it was
/// freed.
#if defined(__SANITIZE_ADDRESS__) || FULGURITE_HAS_FEATURE(address_sanitizer)
constexpr bool plain = true;
#else
constexpr bool plain = false;
#endif

constexpr std::size_t max_bytes = std::size_t{1} << 46;
constexpr std::size_t small_bytes = std::size_t{32} << 10;  // up to here a thread keeps blocks of its own
constexpr std::size_t middle_bytes = std::size_t{4}
                                     << 20;  // up to here blocks are cut from arenas, above they are mapped
constexpr std::size_t arena_bytes = std::size_t{64} << 20;
constexpr std::size_t batch_bytes = std::size_t{16} << 10;  // moved at once between a thread and the centre
constexpr std::size_t slack_bytes = std::size_t{256}
                                    << 20;  // of cached large blocks, kept whatever the peak was
constexpr unsigned small_classes = index_of(small_bytes) + 1;
constexpr unsigned middle_classes = index_of(middle_bytes) + 1;
constexpr unsigned all_classes = index_of(max_bytes) + 1;
constexpr unsigned colours =
    16;  // large blocks begin at different cache lines, or all would share the same sets

constexpr int batch_of(unsigned index) {
    return std::clamp(static_cast<int>(batch_bytes / bytes_of(index)), 1, 64);
}

constexpr auto batches = [] {
    std::array<int, small_classes> counts{};
    for (unsigned i = 0; i < small_classes; ++i) {
        counts[i] = batch_of(i);
    }
    return counts;
}();

struct Block {
    Block* next;
};

/// A stack of free blocks, linked through their first bytes.
struct FreeList {
    Block* head = nullptr;
    int count = 0;

    void push(void* data) {
        head = new (data) Block{head};
        ++count;
    }
    void* pop() {
        Block* const block = head;
        if (!block) {
            return nullptr;
        }
        head = block->next;
        --count;
        return block;
    }
};

/// What one thread keeps. Only its thread touches the lists; anyone may read the count of live bytes.
struct ThreadCache {
    std::array<FreeList, small_classes> lists{};
    std::atomic<std::int64_t> live{0};
    ThreadCache* previous = nullptr;
    ThreadCache* next = nullptr;

    void add_live(std::int64_t bytes) {
        live.store(live.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
    }
};

/// All free blocks that no thread keeps, the arenas and the large blocks. Everything is done under mutex.
class Centre {
public:
    static Centre& instance() {
        static Centre* const centre = new Centre;
        return *centre;
    }

    void* allocate(std::size_t bytes, unsigned index);
    void deallocate(void* data, unsigned index);
    void trim();
    Stats stats();
    /// Moves a batch between the thread's list and the centre's.
    void refill(FreeList& list, unsigned index);
    void drain(FreeList& list, unsigned index, int keep);
    void enter(ThreadCache& cache);
    void leave(ThreadCache& cache);

private:
    Centre();
    void* take(unsigned index);
    void* cut(std::size_t bytes);
    void* map_large(unsigned index);
    void release_large();
    void count_out(std::int64_t bytes) {
        out_ += bytes;
        peak_ = std::max(peak_, out_);
    }

    std::mutex mutex_;
    std::array<FreeList, all_classes> lists_{};
    ThreadCache* threads_ = nullptr;
    std::byte* arena_ = nullptr;
    std::byte* arena_end_ = nullptr;
    std::int64_t out_ = 0;     // given to users or to the threads' lists
    std::int64_t direct_ = 0;  // live, but counted in no thread's cache
    std::int64_t cached_ = 0;
    std::int64_t peak_ = 0;
    std::int64_t mapped_large_ = 0;
    std::int64_t live_large_ = 0, peak_large_ = 0;
    unsigned colour_ = 0;
};

Centre::Centre() {
#if defined(__linux__)
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] { instance().mutex_.unlock(); });
#endif
}

void* Centre::cut(std::size_t bytes) {
    // An odd number of lines for blocks of a page and more, so that they do not all begin at the same place
    // in a page.
    if (bytes >= 4096) {
        bytes += size_classes::unit;
    }
    if (static_cast<std::size_t>(arena_end_ - arena_) < bytes) {
        std::byte* const fresh = static_cast<std::byte*>(pages::map(arena_bytes));
        if (!fresh) {
            return nullptr;
        }
        arena_ = fresh;
        arena_end_ = fresh + arena_bytes;
    }
    void* const data = arena_;
    arena_ += bytes;
    return data;
}

void* Centre::map_large(unsigned index) {
    const std::size_t bytes = bytes_of(index) + colours * size_classes::unit;
    // Sizes that changed for good must not pile up: a program that repeats itself never comes here.
    if (mapped_large_ + static_cast<std::int64_t>(bytes) >
        2 * peak_large_ + static_cast<std::int64_t>(slack_bytes)) {
        release_large();
    }
    void* data = pages::map(bytes);
    if (!data) {
        release_large();
        data = pages::map(bytes);
    }
    if (!data) {
        return nullptr;
    }
    mapped_large_ += static_cast<std::int64_t>(bytes);
    colour_ = (colour_ + 1) % colours;
    return static_cast<std::byte*>(data) + colour_ * size_classes::unit;
}

void Centre::release_large() {
    for (unsigned index = middle_classes; index < all_classes; ++index) {
        while (void* const data = lists_[index].pop()) {
            const std::size_t bytes = bytes_of(index) + colours * size_classes::unit;
            pages::unmap(pages::begin_of(data), bytes);
            mapped_large_ -= static_cast<std::int64_t>(bytes);
            cached_ -= static_cast<std::int64_t>(bytes_of(index));
        }
    }
}

/// A free block of the class, or a new one; null when the system has no more.
void* Centre::take(unsigned index) {
    const auto bytes = static_cast<std::int64_t>(bytes_of(index));
    void* data = lists_[index].pop();
    if (data) {
        cached_ -= bytes;
    } else {
        data = index < middle_classes ? cut(bytes_of(index)) : map_large(index);
    }
    if (!data) {
        return nullptr;
    }
    if (index >= middle_classes) {
        peak_large_ = std::max(peak_large_, live_large_ += bytes);
    }
    count_out(bytes);
    return data;
}

void* Centre::allocate(std::size_t bytes, unsigned index) {
    if (bytes > max_bytes) {
        throw std::bad_alloc();
    }
    const std::lock_guard lock(mutex_);
    void* const data = take(index);
    if (!data) {
        throw std::bad_alloc();
    }
    direct_ += static_cast<std::int64_t>(bytes_of(index));
    return data;
}

void Centre::deallocate(void* data, unsigned index) {
    const auto bytes = static_cast<std::int64_t>(bytes_of(index));
    const std::lock_guard lock(mutex_);
    lists_[index].push(data);
    cached_ += bytes;
    direct_ -= bytes;
    if (index >= middle_classes) {
        live_large_ -= bytes;
    }
    count_out(-bytes);
}

void Centre::refill(FreeList& list, unsigned index) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < batches[index]; ++i) {
        void* const data = take(index);
        if (!data) {
            break;
        }
        list.push(data);
    }
}

void Centre::drain(FreeList& list, unsigned index, int keep) {
    const auto bytes = static_cast<std::int64_t>(bytes_of(index));
    const std::lock_guard lock(mutex_);
    while (list.count > keep) {
        lists_[index].push(list.pop());
        cached_ += bytes;
        count_out(-bytes);
    }
}

void Centre::enter(ThreadCache& cache) {
    const std::lock_guard lock(mutex_);
    cache.next = threads_;
    if (threads_) {
        threads_->previous = &cache;
    }
    threads_ = &cache;
}

void Centre::leave(ThreadCache& cache) {
    for (unsigned index = 0; index < small_classes; ++index) {
        drain(cache.lists[index], index, 0);
    }
    const std::lock_guard lock(mutex_);
    direct_ += cache.live;
    (cache.previous ? cache.previous->next : threads_) = cache.next;
    if (cache.next) {
        cache.next->previous = cache.previous;
    }
}

void Centre::trim() {
    const std::lock_guard lock(mutex_);
    release_large();
    for (unsigned index = small_classes; index < middle_classes; ++index) {
        for (Block* block = lists_[index].head; block; block = block->next) {
            pages::discard(block + 1, bytes_of(index) - sizeof(Block));
        }
    }
}

Stats Centre::stats() {
    const std::lock_guard lock(mutex_);
    Stats stats{.live = direct_, .cached = cached_ + out_, .peak = peak_};
    for (const ThreadCache* cache = threads_; cache; cache = cache->next) {
        stats.live += cache->live.load(std::memory_order_relaxed);
    }
    stats.cached -= stats.live;
    return stats;
}

/// The thread's cache: null before its first slow call, and again once the thread is being torn down
/// (destructors that run later go to the centre). Trivial, so that the fast paths test no guard.
constinit thread_local ThreadCache* thread_cache = nullptr;
constinit thread_local bool thread_ends = false;

struct CacheOwner {
    ThreadCache cache;
    CacheOwner() {
        Centre::instance().enter(cache);
        thread_cache = &cache;
    }
    ~CacheOwner() {
        thread_cache = nullptr;
        thread_ends = true;
        Centre::instance().leave(cache);
    }
};

ThreadCache* open_thread_cache() {
    if (thread_ends) {
        return nullptr;
    }
    static thread_local CacheOwner owner;
    return &owner.cache;
}

[[gnu::noinline]] void* allocate_slowly(std::size_t bytes, unsigned index) {
    if (bytes <= small_bytes) {
        if (ThreadCache* const cache = open_thread_cache()) {
            FreeList& list = cache->lists[index];
            if (!list.head) {
                Centre::instance().refill(list, index);
            }
            void* const data = list.pop();
            if (!data) {
                throw std::bad_alloc();
            }
            cache->add_live(static_cast<std::int64_t>(bytes_of(index)));
            return data;
        }
    }
    return Centre::instance().allocate(bytes, index);
}

[[gnu::noinline]] void deallocate_slowly(void* data, std::size_t bytes, unsigned index) noexcept {
    ThreadCache* const cache = bytes <= small_bytes ? open_thread_cache() : nullptr;
    if (!cache) {
        return Centre::instance().deallocate(data, index);
    }
    FreeList& list = cache->lists[index];
    if (list.count >= 2 * batches[index]) {
        Centre::instance().drain(list, index, batches[index]);
    }
    list.push(data);
    cache->add_live(-static_cast<std::int64_t>(bytes_of(index)));
}

std::atomic<std::int64_t> plain_live{0}, plain_peak{0};

void* allocate_plain(std::size_t bytes) {
    const std::size_t rounded = std::max((bytes + 63) / 64 * 64, std::size_t{64});
    if (bytes > max_bytes) {
        throw std::bad_alloc();
    }
    void* const data = std::aligned_alloc(64, rounded);
    if (!data) {
        throw std::bad_alloc();
    }
    const std::int64_t live = plain_live += static_cast<std::int64_t>(bytes_of(index_of(bytes)));
    std::int64_t peak = plain_peak;
    while (peak < live && !plain_peak.compare_exchange_weak(peak, live)) {
    }
    return data;
}

}  // namespace

void* allocate(std::size_t bytes) {
    if constexpr (plain) {
        return allocate_plain(bytes);
    }
    const unsigned index = index_of(bytes);
    ThreadCache* const cache = thread_cache;
    if (bytes <= small_bytes && cache) {
        if (void* const data = cache->lists[index].pop()) {
            cache->add_live(static_cast<std::int64_t>(bytes_of(index)));
            return data;
        }
    }
    return allocate_slowly(bytes, index);
}

void deallocate(void* data, std::size_t bytes) noexcept {
    if (!data) {
        return;
    }
    const unsigned index = index_of(bytes);
    if constexpr (plain) {
        plain_live -= static_cast<std::int64_t>(bytes_of(index));
        return std::free(data);
    }
    ThreadCache* const cache = thread_cache;
    if (bytes <= small_bytes && cache && cache->lists[index].count < 2 * batches[index]) {
        cache->lists[index].push(data);
        cache->add_live(-static_cast<std::int64_t>(bytes_of(index)));
        return;
    }
    deallocate_slowly(data, bytes, index);
}

void trim() noexcept { Centre::instance().trim(); }

Stats stats() noexcept {
    if constexpr (plain) {
        return {.live = plain_live, .cached = 0, .peak = plain_peak};
    }
    return Centre::instance().stats();
}

}  // namespace fulgurite::host_memory
