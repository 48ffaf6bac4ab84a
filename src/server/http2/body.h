// What a stream still has to send, in order: small bytes copied, large ones by reference, files by
// descriptor. Frames of it move to the connection as flow control lets them. Owned by its stream;
// loop thread; never parks.
//
//   append(aaaa) add(S) append(bb) add(T) append(c)
//
//   copied_:    aaaa bb c           all copied bytes in one run
//   segments_:  S: 4 before, T: 2 before             -> sent as aaaa S bb T c
//   claimed_:   6, the bytes of copied_ that go before some segment
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "net/connection.h"

namespace stampede::server {

class Http2Body {
public:
    Http2Body() = default;
    ~Http2Body() { clear(); }
    Http2Body(const Http2Body&) = delete;
    Http2Body& operator=(const Http2Body&) = delete;

    void append(std::string_view bytes) {
        copied_.append(bytes);
        size_ += bytes.size();
    }
    void add(const net::BytesRef& bytes);
    void add(const net::FileRange& file);

    uint64_t size() const { return size_; }
    // The next bytes, as many as are there. False when a file turned out shorter than it was.
    bool move_to(net::Connection& connection, size_t count);
    void clear();
    // For the next stream: keeps a small buffer.
    void reuse();

private:
    static constexpr size_t kKept = 4096;

    // Bytes that several frames point into: frames leave with the connection's queue, which may
    // outlive the stream. One holder is the segment, until all of it has moved, and one is each
    // frame.
    struct Shared {
        net::BytesRef bytes;
        uint32_t holders;
    };
    struct Segment {
        uint64_t copied_before;  // copied bytes ahead of it
        Shared* shared;
        net::FileRange file;
    };

    static void let_go(void* shared);
    size_t move_copied(net::Connection& connection, size_t most);
    size_t move_shared(net::Connection& connection, Segment& segment, size_t most);
    size_t move_file(net::Connection& connection, Segment& segment, size_t most);
    void pop_front();

    Buffer copied_;
    std::vector<Segment> segments_;
    uint64_t claimed_ = 0;  // sum of copied_before
    uint64_t size_ = 0;
};

}  // namespace stampede::server
