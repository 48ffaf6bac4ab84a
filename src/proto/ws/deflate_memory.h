// The states of zlib that the WebSocket connections of a process have: some hundred kilobytes for
// each that has spoken. They share one amount of memory: above it the connections that have been
// silent for the longest time give theirs back, and keep what the peer may refer to. Of the
// process; its thread of PHP, never parks.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/list.h"

namespace stampede::proto::ws {

class Deflate;

// On the heap, since zlib's state points back to it.
struct Compressor {
    static std::unique_ptr<Compressor> create(uint8_t bits, int level);
    ~Compressor() { deflateEnd(&stream); }
    static size_t cost(uint8_t bits) { return (size_t{4} << bits) + (size_t{136} << 10); }

    z_stream stream{};
    uint8_t bits = 0;
    int level = 0;
};
struct Decompressor {
    static std::unique_ptr<Decompressor> create(uint8_t bits);
    ~Decompressor() { inflateEnd(&stream); }
    static size_t cost(uint8_t bits) { return (size_t{1} << bits) + (size_t{7} << 10); }

    z_stream stream{};
    uint8_t bits = 0;
};

// What a connection that has states is listed by, the one that has been silent longest first.
struct DeflateUse : ListNode {
    explicit DeflateUse(Deflate& deflate) : deflate(&deflate) {}

    Deflate* deflate;
    bool is_recent = false;  // since the last trim()
};

class DeflateMemory {
public:
    static constexpr size_t kUsual = size_t{16} << 20;

    void set_most(size_t bytes) { most_ = bytes; }
    size_t used() const { return used_; }
    // Connections without a message since the last call give their states back.
    void trim();

    // For Deflate. Null when memory is short.

    std::unique_ptr<Compressor> lend_compressor(DeflateUse& to, uint8_t bits, int level);
    std::unique_ptr<Decompressor> lend_decompressor(DeflateUse& to, uint8_t bits);
    void take_back(std::unique_ptr<Compressor> state);
    void take_back(std::unique_ptr<Decompressor> state);
    void note(DeflateUse& use);

private:
    void make_room(const DeflateUse& for_this, size_t bytes);

    List<DeflateUse> uses_;
    std::unique_ptr<Compressor> spare_compressor_;
    std::unique_ptr<Decompressor> spare_decompressor_;
    size_t most_ = kUsual;
    size_t used_ = 0;  // without the spares
};

DeflateMemory& deflate_memory();

}  // namespace stampede::proto::ws
