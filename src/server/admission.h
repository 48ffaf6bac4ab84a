// Which connections are admitted: connections of each address, and PROXY headers in front of
// connections. Owned by the service; loop thread; never parks.
#pragma once

#include "server/settings.h"
#include "shm/address_counts.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class Admission {
public:
    // counts: shared by all workers; null: addresses are not counted.
    Admission(const ServiceSettings& settings, shm::Scoreboard& board, shm::AddressCounts* counts)
        : settings_(settings), board_(board), counts_(counts) {}

    // Whether the connection begins with a PROXY header that is believed.
    bool expects_header(const net::Connection& connection) const;
    // Counts the connection's address; false: it has too many.
    bool enter(net::Connection& connection);
    void leave(net::Connection& connection);

    // Each is counted; the log hears of it at times.
    void note_refused(const net::Connection& connection);
    void note_bad_header(const net::Connection& connection);

    // Whether a refused connection is told why, which then holds a place until it is gone.
    bool begin_telling() {
        bool may = being_told_ < kMostTold;
        being_told_ += may ? 1 : 0;
        return may;
    }
    void end_telling() { being_told_--; }

private:
    static constexpr size_t kMostTold = 64;  // further ones are just closed

    // Says something at most every ten seconds, and how often it happened.
    struct Complaint {
        Nanos next = 0;
        uint64_t count = 0;
        bool due(Nanos now);
    };

    const ServiceSettings& settings_;
    shm::Scoreboard& board_;
    shm::AddressCounts* counts_;
    size_t being_told_ = 0;
    Complaint refused_;
    Complaint bad_headers_;
};

}  // namespace stampede::server
