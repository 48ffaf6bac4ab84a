#include "ext/server/connection_events.h"

#include "ext/server/dispatch.h"
#include "ext/server/objects.h"
#include "ext/server/peers.h"
#include "ext/server/port_settings.h"
#include "ext/server/redis.h"
#include "ext/server/worker.h"
#include "os/log.h"
#include "server/service.h"
#include "server/stream_session.h"

namespace stampede::classes {

using runtime::Outcome;

namespace {

ConnectionEvents* present_events;

constexpr int kProcessMode = 2;
constexpr int kTypeData = 0;  // as dispatch_func is told
constexpr int kTypeDatagram = 1;
constexpr int kTypeClose = 4;
constexpr int kTypeConnect = 5;

int type_of(ServerEvent event) {
    if (event == ServerEvent::kReceive) {
        return kTypeData;
    }
    return event == ServerEvent::kConnect ? kTypeConnect : kTypeClose;
}

}  // namespace

ConnectionEvents* connection_events() { return present_events; }

ConnectionEvents::ConnectionEvents(ServerState& state, Dispatcher& dispatcher)
    : state_(state), dispatcher_(dispatcher) {
    present_events = this;
}

ConnectionEvents::~ConnectionEvents() {
    present_events = nullptr;
    while (spare_ != nullptr) {
        Call* next = spare_->next;
        delete spare_;
        spare_ = next;
    }
}

ConnectionEvents::Call& ConnectionEvents::take(const ConnectionEvent& what, zend_string* data) {
    Call* call = spare_;
    if (call != nullptr) {
        spare_ = call->next;
        spare_count_--;
    } else {
        call = new Call(*this);
    }
    call->what = what;
    call->data = data;
    call->size = data != nullptr ? ZSTR_LEN(data) : 0;
    call->redis = false;
    return *call;
}

void ConnectionEvents::give_back(Call& call) {
    call.departed.reset();
    if (spare_count_ >= kMostSpare) {
        delete &call;
        return;
    }
    call.next = spare_;
    spare_ = &call;
    spare_count_++;
}

void ConnectionEvents::queue(const ConnectionEvent& what, zend_string* data) {
    Call& call = take(what, data);
    call.callback = &callback_of(state_, what.port_index, what.event);
    if (what.event == ServerEvent::kReceive) {
        worker_service()->requests().call_started();
    }
    call.enqueue();
}

void ConnectionEvents::queue_end(const ConnectionEvent& what, const ConnectionInfo& info) {
    Call& call = take(what, nullptr);
    call.callback = &callback_of(state_, what.port_index, what.event);
    call.departed = std::make_unique<DepartedConnection>(what.fd, info);
    call.enqueue();
}

void ConnectionEvents::queue_packet(uint32_t port_index, zend_string* data, const os::Address& peer,
                                    bool delivered) {
    Call& call = take({ServerEvent::kPacket, port_index}, data);
    call.what.delivered = delivered;
    call.callback = &callback_of(state_, port_index, ServerEvent::kPacket);
    call.peer = peer;
    packets_++;
    worker_service()->requests().call_started();
    call.enqueue();
}

bool ConnectionEvents::Call::prepare() {
    if (owner_.send_elsewhere(*this) || owner_.is_outdated(*this) ||
        !owner_.fill_arguments(*this)) {
        owner_.count_end(*this);
        return false;
    }
    return true;
}

// The events of a connection that the dispatch mode gives to another worker. Packets are on their
// way by now: what they need to know is asked when they are cut.
bool ConnectionEvents::send_elsewhere(Call& call) {
    if (call.what.event == ServerEvent::kPacket) {
        return !call.what.delivered && dispatcher_.routes_datagrams() &&
               send_packet_elsewhere(call);
    }
    bool moves = call.what.event == ServerEvent::kConnect || call.what.event == ServerEvent::kClose;
    if (!moves || call.what.delivered || !dispatcher_.routes()) {
        return false;
    }
    Target target = dispatcher_.target(call.what, type_of(call.what.event), {});
    if (target.kind != Target::kElsewhere) {
        return false;
    }
    std::string_view more;
    if (call.departed != nullptr) {
        more = {reinterpret_cast<const char*>(&call.departed->info()), sizeof(ConnectionInfo)};
    }
    return forward_event(target.line, call.what, more);
}

// True: it is not to be handled here.
bool ConnectionEvents::send_packet_elsewhere(Call& call) {
    const PortState& port = *state_.ports[call.what.port_index];
    // In the place of a connection the function gets the client's IPv4 address as a number, by
    // which it can keep the datagrams of one client in one worker.
    call.what.fd = call.peer.family() == AF_INET
                       ? reinterpret_cast<const sockaddr_in&>(call.peer.storage).sin_addr.s_addr
                   : port.fds.empty() ? -1
                                      : port.fds.front();
    std::string_view bytes(ZSTR_VAL(call.data), ZSTR_LEN(call.data));
    Target target = dispatcher_.target(call.what, kTypeDatagram, bytes);
    if (target.kind != Target::kElsewhere) {
        return target.kind != Target::kHere;
    }
    std::string message(reinterpret_cast<const char*>(&call.peer), sizeof(call.peer));
    message += bytes;
    return forward_event(target.line, call.what, message);
}

// What an application has closed brings nothing more. Only the modes in which the original does not
// follow connections hand it over all the same, unless they are told not to.
bool ConnectionEvents::is_outdated(const Call& call) const {
    if (call.what.event != ServerEvent::kReceive || call.what.delivered) {
        return false;
    }
    const net::Connection* connection = worker_service()->connections().find(call.what.fd);
    if (connection != nullptr && !connection->closed() && !connection->closing()) {
        return false;
    }
    int64_t mode = state_.settings.dispatch_mode;
    bool follows = state_.mode != kProcessMode || (mode != 1 && mode != 3 && mode != 7);
    return follows || state_.ports[call.what.port_index]->in_force.discard_timeout_request;
}

// False when no function is there for the event.
bool ConnectionEvents::fill_arguments(Call& call) {
    EventArguments& arguments = call.arguments;
    if (call.what.event == ServerEvent::kPacket) {
        arguments.add_object(state_.object);
        zval* packet = arguments.next(state_.settings.event_object ? 1 : 2);
        objects.fill_packet(state_, call.what.port_index, call.peer, call.data, packet);
        call.data = nullptr;
        return true;
    }
    if (state_.ports[call.what.port_index]->framing.kind == proto::frame::Kind::kRedis &&
        call.what.event == ServerEvent::kReceive) {
        call.callback = fill_redis_call(call.what.fd, call.data, arguments);
        call.redis = call.callback != nullptr;
        return call.redis;
    }
    if (!*call.callback) {
        return false;
    }
    arguments.add_object(state_.object);
    bool full_or_empty =
        call.what.event == ServerEvent::kBufferFull || call.what.event == ServerEvent::kBufferEmpty;
    if (state_.settings.event_object && !full_or_empty) {
        objects.make_event(call.what.fd, call.what.reactor, call.data, arguments.next());
        return true;
    }
    arguments.add_long(call.what.fd);
    if (!full_or_empty) {
        arguments.add_long(call.what.reactor);
    }
    if (call.data != nullptr) {
        ZVAL_STR_COPY(arguments.next(), call.data);
    }
    return true;
}

void ConnectionEvents::Call::work() {
    if (!redis) {
        arguments.call(*callback);
        return;
    }
    zval result;
    ZVAL_UNDEF(&result);
    if (arguments.call(*callback, &result) == Outcome::kReturned) {
        send_redis_response(what.fd, &result);
        zval_ptr_dtor(&result);
    }
}

void ConnectionEvents::Call::ended(Outcome outcome) {
    if (outcome == Outcome::kBailed) {
        data = nullptr;  // it belongs to a broken state of the engine
    }
    owner_.count_end(*this);
}

// A stream with a hole in it is worth nothing: its connection ends.
void ConnectionEvents::Call::not_started() {
    os::Log::get().write(os::LogLevel::kError,
                         "an event of connection#%lld was dropped: there are as many coroutines as "
                         "max_coroutine allows, or no memory for one more",
                         static_cast<long long>(what.fd));
    net::Connection* connection = worker_service()->connections().find(what.fd);
    if (what.event == ServerEvent::kReceive && connection != nullptr) {
        connection->close_with_reset(net::CloseCause::kServer);
    }
    owner_.count_end(*this);
}

void ConnectionEvents::count_end(Call& call) {
    server::Service& service = *worker_service();
    if (call.what.event == ServerEvent::kReceive) {
        server::StreamSession* session = service.connections().find_stream(call.what.fd);
        // What another worker has forwarded began there, even when the session is here by now.
        if (session != nullptr && !call.what.delivered) {
            session->call_ends(call.size);
        }
        service.requests().call_ended(call.what.fd);
    } else if (call.what.event == ServerEvent::kPacket) {
        packets_--;
        service.requests().call_ended(0);
    }
    if (call.data != nullptr) {
        zend_string_release(call.data);
    }
}

}  // namespace stampede::classes
