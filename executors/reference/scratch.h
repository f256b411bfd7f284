#pragma once

#include <cstddef>
#include <cstdint>

#include <fulgurite/runtime/caching_allocator.h>

namespace fulgurite::reference {

/// Uninitialised room for `count` trivial elements until the end of the scope.
template <class T>
class Scratch {
public:
    explicit Scratch(std::int64_t count)
        : bytes_(static_cast<std::size_t>(count) * sizeof(T)),
          data_(static_cast<T*>(host_memory::allocate(bytes_))) {}
    ~Scratch() { host_memory::deallocate(data_, bytes_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    T* data() const { return data_; }
    T& operator[](std::int64_t i) const { return data_[i]; }

private:
    std::size_t bytes_;
    T* data_;
};

}  // namespace fulgurite::reference
