// nghttp2 asks for memory of a few sizes for each stream and frees it with the stream: malloc() was
// a tenth of the cost of a request.
#include "proto/http2/memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace stampede::proto::http2 {

namespace {

constexpr size_t kStep = 32;
constexpr size_t kClasses = 20;       // up to 640 bytes
constexpr uint32_t kKeptEach = 4096;  // pieces of a class, beyond which they go back

// Stands before each piece.
struct alignas(16) Header {
    size_t size;  // of what follows
    Header* next;
};

struct Class {
    Header* first = nullptr;
    uint32_t count = 0;
};

Class classes[kClasses];

void* take(size_t size, void*) {
    size_t index = (size + kStep - 1) / kStep;
    if (index < kClasses) {
        Class& kept = classes[index];
        if (Header* header = kept.first) {
            kept.first = header->next;
            kept.count--;
            return header + 1;
        }
        size = index * kStep;
    }
    auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
    if (header == nullptr) {
        return nullptr;
    }
    header->size = size;
    return header + 1;
}

void give_back(void* piece, void*) {
    if (piece == nullptr) {
        return;
    }
    Header* header = static_cast<Header*>(piece) - 1;
    size_t index = header->size / kStep;
    if (index < kClasses && header->size % kStep == 0 && classes[index].count < kKeptEach) {
        header->next = classes[index].first;
        classes[index].first = header;
        classes[index].count++;
        return;
    }
    std::free(header);
}

void* take_zeroed(size_t count, size_t size, void*) {
    if (size != 0 && count > SIZE_MAX / size) {
        return nullptr;
    }
    void* piece = take(count * size, nullptr);
    if (piece != nullptr) {
        std::memset(piece, 0, count * size);
    }
    return piece;
}

void* change(void* piece, size_t size, void*) {
    if (piece == nullptr) {
        return take(size, nullptr);
    }
    size_t before = (static_cast<Header*>(piece) - 1)->size;
    if (size <= before) {
        return piece;
    }
    void* fresh = take(size, nullptr);
    if (fresh != nullptr) {
        std::memcpy(fresh, piece, before);
        give_back(piece, nullptr);
    }
    return fresh;
}

nghttp2_mem memory{nullptr, take, give_back, take_zeroed, change};

}  // namespace

nghttp2_mem* pooled_memory() { return &memory; }

}  // namespace stampede::proto::http2
