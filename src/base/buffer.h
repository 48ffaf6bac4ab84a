// A growable run of bytes with a read position: what is written at the end is consumed at the
// front. Owned by one object of one loop; a span taken from it dies with the next write. Never
// parks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace stampede {

class Buffer {
public:
    Buffer() = default;
    ~Buffer() { std::free(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }

    const char* data() const { return data_ + begin_; }
    char* data() { return data_ + begin_; }
    size_t size() const { return end_ - begin_; }
    bool empty() const { return begin_ == end_; }
    size_t capacity() const { return capacity_; }
    std::string_view view() const { return {data_ + begin_, size()}; }

    // Room for at least count bytes at the end; commit() says how many were written.
    char* reserve(size_t count) {
        if (capacity_ - end_ < count) {
            make_room(count);
        }
        return data_ + end_;
    }
    void commit(size_t count) { end_ += count; }

    // Room for what a peer has announced, and where it begins: one MiB at once, beyond that as much
    // as has come, so that an announcement alone costs little. To be asked again before each read.
    struct Span {
        char* bytes;
        size_t size;
    };
    Span reserve_announced(size_t announced) {
        constexpr size_t kBelieved = size_t{1} << 20;
        constexpr size_t kTooSmallToRead = size_t{64} << 10;
        if (capacity_ - end_ < std::min(announced, kTooSmallToRead)) {
            (void)reserve(std::min(announced, std::max(size(), kBelieved)));
        }
        return {data_ + end_, std::min(announced, capacity_ - end_)};
    }

    void append(std::string_view bytes) {
        if (!bytes.empty()) {
            std::memcpy(reserve(bytes.size()), bytes.data(), bytes.size());
            commit(bytes.size());
        }
    }
    void append(char byte) {
        *reserve(1) = byte;
        commit(1);
    }

    void consume(size_t count) {
        begin_ += count;
        if (begin_ == end_) {
            begin_ = end_ = 0;
        }
    }
    // Takes back what was written last.
    void unwrite(size_t count) { end_ -= count; }
    void clear() { begin_ = end_ = 0; }
    // Gives the memory back.
    void release() {
        std::free(data_);
        data_ = nullptr;
        begin_ = end_ = capacity_ = 0;
    }

    void swap(Buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(begin_, other.begin_);
        std::swap(end_, other.end_);
        std::swap(capacity_, other.capacity_);
    }

private:
    void make_room(size_t count) {
        size_t used = size();
        if (begin_ > 0 && capacity_ - used >= count) {
            std::memmove(data_, data_ + begin_, used);
        } else {
            grow(used + count);
        }
        begin_ = 0;
        end_ = used;
    }
    void grow(size_t wanted) {
        size_t next = capacity_ < 512 ? 1024 : capacity_ * 2;
        if (next < wanted) {
            next = wanted;
        }
        // realloc() can move the pages of a large block instead of its bytes.
        bool in_front = begin_ == 0 && end_ > 0;
        char* fresh = static_cast<char*>(in_front ? std::realloc(data_, next) : std::malloc(next));
        if (fresh == nullptr) {
            std::abort();
        }
        if (!in_front) {
            if (size() > 0) {
                std::memcpy(fresh, data_ + begin_, size());
            }
            std::free(data_);
        }
        data_ = fresh;
        capacity_ = next;
    }

    char* data_ = nullptr;
    size_t begin_ = 0;
    size_t end_ = 0;
    size_t capacity_ = 0;
};

}  // namespace stampede
