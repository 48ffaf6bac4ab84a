// The events of connections that are no requests (connect, receive, close, bufferFull, bufferEmpty)
// and of datagrams: each a coroutine of its own, begun in the ready phase in the order in which
// they were queued. One per worker; PHP thread.
#pragma once

#include "ext/server/state.h"
#include "loop/loop.h"
#include "os/socket.h"
#include "runtime/runtime.h"

namespace stampede::classes {

class Dispatcher;

// What happened to whom.
struct ConnectionEvent {
    ServerEvent event = ServerEvent::kReceive;
    uint32_t port_index = 0;
    zend_long fd = 0;
    zend_long reactor = 0;   // below 0: the server closed it
    uint32_t route_key = 0;  // what the dispatch mode goes by
    bool delivered = false;  // this worker is where it belongs
};

class ConnectionEvents {
public:
    ConnectionEvents(ServerState& state, Dispatcher& dispatcher);
    ~ConnectionEvents();
    ConnectionEvents(const ConnectionEvents&) = delete;
    ConnectionEvents& operator=(const ConnectionEvents&) = delete;

    // The string is taken over.
    void queue(const ConnectionEvent& what, zend_string* data = nullptr);
    // The same for a datagram.
    void queue_packet(uint32_t port_index, zend_string* data, const os::Address& peer,
                      bool delivered = false);
    // Datagrams whose functions have not ended.
    size_t packets() const { return packets_; }

private:
    struct Call : runtime::Job, loop::Task {
        ConnectionEvents* owner = nullptr;
        Call* next = nullptr;  // that is free
        zend::Callable* callback = nullptr;
        ConnectionEvent what;
        zend_string* data = nullptr;
        os::Address peer;  // of a datagram
        zval arguments[4];
        uint32_t argument_count = 0;
        size_t size = 0;     // of the data
        bool redis = false;  // what it returns is the response
    };

    static constexpr size_t kMostSpare = 1024;

    Call& take(const ConnectionEvent& what, zend_string* data);
    void give_back(Call& call);
    static void start(loop::Task& task);
    static void run(runtime::Job& job);
    static void finished(runtime::Job& job, runtime::Outcome outcome, zend_object* exception);
    bool send_elsewhere(Call& call);
    bool send_packet_elsewhere(Call& call);
    bool is_outdated(const Call& call) const;
    void fill_arguments(Call& call);
    void not_started(Call& call);
    void count_end(Call& call);

    ServerState& state_;
    Dispatcher& dispatcher_;
    Call* spare_ = nullptr;
    size_t spare_count_ = 0;
    size_t packets_ = 0;
};

// Of this worker, null elsewhere.
ConnectionEvents* connection_events();

}  // namespace stampede::classes
