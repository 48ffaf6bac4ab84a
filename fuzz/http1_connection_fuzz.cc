// A whole connection: the input decides what the peer sends, in which pieces, how much it reads,
// and how the handler answers. Whatever happens, memory stays bounded, every exchange ends, and
// what comes out is a sequence of answers.
#include <algorithm>
#include <cstdlib>
#include <deque>

#include "contract/server/memory_server.h"

namespace {

using namespace stampede;

// Takes decisions off the end of the input, as long as there is some.
struct Decisions {
    const uint8_t* data;
    size_t size;
    uint8_t next() { return size > 0 ? data[--size] : 0; }
};

void check(bool condition) {
    if (!condition) {
        std::abort();
    }
}

struct Run {
    testing::MemoryServer server;
    std::deque<server::Exchange*> waiting;
    Decisions* decisions = nullptr;

    explicit Run(const server::ServiceSettings& settings) : server(settings) {
        server.handler.answer = [this](server::Exchange& exchange) { decide(exchange); };
        server.handler.begins = [this](server::Exchange& exchange) { choose_body(exchange); };
        server.handler.arrived = [](server::Exchange& exchange) {
            check(exchange.body_streams());
            check(exchange.connection() == nullptr || exchange.body().size() < 5000 + 65536);
        };
    }

    static void finish(server::Exchange& exchange, uint8_t how) {
        static const std::string kLarge(40000, 'L');
        switch (how % 6) {
            case 0:
                testing::answer_with(exchange, exchange.body());
                break;
            case 1:
                exchange.send_head({}, server::kUnknownLength);
                exchange.send_body("piece");
                exchange.send_body("");
                exchange.finish();
                break;
            case 2:
                exchange.send_head({}, kLarge.size());
                exchange.send_body_ref({kLarge, nullptr, [](void*) {}});
                exchange.finish();
                break;
            case 3:
                exchange.abort();
                break;
            case 4:
                exchange.finish();
                break;
            default:
                exchange.send_head({}, 3);
                exchange.send_body("too much for it");
                exchange.finish();
        }
    }

    // Some bodies are forms, without files; some are read while they come.
    void choose_body(server::Exchange& exchange) {
        uint8_t how = decisions->next();
        if (how & 1) {
            server::FormLimits limits;
            limits.files = 0;
            limits.field_bytes = 1000;
            exchange.expect_form(std::make_unique<server::Form>("b", limits), how);
        } else if (how & 2) {
            exchange.stream_body();
            exchange.set_body_room(how);
        }
    }

    static void read_some(server::Exchange& exchange, uint8_t how) {
        if (exchange.body_streams()) {
            exchange.consume_body(std::min<size_t>(exchange.body().size(), how * 8u));
        }
    }

    void decide(server::Exchange& exchange) {
        uint8_t how = decisions->next();
        if (how & 0x80) {
            exchange.hold();
            waiting.push_back(&exchange);
        } else {
            finish(exchange, how);
        }
    }

    void answer_waiting(uint8_t how) {
        if (!waiting.empty()) {
            server::Exchange* exchange = waiting.front();
            read_some(*exchange, how);
            if ((how & 0x10) && !exchange->body_whole() && exchange->connection() != nullptr) {
                return;  // it goes on reading
            }
            waiting.pop_front();
            finish(*exchange, how);
            exchange->release();
        }
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    server::ServiceSettings settings;
    settings.limits.body_bytes = 5000;
    settings.limits.head.head_bytes = 4096;
    settings.limits.pending_out = 20000;
    settings.limits.pending_in = 2000;
    Decisions decisions{data, size};
    Run run(settings);
    run.decisions = &decisions;
    auto client = run.server.connect();
    size_t at = 0;
    while (at < decisions.size && client.open()) {
        uint8_t step = decisions.next();
        client.peer->write_room = (step & 1) ? SIZE_MAX : step * 16u;
        size_t piece =
            std::min<size_t>(decisions.size - std::min(at, decisions.size), 1u + (step >> 1) * 3u);
        client.send({reinterpret_cast<const char*>(data) + at, piece});
        at += piece;
        if (step & 2) {
            run.answer_waiting(step);
            client.pump();
        }
        net::Connection* connection = client.connection();
        check(connection == nullptr || connection->pending() < 200000);
    }
    client.peer->ended = decisions.next() & 1;
    client.peer->reset = !client.peer->ended;
    client.peer->write_room = SIZE_MAX;
    client.pump();
    while (!run.waiting.empty()) {
        run.answer_waiting(4);
        client.pump();
    }
    std::string out = client.take();
    check(out.empty() || out.starts_with("HTTP/1.1 "));
    run.server.service->close_all(net::CloseCause::kServer);
    check(run.server.handler.opened_count == run.server.handler.closed_count);
    check(run.server.board->line(0).concurrency.get() == 0);
    return 0;
}
