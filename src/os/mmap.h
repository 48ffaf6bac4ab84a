// Anonymous shared memory that children inherit. Reserved up front, so that a full /dev/shm shows
// at start, not later. Any thread, never parks.
#pragma once

#include <cstddef>
#include <utility>

#include "base/error.h"

namespace stampede::os {

class SharedMemory {
public:
    static Result<SharedMemory> create(size_t size);
    SharedMemory() = default;
    ~SharedMemory();
    SharedMemory(SharedMemory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    SharedMemory& operator=(SharedMemory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    void* data() const { return data_; }
    size_t size() const { return size_; }

private:
    SharedMemory(void* data, size_t size) : data_(data), size_(size) {}
    void* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace stampede::os
