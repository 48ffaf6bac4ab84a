// Bytes that end right before an unreadable page: a parser that reads one byte too many dies. Test
// code, one thread.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

namespace stampede::test {

class Guarded {
public:
    explicit Guarded(std::string_view bytes) : size_(bytes.size()) {
        auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        mapped_ = (size_ / page + 2) * page;
        base_ = static_cast<char*>(
            mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(base_ + mapped_ - page, page, PROT_NONE);
        data_ = base_ + mapped_ - page - size_;
        if (size_ > 0) {
            std::memcpy(data_, bytes.data(), size_);
        }
    }
    ~Guarded() { munmap(base_, mapped_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    char* data() const { return data_; }
    size_t size() const { return size_; }
    std::string_view view() const { return {data_, size_}; }

private:
    size_t size_;
    size_t mapped_;
    char* base_;
    char* data_;
};

}  // namespace stampede::test
