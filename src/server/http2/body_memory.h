// The memory that the request bodies of one connection share: while they take too much of it, the
// connection's window is not given back and its peer waits. Owned by its session; loop thread;
// never parks.
#pragma once

#include <cstdint>

namespace stampede::server {

class Http2Streams;
class Http2Wire;

class Http2BodyMemory {
public:
    Http2BodyMemory(Http2Wire& wire, Http2Streams& streams) : wire_(wire), streams_(streams) {}

    // Bytes of a body came, which used up window of the connection.
    void owe(uint64_t bytes) { owed_ += bytes; }
    // The peer is held back.
    bool owes() const { return owed_ > 0; }
    // As long as the bodies fit into memory.
    void give_window_back();

private:
    bool make_room();

    Http2Wire& wire_;
    Http2Streams& streams_;
    uint64_t owed_ = 0;
};

}  // namespace stampede::server
