// Requests of a worker that the server's first process kills (a time limit for requests): the
// application may still respond to those that had no response, Response::create(). The sockets of
// their connections are taken over before the signal is sent, and closed when nothing was sent on
// them within a second. PHP thread; keep() blocks it until the worker has ended, 100 ms at most.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "os/fd.h"

namespace stampede::classes {

struct KilledRequest {
    int64_t connection = 0;
    os::Fd socket;
    bool is_head = false;   // HEAD: the response has no body
    bool is_taken = false;  // has its response
    Nanos until = 0;
};

class KilledRequests {
public:
    // Looks at what the process has in flight; 0, or no worker of a server of this process:
    // nothing.
    explicit KilledRequests(pid_t worker);
    // The signal has been sent. Only what the worker has not responded to before its end is kept.
    void keep();

private:
    void look(uint32_t line);

    os::Fd process_;
    uint32_t line_ = 0;
    struct Found {
        KilledRequest request;
        size_t place;  // of its entry in the line
        Nanos since;   // the time of the request
    };
    std::vector<Found> found_;
};

// In a process that was forked meanwhile: the sockets are its parent's.
void forget_killed_requests();
// Null: it is none of those, or has its response.
KilledRequest* killed_request(int64_t connection);
// Closes the socket of one that has its response, when the client has had time to read it.
void linger(os::Fd socket);

}  // namespace stampede::classes
