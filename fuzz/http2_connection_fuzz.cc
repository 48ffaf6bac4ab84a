// A whole HTTP/2 connection: the input decides what the peer sends behind its preface, in which
// pieces, how much it reads, and how the handler responds. Whatever happens, memory stays bounded,
// every exchange ends, and what comes out is a sequence of frames.
#include "application.h"
#include "proto/ws/writer.h"
#include "server/websocket_session.h"

namespace {

using namespace stampede;
using fuzz::check;

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
// Settings, so that not every input has to find out what they look like.
constexpr std::string_view kStart{"\0\0\0\4\0\0\0\0\0", 9};

void finish(server::Exchange& exchange, uint8_t how) {
    static const std::string kLarge(40000, 'L');
    static constexpr server::FieldRef kTrailer{"x-sum", "1"};
    switch (how % 7) {
        case 0:
            testing::response_with(exchange, exchange.body.view());
            break;
        case 1:
            exchange.send_head({}, server::kUnknownLength);
            exchange.send_body("piece");
            exchange.send_trailers(&kTrailer, 1);
            exchange.finish();
            break;
        case 2:
            exchange.send_head({}, kLarge.size());
            exchange.send_body("first");
            exchange.send_body_ref({kLarge, nullptr, [](void*) {}});
            exchange.send_body("last");
            exchange.finish();
            break;
        case 3:
            exchange.abort();
            break;
        case 4:
            exchange.finish();
            break;
        case 5:
            exchange.send_head({}, server::kUnknownLength);
            exchange.send_body_ref({kLarge, nullptr, [](void*) {}});
            break;  // and never ends it
        default:
            exchange.send_head({}, 3);
            exchange.send_body("too much for it");
            exchange.finish();
    }
}

// The application of a tunnel: it sends back what comes, and ends when the peer wants that.
struct Talker final : server::WebSocketOwner {
    explicit Talker(server::WebSocketSession* of) : session(of) {}
    void on_input() override {}
    void on_drained() override {}
    void on_progress() override {}
    void on_gone() override { gone = true; }

    server::WebSocketSession* session;
    bool gone = false;

    void work() {
        using Kind = proto::ws::ReadEvent::Kind;
        while (!gone && !session->connection().closing()) {
            proto::ws::ReadEvent event = session->next();
            if (event.kind == Kind::kNeedMore) {
                if (session->ended()) {
                    session->close_after_flush();
                }
                return;
            }
            if (event.kind == Kind::kBad) {
                session->send_close(event.code, {});
                session->connection().close_lingering();
            } else if (event.kind == Kind::kClose) {
                session->send_close(1000, {});
                session->close_after_flush();
            } else if (!session->close_sent()) {
                proto::ws::append_frame(session->out(), {event.opcode, true, 0, false, {}},
                                        event.payload);
                session->sent();
            }
        }
    }
};

struct Run : fuzz::Application {
    std::deque<Talker> talkers;

    Run(const server::ServiceSettings& settings, fuzz::Decisions& decided)
        : Application(settings, decided, ::finish) {
        server.handler.response = [this](server::Exchange& exchange) {
            uint8_t how = decisions.next();
            if (exchange.head.upgrade && (how & 0x40) == 0) {
                open_tunnel(exchange);
            } else {
                decide(exchange, how);
            }
        };
    }

    void open_tunnel(server::Exchange& exchange) {
        auto fresh = std::make_unique<server::WebSocketSession>(
            exchange.service(), *exchange.connection(), proto::ws::ReadLimits{2000, 16}, nullptr);
        Talker& talker = talkers.emplace_back(fresh.get());
        talker.session->set_owner(&talker);
        static constexpr server::FieldRef kFields[] = {{"Upgrade", "websocket"}, {"A", "b"}};
        if (!exchange.upgrade(kFields, std::move(fresh))) {
            std::abort();
        }
    }

    // Those with an even place read and write, the others are closed one after the other.
    void work(uint8_t how) {
        for (size_t i = 0; i < talkers.size(); i++) {
            if (talkers[i].gone || ((how >> 3) & 1) == (i & 1)) {
                continue;
            }
            if ((how & 0xf0) == 0xf0) {
                talkers[i].session->connection().close_now(net::CloseCause::kServer);
            } else {
                talkers[i].work();
            }
        }
    }
};

// Whole frames of no forbidden size, the last one perhaps cut off.
void check_frames(std::string_view out) {
    while (out.size() >= 9) {
        auto byte = [&](size_t at) { return static_cast<uint8_t>(out[at]); };
        size_t length = size_t{byte(0)} << 16 | size_t{byte(1)} << 8 | byte(2);
        check(length <= (1u << 24) && byte(3) <= 9);
        out.remove_prefix(std::min(out.size(), 9 + length));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    server::ServiceSettings settings;
    settings.limits.body_bytes = 5000;
    settings.http2.max_concurrent_streams = 8;
    settings.http2.body_memory = 10000;
    settings.http2.max_header_list_size = 4096;
    settings.http2.ports = {true};
    fuzz::Decisions decisions{data, size};
    Run run(settings, decisions);
    auto client = run.server.connect();
    client.send(kPreface);
    client.send(kStart);
    run.feed(client, [&](uint8_t step) {
        if (step & 4) {
            run.work(step);
            client.pump();
        }
        net::Connection* connection = client.connection();
        check(connection == nullptr || connection->pending() < 400000);
    });
    uint8_t end = decisions.next();
    client.peer->ended = end & 1;
    client.peer->reset = !client.peer->ended;
    if (end & 2) {
        client.peer->write_room = SIZE_MAX;
        run.server.service->drain();
        run.server.service->connections().close_idle(server::ConnectionTable::Idle::kAll);
    }
    run.respond_to_all(client);
    run.work(0);
    run.work(8);
    client.pump();
    check_frames(client.take());
    run.end();
    return 0;
}
