// The listeners of a worker, and when it takes a connection and when it leaves it to the others:
// one accept queue serves all workers. Owned by the service; loop thread; never parks.
#pragma once

#include <memory>
#include <vector>

#include "base/error.h"
#include "loop/loop.h"
#include "server/settings.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class ConnectionTable;
class Host;
class Service;

class Acceptor {
public:
    // What is accepted is given to the service.
    Acceptor(Service& service, loop::Loop& loop, shm::Scoreboard& board,
             const ServiceSettings& settings, Host& host);
    ~Acceptor();
    Acceptor(const Acceptor&) = delete;
    Acceptor& operator=(const Acceptor&) = delete;

    // The descriptor stays the caller's.
    Error add(int fd, uint32_t port_index);
    // The connection's first request has ended, or it has gone: it does not hold up what comes
    // next.
    void has_served(int64_t connection) {
        if (connection == awaited_ && connection != 0) {
            go_on();
        }
    }
    // A connection waits that another worker leaves to this one, and of which the kernel may have
    // told that one alone.
    void look();
    // For good. What the kernel has accepted for this worker is taken first: served, not reset.
    void stop();
    // What this listener has accepted, of any worker, after stop(). False: there is no room for it.
    bool take_queued(int fd, uint32_t port_index);
    // A client beyond this machine may be in the middle of a handshake.
    bool may_have_handshakes() const;

private:
    static constexpr uint32_t kNone = UINT32_MAX;
    static constexpr Nanos kHandshakes = kSecond;  // how long others are expected after one

    struct Listener : loop::Watch {
        Acceptor* acceptor;
        uint32_t port_index;
        bool watched;
        bool forced;   // the next accept does not ask which worker has fewer
        bool nodelay;  // its connections inherit it
    };
    struct RetryTimer : loop::Timer {
        Acceptor* acceptor;
    };

    void accept_some(Listener& listener);
    Result<int64_t> accept_one(Listener& listener);
    bool failed(const Error& error);
    bool sibling_is_free() const;
    // The other workers of the accept queue, and this one.
    struct Shares {
        uint64_t total = 0;  // connections
        uint64_t workers = 0;
        uint64_t fewest = UINT64_MAX;  // of the others
        uint32_t other = kNone;        // the line of the one that has these
    };
    Shares shares() const;
    bool has_more_than_its_share(const Shares& shares) const;
    // The kernel has told this worker alone of the connection that it does not take now, and a
    // handler may block it from now on.
    void leave(const Shares& shares, Nanos retry_after);
    void make_room(Nanos retry_after);
    // Why nothing is accepted at the moment.
    enum class Pause : uint8_t {
        kNone,
        kForOthers,  // they are idle, or have fewer connections
        kForRoom,
    };
    void pause(Pause why, Nanos retry_after);
    void retry();
    void resume(bool forced);
    void go_on();
    void unwatch_all();

    // How many are taken at once. With siblings on the same queue one: an idle worker gets the
    // next. Else one as well until the queue has had something each time for a while: a look into
    // an empty queue costs as much as the next event.
    int burst() const;
    static constexpr int kBurst = 8;
    static constexpr int kBacklogged = 32;

    Service& service_;
    ConnectionTable& connections_;
    loop::Loop& loop_;
    shm::Scoreboard& board_;
    const ServiceSettings& settings_;
    Host& host_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    RetryTimer retry_;
    int64_t awaited_ = 0;  // accepting goes on when this connection's first request has ended
    Nanos wait_again_at_ = 0;
    Nanos last_distant_at_ = -kHandshakes;  // the last connection from beyond this machine
    Pause pause_ = Pause::kNone;
    int found_in_a_row_ = 0;
    bool stopped_ = false;
};

}  // namespace stampede::server
