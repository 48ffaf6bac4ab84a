// One c-ares channel on the loop: its sockets are watched, its time-outs are one timer. It keeps no
// loop alive by itself: a coroutine that waits for a reply announces that. Owned by the Resolver,
// loop thread, never parks.
#pragma once

#include <ares.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "loop/loop.h"

namespace stampede::net {

class DnsChannel {
public:
    struct Options {
        std::string servers;      // "10.0.0.1,10.0.0.2:5353"; empty: those of resolv_conf
        std::string resolv_conf;  // empty: the system's
        int try_millis = 0;       // of the first try; 0: what resolv_conf says
        int tries = 0;
    };

    static Result<std::unique_ptr<DnsChannel>> create(loop::Loop& loop, const Options& options);
    // Whether a list of servers can be read.
    static bool can_read(const std::string& servers);
    // Pending queries end with ARES_EDESTRUCTION.
    ~DnsChannel();
    DnsChannel(const DnsChannel&) = delete;
    DnsChannel& operator=(const DnsChannel&) = delete;

    // The callback comes exactly once, possibly at once.
    void query(const char* name, int family, ares_addrinfo_callback callback, void* arg);
    // Pending queries end with ARES_ECANCELLED and their sockets are closed.
    void give_up();
    // A callback is being called: the channel must stay.
    bool busy() const { return busy_ > 0; }

private:
    struct Socket : loop::Watch {
        DnsChannel* owner;
    };

    explicit DnsChannel(loop::Loop& loop);
    static void on_socket_state(void* arg, ares_socket_t fd, int readable, int writable);
    static void on_ready(loop::Watch& watch, uint32_t events);
    void set_interest(int fd, uint32_t interest);
    void process(int readable, int writable);
    void set_timer();
    void stop_timer();

    struct Timer : loop::Timer {
        DnsChannel* owner;
    };

    loop::Loop& loop_;
    ares_channel channel_ = nullptr;
    std::vector<std::unique_ptr<Socket>> sockets_;
    Timer timer_;
    int busy_ = 0;
};

}  // namespace stampede::net
