// The bytes of a request's body, as Buffer, in memory that the handler may have chosen: a reader
// that needs the body in memory of its own kind takes it over without a copy. Owned by one
// exchange; loop thread; never parks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace stampede::server {

// Memory of the handler's own kind. It may keep a header in front of the bytes that it gives.
class BodyMemory {
public:
    virtual ~BodyMemory() = default;
    // Null: it gives none now, and the body goes to the heap.
    virtual char* allocate(size_t size) = 0;
    // The same bytes with more room; null: it gives none, and the bytes stay where they are.
    virtual char* grow(char* bytes, size_t size) = 0;
    virtual void free(char* bytes) = 0;
};

class BodyBuffer {
public:
    BodyBuffer() = default;
    ~BodyBuffer() { release(); }
    BodyBuffer(const BodyBuffer&) = delete;
    BodyBuffer& operator=(const BodyBuffer&) = delete;

    size_t size() const { return end_ - begin_; }
    size_t capacity() const { return capacity_; }
    // What can be written without moving.
    size_t room() const { return capacity_ - end_; }
    std::string_view view() const { return {data_ + begin_, size()}; }

    // From now on, as long as that gives memory. Of an empty buffer.
    void use_memory(BodyMemory& memory) {
        release();
        memory_ = &memory;
    }
    // It grows by doubling, and by that to no more than this.
    void set_expected(size_t size) { expected_ = size; }
    // The whole body where that memory keeps it; null when it is in the heap.
    char* block() const { return memory_ != nullptr && begin_ == 0 ? data_ : nullptr; }

    // Room for at least count bytes at the end; commit() says how many were written.
    char* reserve(size_t count) {
        if (room() < count) {
            make_room(count);
        }
        return data_ + end_;
    }
    void commit(size_t count) { end_ += count; }
    void append(std::string_view bytes) {
        if (!bytes.empty()) {
            std::memcpy(reserve(bytes.size()), bytes.data(), bytes.size());
            commit(bytes.size());
        }
    }
    void consume(size_t count) {
        begin_ += count;
        if (begin_ == end_) {
            begin_ = end_ = 0;
        }
    }
    void release() {
        if (memory_ == nullptr) {
            std::free(data_);
        } else if (data_ != nullptr) {
            memory_->free(data_);
        }
        memory_ = nullptr;
        data_ = nullptr;
        begin_ = end_ = capacity_ = 0;
        expected_ = SIZE_MAX;
    }

private:
    void make_room(size_t count) {
        size_t used = size();
        if (begin_ > 0) {
            std::memmove(data_, data_ + begin_, used);
            begin_ = 0;
            end_ = used;
        }
        if (capacity_ - used < count) {
            resize(std::max({used + count, std::min(capacity_ * 2, expected_), size_t{1024}}));
        }
    }

    void resize(size_t size) {
        if (memory_ != nullptr) {
            char* fresh = data_ == nullptr ? memory_->allocate(size) : memory_->grow(data_, size);
            if (fresh != nullptr) {
                data_ = fresh;
                capacity_ = size;
                return;
            }
            leave_memory();
        }
        char* fresh = static_cast<char*>(std::realloc(data_, size));
        if (fresh == nullptr) {
            std::abort();
        }
        data_ = fresh;
        capacity_ = size;
    }

    void leave_memory() {
        char* lent = data_;
        if (lent != nullptr) {
            data_ = static_cast<char*>(std::malloc(capacity_));
            if (data_ == nullptr) {
                std::abort();
            }
            std::memcpy(data_, lent, end_);
            memory_->free(lent);
        }
        memory_ = nullptr;
    }

    BodyMemory* memory_ = nullptr;
    char* data_ = nullptr;
    size_t begin_ = 0;
    size_t end_ = 0;
    size_t capacity_ = 0;
    size_t expected_ = SIZE_MAX;
};

}  // namespace stampede::server
