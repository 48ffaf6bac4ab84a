// The events of connections that are no requests (connect, receive, close, bufferFull, bufferEmpty)
// and of datagrams: each a coroutine of its own, begun in the ready phase in the order in which
// they were queued. One per worker; PHP thread.
#pragma once

#include <memory>

#include "ext/server/connection_info.h"
#include "ext/server/event_job.h"
#include "ext/server/state.h"
#include "os/socket.h"

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
    // The same for the end of a connection.
    void queue_end(const ConnectionEvent& what, const ConnectionInfo& info);
    // The same for a datagram.
    void queue_packet(uint32_t port_index, zend_string* data, const os::Address& peer,
                      bool delivered = false);
    // Datagrams whose functions have not ended.
    size_t packets() const { return packets_; }

private:
    // Pooled: there is one for each piece of a stream and each datagram.
    class Call final : public EventJob {
    public:
        explicit Call(ConnectionEvents& owner) : owner_(owner) {}

        Call* next = nullptr;  // that is free
        const zend::Callable* callback = nullptr;
        ConnectionEvent what;
        zend_string* data = nullptr;
        os::Address peer;                              // of a datagram
        size_t size = 0;                               // of the data
        bool redis = false;                            // what it returns is the response
        std::unique_ptr<DepartedConnection> departed;  // whose end it is

    private:
        friend class ConnectionEvents;

        bool prepare() override;
        void work() override;
        void ended(runtime::Outcome outcome) override;
        void not_started() override;
        void dispose() override { owner_.give_back(*this); }

        ConnectionEvents& owner_;
    };

    static constexpr size_t kMostSpare = 1024;

    Call& take(const ConnectionEvent& what, zend_string* data);
    void give_back(Call& call);
    bool send_elsewhere(Call& call);
    bool send_packet_elsewhere(Call& call);
    bool is_outdated(const Call& call) const;
    bool fill_arguments(Call& call);
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
