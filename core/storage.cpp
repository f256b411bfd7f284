#include <fulgurite/core/storage.h>

#include <fulgurite/core/allocator.h>
#include <fulgurite/core/tensor.h>

namespace fulgurite {

namespace {
// Objects of the handles themselves come from the host allocator's small blocks too.
void* allocate_object(std::size_t bytes) { return allocator(cpu).allocate(bytes); }
}  // namespace

Storage* Storage::allocate(std::size_t bytes, Device device) {
    auto* storage = new (allocate_object(sizeof(Storage))) Storage;
    storage->device_ = device;
    storage->bytes_ = bytes;
    try {
        storage->data_ = allocator(device).allocate(bytes);
    } catch (...) {
        storage->~Storage();
        allocator(cpu).deallocate(storage, sizeof(Storage));
        throw;
    }
    return storage;
}

Storage* Storage::wrap(void* data, std::size_t bytes, Device device, std::function<void()> release) {
    auto* storage = new (allocate_object(sizeof(Storage))) Storage;
    storage->device_ = device;
    storage->bytes_ = bytes;
    storage->data_ = data;
    storage->on_release_ = std::make_unique<std::function<void()>>(std::move(release));
    return storage;
}

void Storage::destroy() noexcept {
    if (!on_release_)
        allocator(device_).deallocate(data_, bytes_);
    else if (*on_release_)
        (*on_release_)();
    this->~Storage();
    allocator(cpu).deallocate(this, sizeof(Storage));
}

void* TensorNode::operator new(std::size_t bytes) { return allocate_object(bytes); }
void TensorNode::operator delete(void* node, std::size_t bytes) noexcept {
    allocator(cpu).deallocate(node, bytes);
}

}  // namespace fulgurite
