// Shared memory that children inherit, or that another process gets by a descriptor. Any thread,
// never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "os/fd.h"

namespace stampede::os {

class SharedMemory {
public:
    // When the kernel gives the physical memory: at once, so that no later access waits for it or
    // finds none left; or page by page, for tables with room for far more than is usual. What is
    // promised counts as memory that is used when the kernel decides whether there is enough.
    enum class Pages : uint8_t { kAtOnce, kWhenTouched, kPromised };

    static Result<SharedMemory> create(size_t size, Pages pages = Pages::kAtOnce);
    // For a process that is no child: `file` is what it maps, and has no other use.
    static Result<SharedMemory> create(size_t size, Fd& file);
    static Result<SharedMemory> map(int file, size_t size);
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
    // It stays mapped as long as the process is there.
    void* release() { return std::exchange(data_, nullptr); }
    size_t size() const { return size_; }

private:
    SharedMemory(void* data, size_t size) : data_(data), size_(size) {}
    void* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace stampede::os
