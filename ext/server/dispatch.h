// Which worker a packet or an event of a connection belongs to: the one that accepted it, unless
// the options dispatch_mode or dispatch_func say otherwise. One per worker; PHP thread.
#pragma once

#include <vector>

#include "base/clock.h"
#include "ext/server/connection_events.h"
#include "loop/loop.h"

namespace stampede::classes {

struct Target {
    // kLater: its worker is starting, and the session of the connection is told when to look again.
    // Only what is received can wait; events and datagrams are handled here then.
    enum Kind : uint8_t { kHere, kElsewhere, kLater, kDiscard, kClose } kind = kHere;
    uint32_t line = 0;  // of the scoreboard
};

// dispatch_mode; all others leave packets in the worker that has accepted their connection. The
// first three spread the packets of each stream connection over the workers.
inline constexpr int kAccepting = 0;
inline constexpr int kInTurn = 1;
inline constexpr int kIdle = 3;
inline constexpr int kInTurnToo = 7;
inline constexpr int kByAddress = 4;
inline constexpr int kByUser = 5;
inline constexpr int kByFunction = 6;  // dispatch_func

class Dispatcher {
public:
    explicit Dispatcher(ServerState& state);
    ~Dispatcher();
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    // False: everything stays in the worker that accepted the connection.
    bool routes() const { return mode_ != kAccepting; }
    bool spreads() const { return mode_ == kInTurn || mode_ == kIdle; }
    // A request is handled where its connection is, which would have to move for each.
    bool routes_requests() const { return routes() && !spreads(); }
    // Datagrams have no connection: only the function says where they go.
    bool routes_datagrams() const { return mode_ == kByFunction; }
    // What target() will want to know of the connection; its session, if it is a stream.
    uint32_t key_of(const net::Connection& connection, const server::StreamSession* session) const;
    // In the ready phase: may run user code.
    Target target(const ConnectionEvent& what, int type, std::string_view bytes);

private:
    // Of a worker that is not there.
    struct Absence {
        std::vector<int64_t> waiting;  // connections
        Nanos since = 0;               // they wait
        bool given_up = false;         // until the worker is seen again
    };
    struct Look : loop::Timer {
        Dispatcher* owner;
    };

    Target next_target(const ConnectionEvent& what);
    Target line_of(uint32_t worker, const ConnectionEvent& what);
    bool find_line(uint32_t worker, uint32_t& line) const;
    bool is_awaited(uint32_t worker) const;
    void look_for_workers();
    void give_up(uint32_t worker);
    int64_t ask(zend_long fd, int type, std::string_view bytes);

    ServerState& state_;
    int mode_ = kAccepting;
    uint32_t last_ = 0;  // the worker that had its turn
    zend::Callable function_ = zend::Callable::none();
    std::vector<Absence> absent_;  // by worker
    Look look_;
};

// A sentence when dispatch_func cannot be called.
std::string check_dispatch(const ServerState& state);
// The log is told once of a dispatch_func or dispatch_mode that has no effect on this server.
void note_dispatch(const ServerState& state);

}  // namespace stampede::classes
