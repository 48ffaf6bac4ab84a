// The process that a service works in, as the service sees it. One of the seams: workers, coroutine
// servers, tests. Owned by the caller of the service, outlives it. Loop thread; never parks.
#pragma once

#include <cstdint>
#include <string_view>

#include "net/connection.h"

namespace stampede::server {

class Host {
public:
    virtual ~Host() = default;
    // Gives an accepted connection its transport (TLS), or leaves it plain; false: it is given up.
    virtual bool give_transport(net::Connection& connection) {
        (void)connection;
        return true;
    }
    // This worker leaves a connection that waits to the worker of this line, which the kernel has
    // not woken for it: its service is to look_for_connections().
    virtual void leave_connection_to(uint32_t line) { (void)line; }
    // A stream connection of this worker, which leaves, is at rest: another worker may have it.
    // True when it is taken care of; else it is closed.
    virtual bool hand_over(net::Connection& connection) {
        (void)connection;
        return false;
    }
    // Whether hand_over() would take this one.
    virtual bool can_hand_over(const net::Connection& connection) const {
        (void)connection;
        return false;
    }
    // On a port whose requests are dispatched, before the next one is handled: these bytes have
    // come of it, and maybe of what follows. In the ready phase: may run user code.
    enum class Dispatched : uint8_t {
        kHere,
        kGone,   // the connection is closed, or another worker's
        kLater,  // to be asked again when everything has been sent, or by look_again()
    };
    virtual Dispatched dispatch(net::Connection& connection, std::string_view bytes) {
        (void)connection;
        (void)bytes;
        return Dispatched::kHere;
    }
    // As many requests as the settings allow (max_requests) have been handled; once.
    virtual void exhausted() {}
};

}  // namespace stampede::server
