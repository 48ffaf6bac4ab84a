// What a worker has at work, for its line of the scoreboard: requests, and calls that are no
// requests (packets). Owned by the service; loop thread; never parks.
#pragma once

#include "server/exchange.h"
#include "server/host.h"
#include "server/settings.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class Acceptor;

class RequestCounts {
public:
    RequestCounts(shm::Scoreboard& board, const ServiceSettings& settings, Acceptor& acceptor,
                  Host& host);

    void started(Exchange& exchange);
    // Does nothing for one that was never started.
    void ended(Exchange& exchange);
    // It gets its response from this process.
    void responded(const Exchange& exchange) {
        in_flight_.set_answerable(exchange.board_place, -1);
    }
    // Its handler leaves it to a Response that is made later, or takes it back.
    void given_up(const Exchange& exchange) {
        if (exchange.counted) {
            in_flight_.set_given_up(exchange.board_place, exchange.detached() ? 1 : 0);
        }
    }
    // Another process has promised the response.
    bool is_claimed(const Exchange& exchange) const {
        return exchange.counted && in_flight_.is_claimed(exchange.board_place);
    }
    void call_started();
    void call_ended(int64_t connection);  // 0: of no connection
    // A message of a WebSocket connection: work that max_requests counts, but no request in flight.
    void message_handled();
    // The whole server handles as many as it may.
    bool at_limit() const;

private:
    void count_started();
    void count_ended(int64_t connection);
    void look_at_limit();

    const ServiceSettings& settings_;
    shm::Scoreboard& board_;
    shm::WorkerLine& line_;
    shm::InFlightList in_flight_;
    Acceptor& acceptor_;
    Host& host_;
    bool exhausted_ = false;
};

}  // namespace stampede::server
