#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace fulgurite {

/// Threads that parallel_for uses, the caller's included: what set_num_threads said, else
/// FULGURITE_NUM_THREADS, else the processors this process may run on.
int num_threads();

/// Throws ValueError unless 1 <= count <= 1024, or when called from within a parallel_for.
void set_num_threads(int count);

namespace detail {
using ChunkFunction = void (*)(void* context, std::int64_t begin, std::int64_t end);
void run_chunks(std::int64_t count, std::int64_t grain, ChunkFunction function, void* context);
}  // namespace detail

/// Calls body(begin, end) for consecutive ranges that cover [0, count), in any order and on several threads;
/// the caller takes part. Every range begins at a multiple of `grain` and has `grain` items, the last one
/// fewer (a grain so small that there were millions of ranges is multiplied up), so the cuts do not depend on
/// the number of threads.
///
/// Choose a grain of some 20 us of work. Nested calls, and calls while another thread's call is running, do
/// all the work in the caller. An exception thrown by the body is rethrown in the caller; ranges not yet
/// begun are then left out.
template <class F>
void parallel_for(std::int64_t count, std::int64_t grain, F&& body) {
    if (count <= grain) {
        if (count > 0) {
            body(std::int64_t{0}, count);
        }
        return;
    }
    using Body = std::remove_reference_t<F>;
    detail::run_chunks(
        count, grain,
        [](void* context, std::int64_t begin, std::int64_t end) {
            (*static_cast<Body*>(context))(begin, end);
        },
        const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

}  // namespace fulgurite
