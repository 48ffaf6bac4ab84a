// Bytes in a file that has no name and lies in memory: one process writes it, hands the descriptor
// to another, and that one maps it. Thin calls, errno -> Error. Any thread, never wait.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/error.h"

namespace stampede::os {

// Maps the beginning of such a file, shared with whoever else maps it: the address, or EINVAL when
// the file is shorter than that. `protection` as for mmap().
Result<void*> map_memory_file(int fd, size_t size, int protection);

// A look at the bytes of such a file, as long as this exists.
class MappedFile {
public:
    static Result<MappedFile> map(int fd, size_t size);
    MappedFile() = default;
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;

    std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

private:
    MappedFile(void* data, size_t size) : data_(data), size_(size) {}
    void* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace stampede::os
