// Takes what stream and datagram ports of a server bring, and turns it into events. One per worker;
// PHP thread.
#pragma once

#include "ext/server/connection_events.h"
#include "ext/server/dispatch.h"
#include "server/stream.h"

namespace stampede::classes {

class ReceiveHandler final : public server::StreamHandler {
public:
    explicit ReceiveHandler(ServerState& state)
        : state_(state), dispatcher_(state), events_(state, dispatcher_) {}

    // Whether what ports of this kind bring may belong to other workers.
    bool routes(PortKind kind) const {
        return kind == PortKind::kHttp ? dispatcher_.routes_requests() : dispatcher_.routes();
    }
    // Which worker handles the request that begins with these bytes. In the ready phase: may run
    // user code, which may close the connection.
    Target target_of(net::Connection& connection, std::string_view bytes);
    // The events connect and close of any port, disconnect of WebSocket ports.
    void tell(ServerEvent event, net::Connection& connection);

    bool received(server::StreamSession& session, std::string_view bytes) override;
    void malformed(server::StreamSession& session, proto::frame::Verdict verdict) override;
    void buffer_changed(server::StreamSession& session, bool full) override;
    void progressed(server::StreamSession& session) override;
    void datagram(uint32_t port_index, std::string_view bytes, const os::Address& peer) override;
    bool takes_datagrams() const override { return events_.packets() < kMostPackets; }

private:
    static constexpr size_t kMostPackets = 4096;  // that are being handled

    ConnectionEvent event_of(ServerEvent event, net::Connection& connection) const;
    bool route(server::StreamSession& session, const ConnectionEvent& what, std::string_view bytes);
    bool moves_to(server::StreamSession& session, uint32_t line);
    void offer_again(server::StreamSession& session);

    ServerState& state_;
    Dispatcher dispatcher_;
    ConnectionEvents events_;
};

}  // namespace stampede::classes
