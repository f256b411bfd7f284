#include <fulgurite/runtime/host_allocator.h>

#include <fulgurite/runtime/caching_allocator.h>

namespace fulgurite {

namespace {
class HostAllocator final : public Allocator {
public:
    void* allocate(std::size_t bytes) override { return host_memory::allocate(bytes); }
    void deallocate(void* data, std::size_t bytes) noexcept override { host_memory::deallocate(data, bytes); }
};
}  // namespace

Allocator& host_allocator() {
    static auto* const instance = new HostAllocator;
    return *instance;
}

}  // namespace fulgurite
