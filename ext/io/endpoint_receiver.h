// Receiving at an Endpoint: bytes, lines, packets, datagrams. A call fails with the state's error;
// timeouts are seconds as the API takes them. Owned by its Endpoint; PHP thread; parks in a
// coroutine, blocks outside.
#pragma once

#include <memory>

#include "base/buffer.h"
#include "io/endpoint_state.h"
#include "proto/frame/frame.h"

namespace stampede::io {

class EndpointReceiver {
public:
    explicit EndpointReceiver(EndpointState& state) : state_(state) {}

    // A string of at most size bytes, empty at the peer's end; null with error().
    zend_string* receive(size_t size, double timeout);
    // The same until it is full or the peer has ended. Cut short by an error it is what has come,
    // with error(); null when that is nothing.
    zend_string* receive_all(size_t size, double timeout);
    zend_string* receive_line(size_t size, double timeout);
    // Reads ahead into a buffer of its own.
    zend_string* receive_buffered(size_t size, double timeout);
    zend_string* receive_packet(double timeout);
    zend_string* receive_from(size_t size, os::Address& peer, double timeout);
    zend_string* peek(size_t size);
    // The same, but waits for the first byte.
    zend_string* await_peek(size_t size, double timeout);
    // Bytes that went into the parts; -1 with error() when none did.
    long receive_vector(iovec* parts, int count, double timeout);
    long receive_vector_all(iovec* parts, int count, double timeout);

    // What lines were made of leaves the socket, before anything else reads from it.
    void take_seen() {
        if (UNEXPECTED(taken_ != 0)) {
            drop_seen();
        }
    }
    // Something was read ahead.
    bool has_buffered() const { return !buffer_.empty(); }
    // A new stream begins; the rules for packets are others.
    void restart();
    void forget_rules() { framer_.reset(); }

private:
    long receive_bytes(char* out, size_t capacity, Nanos until);
    long receive_datagram(char* out, size_t capacity, os::Address* peer, Nanos until);
    long receive_record(iovec* parts, int count, Nanos until);
    zend_string* receive_large(size_t size, Nanos until);
    bool look_ahead(Nanos until);
    void drop_seen();
    zend_string* take_buffered(size_t size);
    zend_string* take_packet();
    proto::frame::Verdict look_for_packet();

    EndpointState& state_;
    std::unique_ptr<proto::frame::Framer> framer_;
    Buffer buffer_;
    // Lines are made of what was seen of the socket without taking it, so that a handshake or
    // another process finds all that is no line of ours: `taken_` bytes before these are still
    // there and belong to lines that were returned.
    Buffer seen_;
    size_t taken_ = 0;
    int unframeable_ = 0;  // the error of a packet that could not be; those after it are lost
};

}  // namespace stampede::io
