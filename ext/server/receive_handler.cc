#include "ext/server/receive_handler.h"

#include "ext/server/connection_actions.h"
#include "ext/server/hand_over.h"
#include "ext/server/peers.h"
#include "ext/server/port_settings.h"
#include "ext/server/sending.h"
#include "ext/server/worker.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "server/service.h"
#include "server/stream_session.h"

namespace stampede::classes {

using proto::frame::Verdict;
using runtime::Runtime;
using server::StreamSession;

namespace {

constexpr int kTypeData = 0;  // as dispatch_func is told

zend_string* string_of(std::string_view bytes) {
    return bytes.size() == 1 ? ZSTR_CHAR(static_cast<unsigned char>(bytes[0]))
                             : zend_string_init(bytes.data(), bytes.size(), false);
}

// A packet that the bus had no room for is offered again a little later.
struct Again : loop::Timer {
    int64_t fd;
};

constexpr uint32_t kForwardedAtMost = 4;  // in a row, before their connection moves

constexpr Nanos kAgainAfter = 2 * kMillisecond;

}  // namespace

ConnectionEvent ReceiveHandler::event_of(ServerEvent event, net::Connection& connection) const {
    ConnectionEvent what;
    what.event = event;
    what.port_index = connection.port_index;
    what.fd = static_cast<zend_long>(connection.id());
    what.reactor = state_.place.worker;
    if (UNEXPECTED(dispatcher_.routes())) {
        what.route_key = dispatcher_.key_of(connection, stream_of(connection));
    }
    return what;
}

void ReceiveHandler::tell(ServerEvent event, net::Connection& connection) {
    if (!callback_of(state_, connection.port_index, event)) {
        return;
    }
    ConnectionEvent what = event_of(event, connection);
    bool by_server = connection.close_cause() == net::CloseCause::kServer &&
                     !connection.peer_ended() && !connection.left;
    what.reactor = by_server ? -1 : what.reactor;
    // Requests and messages are handled where they came.
    what.delivered = state_.ports[connection.port_index]->kind != PortKind::kStream;
    if (event == ServerEvent::kConnect) {
        events_.queue(what);
    } else {
        events_.queue_end(what, look_at(state_, connection));
    }
}

Target ReceiveHandler::target_of(net::Connection& connection, std::string_view bytes) {
    return dispatcher_.target(event_of(ServerEvent::kReceive, connection), kTypeData, bytes);
}

bool ReceiveHandler::received(StreamSession& session, std::string_view bytes) {
    ConnectionEvent what = event_of(ServerEvent::kReceive, session.connection());
    if (UNEXPECTED(dispatcher_.routes()) && !route(session, what, bytes)) {
        return false;
    }
    if (EXPECTED(!dispatcher_.routes())) {
        session.call_begins(bytes.size());
        events_.queue(what, string_of(bytes));
    }
    return true;
}

// False: the packet is to be offered again.
bool ReceiveHandler::route(StreamSession& session, const ConnectionEvent& what,
                           std::string_view bytes) {
    Target target = dispatcher_.target(what, kTypeData, bytes);
    if (session.connection().closed()) {
        return true;  // by the function
    }
    switch (target.kind) {
        case Target::kHere:
            session.forwarded.packets = 0;
            session.call_begins(bytes.size());
            events_.queue(what, string_of(bytes));
            return true;
        case Target::kElsewhere:
            if (!dispatcher_.spreads() && moves_to(session, target.line)) {
                return false;
            }
            if (forward_event(target.line, what, bytes)) {
                return true;
            }
            offer_again(session);
            return false;
        case Target::kLater:
            return false;
        case Target::kClose:
            session.connection().close_after_flush();
            return true;
        case Target::kDiscard:
            break;
    }
    return true;
}

// A packet that is forwarded costs both workers a message, and so does what is sent in response;
// a move costs as much as a few of them. So a connection whose packets go on belonging to one other
// worker moves there, with the packet that is offered now.
bool ReceiveHandler::moves_to(StreamSession& session, uint32_t line) {
    auto& last = session.forwarded;
    last.packets = last.line == line ? last.packets + 1 : 1;
    last.line = line;
    return last.packets > kForwardedAtMost && hand_over() != nullptr &&
           hand_over()->offer_to(session, line);
}

void ReceiveHandler::offer_again(StreamSession& session) {
    auto* again = new Again();
    again->fd = static_cast<int64_t>(session.connection().id());
    again->on_fire = [](loop::Timer& timer) {
        auto* self = static_cast<Again*>(&timer);
        if (StreamSession* waiting = worker_service()->connections().find_stream(self->fd)) {
            waiting->look_again();
        }
        delete self;
    };
    Runtime::get().loop().arm(*again, kAgainAfter);
}

void ReceiveHandler::malformed(StreamSession& session, Verdict verdict) {
    const PortState& port = *state_.ports[session.connection().port_index];
    auto fd = static_cast<long long>(session.connection().id());
    if (verdict == Verdict::kTooLarge) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "connection#%lld is closed: it sent a packet of more than %zu bytes "
                             "(package_max_length)",
                             fd, port.framing.max_size);
    } else {
        os::Log::get().write(os::LogLevel::kWarning,
                             "connection#%lld is closed: what it sent is no packet", fd);
    }
}

void ReceiveHandler::buffer_changed(StreamSession& session, bool full) {
    ServerEvent event = full ? ServerEvent::kBufferFull : ServerEvent::kBufferEmpty;
    net::Connection& connection = session.connection();
    if (callback_of(state_, connection.port_index, event)) {
        events_.queue(event_of(event, connection));
    }
}

void ReceiveHandler::progressed(StreamSession& session) {
    send_progressed(static_cast<zend_long>(session.connection().id()));
}

void ReceiveHandler::datagram(uint32_t port_index, std::string_view bytes,
                              const os::Address& peer) {
    events_.queue_packet(port_index, string_of(bytes), peer);
}

}  // namespace stampede::classes
