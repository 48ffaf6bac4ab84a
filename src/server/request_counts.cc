#include "server/request_counts.h"

#include "server/acceptor.h"

namespace stampede::server {

RequestCounts::RequestCounts(shm::Scoreboard& board, const ServiceSettings& settings,
                             Acceptor& acceptor, Host& host)
    : settings_(settings),
      board_(board),
      line_(board.line(settings.worker)),
      in_flight_(line_),
      acceptor_(acceptor),
      host_(host) {}

void RequestCounts::started(Exchange& exchange) {
    exchange.counted = true;
    exchange.board_place = in_flight_.begin(exchange.text(exchange.head.method_text),
                                            exchange.text(exchange.head.target),
                                            exchange.connection_id(), exchange.received_at());
    exchange.number = in_flight_.offer(exchange.board_place, exchange.stream_id());
    // Plain bytes with nothing of an earlier response in front of them.
    net::Connection* connection = exchange.connection();
    if (connection != nullptr && connection->is_plain() && connection->pending() == 0) {
        in_flight_.set_answerable(exchange.board_place, connection->fd());
    }
    count_started();
}

void RequestCounts::ended(Exchange& exchange) {
    if (exchange.counted) {
        exchange.counted = false;
        in_flight_.end(exchange.board_place);
        count_ended(exchange.connection_id());
    }
}

void RequestCounts::call_started() { count_started(); }

void RequestCounts::call_ended(int64_t connection) { count_ended(connection); }

bool RequestCounts::at_limit() const {
    uint32_t most = settings_.limits.max_concurrency;
    return most != UINT32_MAX && board_.total(&shm::WorkerLine::concurrency) >= most;
}

void RequestCounts::count_started() {
    line_.requests.add(1);
    line_.requests_ever.add(1);
    line_.concurrency.add(1);
}

void RequestCounts::message_handled() {
    line_.requests.add(1);
    line_.requests_ever.add(1);
    look_at_limit();
}

void RequestCounts::count_ended(int64_t connection) {
    line_.concurrency.sub(1);
    look_at_limit();
    acceptor_.has_served(connection);
}

void RequestCounts::look_at_limit() {
    bool enough = settings_.max_requests != 0 && line_.requests.get() >= settings_.max_requests;
    if (enough && !exhausted_) {
        exhausted_ = true;
        host_.exhausted();
    }
}

}  // namespace stampede::server
