#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include <fulgurite/core/device.h>

namespace fulgurite {

/// A block of device memory with its owner count. Tensors that share one alias each other.
class Storage {
public:
    /// Fresh uninitialised bytes from the device's allocator.
    static Storage* allocate(std::size_t bytes, Device device);
    /// Wraps memory that somebody else owns; `release` runs when the last tensor is gone.
    static Storage* wrap(void* data, std::size_t bytes, Device device, std::function<void()> release);

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    Device device() const { return device_; }

    void retain() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
    }
    bool unique() const noexcept { return owners_.load(std::memory_order_acquire) == 1; }

private:
    Storage() = default;
    ~Storage() = default;
    void destroy() noexcept;

    std::atomic<std::int32_t> owners_{1};
    Device device_;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::unique_ptr<std::function<void()>> on_release_;
};

/// A counted pointer to something with retain() and release().
template <class T>
class Counted {
public:
    Counted() = default;
    /// Takes over one count.
    static Counted adopt(T* object) {
        Counted pointer;
        pointer.object_ = object;
        return pointer;
    }
    Counted(const Counted& other) noexcept : object_(other.object_) {
        if (object_) object_->retain();
    }
    Counted(Counted&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Counted& operator=(Counted other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Counted() {
        if (object_) object_->release();
    }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }

private:
    T* object_ = nullptr;
};

using StoragePtr = Counted<Storage>;

}  // namespace fulgurite
