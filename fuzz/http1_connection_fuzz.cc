// A whole connection: the input decides what the peer sends, in which pieces, how much it reads,
// and how the handler responds. Whatever happens, memory stays bounded, every exchange ends, and
// what comes out is a sequence of responses.
#include "application.h"

namespace {

using namespace stampede;
using fuzz::check;

void finish(server::Exchange& exchange, uint8_t how) {
    static const std::string kLarge(40000, 'L');
    switch (how % 6) {
        case 0:
            testing::response_with(exchange, exchange.body.view());
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    server::ServiceSettings settings;
    settings.limits.body_bytes = 5000;
    settings.limits.head.head_bytes = 4096;
    settings.limits.pending_out = 20000;
    settings.limits.pending_in = 2000;
    fuzz::Decisions decisions{data, size};
    fuzz::Application run(settings, decisions, finish);
    run.server.handler.arrived = [](server::Exchange& exchange) {
        check(exchange.body.streams());
        check(exchange.connection() == nullptr || exchange.body.view().size() < 5000 + 65536);
    };
    auto client = run.server.connect();
    run.feed(client, [&](uint8_t) {
        net::Connection* connection = client.connection();
        check(connection == nullptr || connection->pending() < 200000);
    });
    client.peer->ended = decisions.next() & 1;
    client.peer->reset = !client.peer->ended;
    run.respond_to_all(client);
    std::string out = client.take();
    check(out.empty() || out.starts_with("HTTP/1.1 "));
    run.end();
    return 0;
}
