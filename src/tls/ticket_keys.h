// Keys for TLS session tickets, the same in all processes that come from one: a client served
// by one worker resumes at another. A new key comes with each period of time; the one before still
// opens tickets. Each is made from a secret that is replaced by its digest when the period ends, so
// what a process holds does not open older tickets. Owned by the process; any one thread; never
// parks.
#pragma once

#include <cstdint>

#include "base/clock.h"

using SSL_CTX = struct ssl_ctx_st;

namespace stampede::tls {

struct TicketKey {
    uint8_t name[16];
    uint8_t cipher[32];
    uint8_t mac[32];
};

class TicketKeys {
public:
    static constexpr Nanos kPeriod = 6 * 3600 * kSecond;

    explicit TicketKeys(const uint8_t (&secret)[32]);
    // That of this process and of those it will fork; made at the first call.
    static TicketKeys& get();

    // For new tickets, at this time of the wall clock.
    const TicketKey& present(Nanos wall);
    // The key of a ticket, null when it is too old or not ours.
    const TicketKey* find(const uint8_t* name, Nanos wall);

private:
    void advance(Nanos wall);
    void derive(TicketKey& key) const;

    uint8_t secret_[32];
    int64_t period_ = -1;  // of the present key
    bool has_former_ = false;
    TicketKey present_{};
    TicketKey former_{};
};

// Tickets of this context are made with TicketKeys::get().
void use_ticket_keys(SSL_CTX* context);

}  // namespace stampede::tls
