// What the fuzzers of whole connections share: decisions that the input makes, and an application
// that responds at once, later or never, and reads bodies as forms or in pieces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>

#include "contract/server/memory_server.h"

namespace stampede::fuzz {

// Takes decisions off the end of the input, as long as there is some.
struct Decisions {
    const uint8_t* data;
    size_t size;
    uint8_t next() { return size > 0 ? data[--size] : 0; }
};

inline void check(bool condition) {
    if (!condition) {
        std::abort();
    }
}

struct Application {
    testing::MemoryServer server;
    std::deque<server::Exchange*> waiting;
    Decisions& decisions;
    void (*finish)(server::Exchange& exchange, uint8_t how);

    Application(const server::ServiceSettings& settings, Decisions& decided,
                void (*finishes)(server::Exchange& exchange, uint8_t how))
        : server(settings), decisions(decided), finish(finishes) {
        server.handler.response = [this](server::Exchange& exchange) {
            decide(exchange, decisions.next());
        };
        server.handler.begins = [this](server::Exchange& exchange) { choose_body(exchange); };
        server.handler.arrived = [](server::Exchange& exchange) { check(exchange.body.streams()); };
    }

    // Some bodies are forms, without files; some are read while they come.
    void choose_body(server::Exchange& exchange) {
        uint8_t how = decisions.next();
        if (how & 1) {
            server::FormLimits limits;
            limits.files = 0;
            limits.field_bytes = 1000;
            exchange.body.expect_form(std::make_unique<server::Form>("b", limits), how);
        } else if (how & 2) {
            exchange.body.stream();
            exchange.body.set_room(how);
        }
    }

    void decide(server::Exchange& exchange, uint8_t how) {
        if (how & 0x80) {
            exchange.hold();
            waiting.push_back(&exchange);
        } else {
            finish(exchange, how);
        }
    }

    void respond_to_waiting(uint8_t how) {
        if (waiting.empty()) {
            return;
        }
        server::Exchange* exchange = waiting.front();
        if (exchange->body.streams()) {
            exchange->consume_body(std::min<size_t>(exchange->body.view().size(), how * 8u));
        }
        if ((how & 0x10) && !exchange->body.whole() && exchange->connection() != nullptr) {
            return;  // it goes on reading
        }
        waiting.pop_front();
        finish(*exchange, how);
        exchange->release();
    }

    // The input up to its decisions in pieces, to a peer that reads little at times. after(step)
    // is called after each.
    template <typename After>
    void feed(testing::MemoryServer::Client& client, After&& after) {
        size_t at = 0;
        while (at < decisions.size && client.open()) {
            uint8_t step = decisions.next();
            client.peer->write_room = (step & 1) ? SIZE_MAX : step * 16u;
            size_t left = decisions.size - std::min(at, decisions.size);
            size_t piece = std::min<size_t>(left, 1u + (step >> 1) * 3u);
            client.send({reinterpret_cast<const char*>(decisions.data) + at, piece});
            at += piece;
            if (step & 2) {
                respond_to_waiting(step);
                client.pump();
            }
            after(step);
        }
    }

    void respond_to_all(testing::MemoryServer::Client& client) {
        client.peer->write_room = SIZE_MAX;
        client.pump();
        while (!waiting.empty()) {
            respond_to_waiting(4);
            client.pump();
        }
    }

    void end() {
        server.service->connections().close_all(net::CloseCause::kServer);
        check(server.handler.opened_count == server.handler.closed_count);
        check(server.board->line(0).concurrency.get() == 0);
    }
};

}  // namespace stampede::fuzz
