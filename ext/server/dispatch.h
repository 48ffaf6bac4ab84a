// Which worker a packet or an event of a connection belongs to: the one that accepted it, unless
// the options dispatch_mode or dispatch_func say otherwise. One per worker; PHP thread.
#pragma once

#include <vector>

#include "base/clock.h"
#include "ext/server/connection_events.h"

namespace stampede::classes {

struct Target {
    // kLater: its worker is starting, and is to be asked for again soon; with an event, which
    // cannot wait, the worker that has it handles it.
    enum Kind : uint8_t { kHere, kElsewhere, kLater, kDiscard, kClose } kind = kHere;
    uint32_t line = 0;  // of the scoreboard
};

// dispatch_mode; all others leave packets in the worker that has accepted their connection.
inline constexpr int kAccepting = 0;
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
    // Datagrams have no connection: only the function says where they go.
    bool routes_datagrams() const { return mode_ == kByFunction; }
    // What target() will want to know of the connection.
    uint32_t key_of(const net::Connection& connection, uint32_t uid) const;
    // In the ready phase: may run user code.
    Target target(const ConnectionEvent& what, int type, std::string_view bytes);

private:
    // A worker that is not there, as long as somebody asks for it.
    struct Absence {
        Nanos since = 0;
        Nanos asked_at = 0;
        bool reported = false;
    };

    Target line_of(uint32_t worker);
    bool may_wait_for(uint32_t worker);
    int64_t ask(zend_long fd, int type, std::string_view bytes);

    ServerState& state_;
    int mode_ = kAccepting;
    zend::Callable function_ = zend::Callable::none();
    std::vector<Absence> absent_;  // by worker
};

// A sentence when dispatch_func cannot be called.
std::string check_dispatch(const ServerState& state);
// The log is told once of a dispatch_func or dispatch_mode that has no effect on this server.
void note_dispatch(const ServerState& state);

}  // namespace stampede::classes
