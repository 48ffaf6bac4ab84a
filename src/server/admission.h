// Which connections are admitted: connections of each address, and PROXY headers in front of
// connections. Owned by the service; loop thread; never parks.
#pragma once

#include "server/settings.h"
#include "shm/address_counts.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class Admission {
public:
    Admission(const ServiceSettings& settings, shm::Scoreboard& board)
        : settings_(settings), board_(board) {}

    // Shared by all workers. Without it addresses are not counted.
    void set_counts(shm::AddressCounts* counts) { counts_ = counts; }

    // Whether the connection begins with a PROXY header that is believed.
    bool expects_header(const net::Connection& connection) const;
    // Counts the connection's address; false: it has too many.
    bool enter(net::Connection& connection);
    void leave(net::Connection& connection);

    // Each is counted; the log hears of it at times.
    void note_refused(const net::Connection& connection);
    void note_bad_header(const net::Connection& connection);

private:
    // Says something at most every ten seconds, and how often it happened.
    struct Complaint {
        Nanos next = 0;
        uint64_t count = 0;
        bool due(Nanos now);
    };

    const ServiceSettings& settings_;
    shm::Scoreboard& board_;
    shm::AddressCounts* counts_ = nullptr;
    Complaint refused_;
    Complaint bad_headers_;
};

}  // namespace stampede::server
