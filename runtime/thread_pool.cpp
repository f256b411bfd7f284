#include <fulgurite/runtime/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fulgurite/core/errors.h>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace fulgurite {

namespace {

constexpr int max_threads = 1024;
constexpr std::int64_t max_chunks = std::int64_t{1} << 20;
constexpr std::chrono::microseconds worker_spin{100}, caller_spin{50};

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

int usable_processors() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return std::clamp(CPU_COUNT(&set), 1, max_threads);
    }
#endif
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, max_threads);
}

int initial_threads() {
    if (const char* text = std::getenv("FULGURITE_NUM_THREADS")) {
        char* end = nullptr;
        const long count = std::strtol(text, &end, 10);
        if (end != text && *end == '\0' && count >= 1 && count <= max_threads) {
            return static_cast<int>(count);
        }
    }
    return usable_processors();
}

/// Whether this thread is running a body, so that what it starts runs inline.
thread_local bool inside_body = false;

class InsideBody {
public:
    InsideBody() { inside_body = true; }
    ~InsideBody() { inside_body = false; }
};

/// Counts pauses until some time has passed.
class Spin {
public:
    explicit Spin(std::chrono::microseconds length) : length_(length) { restart(); }
    void restart() {
        pauses_ = 0;
        begin_ = std::chrono::steady_clock::now();
    }
    /// Pauses once; false when the time is over.
    bool pause() {
        relax();
        return ++pauses_ % 64 != 0 || std::chrono::steady_clock::now() - begin_ < length_;
    }

private:
    std::chrono::microseconds length_;
    std::chrono::steady_clock::time_point begin_;
    unsigned pauses_ = 0;
};

/// Finished work is counted by chunk, never by worker: a caller waits only for chunks that somebody has
/// begun, and does all the rest itself when no worker gets a processor.
class Pool {
public:
    static Pool& instance() {
        static Pool* const pool = new Pool;
        return *pool;
    }

    int threads() const { return threads_.load(std::memory_order_relaxed); }
    void resize(int count);
    /// False when another thread's call is running.
    bool try_run(std::int64_t count, std::int64_t grain, detail::ChunkFunction function, void* context);

private:
    struct Job {
        std::int64_t count, grain;
        std::uint32_t chunks;
        detail::ChunkFunction function;
        void* context;
        SourceLocation where;
        std::string_view op;  ///< that errors are told in the name of
    };

    Pool();
    void start_workers();
    void wake_workers(std::uint32_t chunks);
    void work(int index);
    bool run_available();
    void run_chunk(std::uint32_t chunk) noexcept;
    void wait_for_all();
    static void forget_workers();

    std::atomic<int> threads_{initial_threads()};
    std::vector<std::thread>* workers_ = nullptr;  // touched only by who holds busy_
    Job job_{};                 // written by who holds busy_, read by who has claimed a chunk
    std::exception_ptr error_;  // written by whoever sets failed_ first
    std::atomic<bool> failed_{false};
    alignas(64) std::atomic<bool> busy_{false};
    alignas(64) std::atomic<std::uint32_t> remaining_{0};  // chunks nobody has begun
    alignas(64) std::atomic<std::uint32_t> done_{0};       // chunks finished
    std::atomic<bool> caller_sleeps_{false};
    alignas(64) std::atomic<std::uint32_t> wakeup_{0};  // workers sleep on it
    std::atomic<int> sleepers_{0};
};

Pool::Pool() {
#if defined(__linux__)
    pthread_atfork(nullptr, nullptr, &Pool::forget_workers);
#endif
}

/// In the child of a fork no worker exists, and whoever was running a job is gone.
void Pool::forget_workers() {
    Pool& pool = instance();
    pool.workers_ = nullptr;
    pool.remaining_ = 0;
    pool.done_ = 0;
    pool.sleepers_ = 0;
    pool.caller_sleeps_ = false;
    pool.failed_ = false;
    pool.busy_ = false;
}

void Pool::resize(int count) {
    while (busy_.exchange(true, std::memory_order_acquire)) {
        std::this_thread::yield();
    }
    threads_ = count;
    if (workers_ && static_cast<int>(workers_->size()) > count - 1) {
        wakeup_.fetch_add(1);
        wakeup_.notify_all();
        for (std::size_t i = static_cast<std::size_t>(count - 1); i < workers_->size(); ++i) {
            (*workers_)[i].join();
        }
        workers_->resize(static_cast<std::size_t>(count - 1));
    }
    busy_.store(false, std::memory_order_release);
}

/// Starts what is missing; with fewer workers than asked for, when the system gives no more, all still works.
void Pool::start_workers() {
    if (!workers_) {
        workers_ = new std::vector<std::thread>;
    }
    try {
        while (static_cast<int>(workers_->size()) < threads() - 1) {
            const int index = static_cast<int>(workers_->size());
            workers_->emplace_back([this, index] { work(index); });
        }
    } catch (const std::system_error&) {
    }
}

void Pool::wake_workers(std::uint32_t chunks) {
    if (sleepers_.load() == 0) {
        return;
    }
    wakeup_.fetch_add(1);
    if (chunks > workers_->size()) {
        return wakeup_.notify_all();
    }
    for (std::uint32_t i = 1; i < chunks; ++i) {
        wakeup_.notify_one();
    }
}

void Pool::work(int index) {
    Spin spin(worker_spin);
    for (;;) {
        const std::uint32_t seen = wakeup_.load();
        if (index >= threads() - 1) {
            return;
        }
        if (run_available()) {
            spin.restart();
        } else if (!spin.pause()) {
            sleepers_.fetch_add(1);
            if (remaining_.load() == 0) {
                wakeup_.wait(seen);
            }
            sleepers_.fetch_sub(1);
            spin.restart();
        }
    }
}

/// Runs chunks until none is left; whether there was one.
bool Pool::run_available() {
    bool any = false;
    std::uint32_t left = remaining_.load(std::memory_order_acquire);
    while (left != 0) {
        if (!remaining_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel)) {
            continue;
        }
        any = true;
        const std::uint32_t chunks = job_.chunks;
        run_chunk(chunks - left);
        if (done_.fetch_add(1) + 1 == chunks && caller_sleeps_.load()) {
            done_.notify_all();
        }
        left = remaining_.load(std::memory_order_acquire);
    }
    return any;
}

void Pool::run_chunk(std::uint32_t chunk) noexcept {
    if (failed_.load(std::memory_order_relaxed)) {
        return;
    }
    try {
        const InsideBody inside;
        const LocationScope location(job_.where);
        const OpScope op(job_.op);
        const std::int64_t begin = chunk * job_.grain;
        job_.function(job_.context, begin, std::min(begin + job_.grain, job_.count));
    } catch (...) {
        if (!failed_.exchange(true)) {
            error_ = std::current_exception();
        }
    }
}

void Pool::wait_for_all() {
    Spin spin(caller_spin);
    for (;;) {
        const std::uint32_t done = done_.load(std::memory_order_acquire);
        if (done == job_.chunks) {
            return;
        }
        if (spin.pause()) {
            continue;
        }
        caller_sleeps_.store(true);
        if (done_.load() == done) {
            done_.wait(done);
        }
        caller_sleeps_.store(false);
    }
}

bool Pool::try_run(std::int64_t count, std::int64_t grain, detail::ChunkFunction function, void* context) {
    if (busy_.load(std::memory_order_relaxed) || busy_.exchange(true, std::memory_order_acquire)) {
        return false;
    }
    start_workers();
    const auto chunks = static_cast<std::uint32_t>((count + grain - 1) / grain);
    job_ = {count, grain, chunks, function, context, current_location(), outermost_op({})};
    done_.store(0);
    remaining_.store(chunks);
    wake_workers(chunks);
    run_available();
    wait_for_all();
    std::exception_ptr error;
    if (failed_.load()) {
        error = std::exchange(error_, nullptr);
        failed_.store(false);
    }
    busy_.store(false, std::memory_order_release);
    if (error) {
        std::rethrow_exception(error);
    }
    return true;
}

}  // namespace

int num_threads() { return Pool::instance().threads(); }

void set_num_threads(int count) {
    if (count < 1 || count > max_threads) {
        fail<ValueError>("set_num_threads", "expected 1 to " + std::to_string(max_threads) +
                                                " threads, got " + std::to_string(count));
    }
    if (inside_body) {
        fail<ValueError>("set_num_threads", "cannot change the threads from within a parallel_for");
    }
    Pool::instance().resize(count);
}

namespace detail {

void run_chunks(std::int64_t count, std::int64_t grain, ChunkFunction function, void* context) {
    grain = std::max<std::int64_t>(grain, 1);
    grain *= (count - 1) / grain / max_chunks + 1;
    Pool& pool = Pool::instance();
    if (!inside_body && pool.threads() > 1 && pool.try_run(count, grain, function, context)) {
        return;
    }
    for (std::int64_t begin = 0; begin < count; begin += grain) {
        function(context, begin, std::min(begin + grain, count));
    }
}

}  // namespace detail

}  // namespace fulgurite
