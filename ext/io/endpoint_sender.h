// Sending at an Endpoint: bytes, datagrams, files. A call fails with the state's error; timeouts
// are seconds as the API takes them. Owned by its Endpoint; PHP thread; parks in a coroutine,
// blocks outside.
#pragma once

#include "io/endpoint_state.h"

namespace stampede::io {

class EndpointSender {
public:
    explicit EndpointSender(EndpointState& state) : state_(state) {}

    // Bytes that went out; -1 with error() when none did.
    long send(std::string_view bytes, double timeout);
    long send_all(std::string_view bytes, double timeout);
    long send_vector(const iovec* parts, int count, double timeout);
    long send_vector_all(const iovec* parts, int count, double timeout);
    long send_to(std::string_view host, int port, std::string_view bytes);
    // count 0 = to the end of the file.
    bool send_file(const char* path, zend_long offset, zend_long count);

private:
    EndpointState& state_;
};

}  // namespace stampede::io
