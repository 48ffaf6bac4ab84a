#include "ext/server/websocket_hub.h"

#include <cerrno>

#include "ext/server/event_job.h"
#include "ext/server/objects.h"
#include "ext/server/sending.h"
#include "ext/server/websocket_handshake.h"
#include "ext/server/websocket_sending.h"
#include "ext/server/worker.h"
#include "error_numbers.h"
#include "os/log.h"
#include "server/service.h"
#include "zend/last_error.h"
#include "zend/throw.h"

namespace stampede::classes {

using proto::ws::ReadEvent;
using runtime::Runtime;
using Kind = ReadEvent::Kind;

namespace {

// Names of subprotocols are compared letter by letter, as browsers do.
bool offers_subprotocol(const server::Exchange& exchange, std::string_view name) {
    for (const proto::http::Field& field : exchange.head) {
        if (!proto::http::equals_ignoring_case(exchange.text(field.name),
                                               "sec-websocket-protocol")) {
            continue;
        }
        std::string_view list = exchange.text(field.value);
        while (!list.empty()) {
            size_t comma = std::min(list.find(','), list.size());
            if (proto::http::trimmed(list.substr(0, comma)) == name) {
                return true;
            }
            list.remove_prefix(std::min(comma + 1, list.size()));
        }
    }
    return false;
}

}  // namespace

// An event of one connection.
class WebSocketHub::Call final : public EventJob {
public:
    // The argument, a request or a frame, is taken over.
    Call(WebSocketHub& hub, Member& member, ServerEvent event, zval* argument)
        : hub_(hub),
          callback_(hub.callback(member.port_index, event)),
          fd_(member.fd),
          is_message_(event == ServerEvent::kMessage) {
        arguments.add_object(hub.state_.object);
        arguments.take(argument);
        member.calls += is_message_ ? 1 : 0;
    }

private:
    void work() override { arguments.call(callback_); }
    void ended(Outcome) override {
        if (is_message_) {
            worker_service()->requests().message_handled();
            hub_.call_ended(fd_);
        }
    }
    void not_started() override {
        os::Log::get().write(os::LogLevel::kError,
                             "a WebSocket event was dropped: there are as many coroutines as "
                             "max_coroutine allows");
        ended(Outcome::kReturned);
    }

    WebSocketHub& hub_;
    const zend::Callable& callback_;
    zend_long fd_;
    bool is_message_;
};

WebSocketHub::~WebSocketHub() {
    for (auto& [fd, member] : members_) {
        member->input.unlink();
        member->session->set_owner(nullptr);
        delete member;
    }
}

WebSocketHub::Member* WebSocketHub::find(zend_long fd) const {
    auto found = members_.find(fd);
    return found != members_.end() ? found->second : nullptr;
}

zend::Callable& WebSocketHub::callback(uint32_t port_index, ServerEvent event) {
    EventTable& own = state_.ports[port_index]->events;
    return own.has(event) ? own.at(event) : state_.events.at(event);
}

void WebSocketHub::handle(server::Exchange& exchange) {
    int status = judge_handshake(exchange);
    if (status != 0) {
        refuse_handshake(exchange, status);
        return;
    }
    uint32_t port = exchange.connection()->port_index;
    if (zend::Callable& own = callback(port, ServerEvent::kHandshake)) {
        jobs_.run(exchange, own, state_.settings.enable_coroutine);
        return;
    }
    if (zend::Callable& before = callback(port, ServerEvent::kBeforeHandshakeResponse)) {
        call_before_response(exchange, before);
        return;
    }
    std::vector<server::FieldRef> fields = fields_for(exchange, {});
    zval request;  // made while the exchange still knows its connection
    ZVAL_UNDEF(&request);
    bool told = static_cast<bool>(callback(port, ServerEvent::kOpen));
    if (told) {
        ZVAL_OBJ(&request, objects.make_request(exchange, options_));
    }
    Member& member = admit(exchange, fields);
    if (told) {
        tell(member, ServerEvent::kOpen, &request);
    }
}

// The fields of the response: the application's, and the subprotocol of the settings when the
// client has offered it. (A browser gives up a connection whose subprotocol it did not ask for.)
std::vector<server::FieldRef> WebSocketHub::fields_for(const server::Exchange& exchange,
                                                       server::FieldList given) const {
    std::vector<server::FieldRef> fields(given.begin(), given.end());
    const std::string& name =
        state_.ports[exchange.connection()->port_index]->in_force.websocket_subprotocol;
    if (!name.empty() && !has_field(given, "Sec-WebSocket-Protocol") &&
        offers_subprotocol(exchange, name)) {
        fields.push_back({"Sec-WebSocket-Protocol", name});
    }
    return fields;
}

// The event beforeHandshakeResponse, and then our response with the fields it gave.
class WebSocketHub::Handshake final : public EventJob {
public:
    Handshake(WebSocketHub& hub, server::Exchange& exchange, zend::Callable& callback)
        : hub_(hub), exchange_(exchange), callback_(callback) {
        exchange.hold();
    }

private:
    void work() override;
    void report(Outcome outcome, zend_object* exception) override;
    void ended(Outcome outcome) override;
    void not_started() override;
    void respond(zend_object* response, zval* request);

    WebSocketHub& hub_;
    server::Exchange& exchange_;
    const zend::Callable& callback_;
};

void WebSocketHub::call_before_response(server::Exchange& exchange, zend::Callable& before) {
    (new Handshake(*this, exchange, before))->start();
}

void WebSocketHub::Handshake::work() {
    arguments.add_object(hub_.state_.object);
    zval* request = arguments.next();
    ZVAL_OBJ(request, objects.make_request(exchange_, hub_.options_));
    zval* response = arguments.next();
    ZVAL_OBJ(response, objects.make_response(exchange_));
    if (arguments.call(callback_) == Outcome::kReturned) {
        respond(Z_OBJ_P(response), request);
    } else {
        fail_exchange(exchange_);  // before Response is released, which would end an empty response
    }
}

// Unless the function has responded to the request itself, or the peer is gone.
void WebSocketHub::Handshake::respond(zend_object* response, zval* request) {
    if (!objects.has_exchange(response) || exchange_.connection() == nullptr ||
        exchange_.response() != server::ResponseState::kNone) {
        return;
    }
    std::vector<server::FieldRef> fields =
        hub_.fields_for(exchange_, objects.handshake_fields(response));
    objects.let_go(response);
    Member& member = hub_.admit(exchange_, fields);
    if (hub_.callback(member.port_index, ServerEvent::kOpen)) {
        zval given;
        ZVAL_COPY(&given, request);
        hub_.tell(member, ServerEvent::kOpen, &given);
    }
}

void WebSocketHub::Handshake::report(Outcome outcome, zend_object* exception) {
    if (outcome == Outcome::kThrew && exception != nullptr) {
        log_exception("the event beforeHandshakeResponse failed, the handshake is refused: ",
                      exception);
    }
}

void WebSocketHub::Handshake::ended(Outcome outcome) {
    if (outcome != Outcome::kReturned) {
        fail_exchange(exchange_);  // after a fatal error; nothing to do when it has its response
    }
    exchange_.release();
}

void WebSocketHub::Handshake::not_started() {
    refuse_handshake(exchange_, 503);
    exchange_.release();
}

void WebSocketHub::finish_handshake(server::Exchange& exchange, server::FieldList fields) {
    admit(exchange, fields);
}

WebSocketHub::Member& WebSocketHub::admit(server::Exchange& exchange, server::FieldList fields) {
    auto* member = new Member();
    member->hub = this;
    member->fd = static_cast<zend_long>(exchange.connection_id());
    member->port_index = exchange.connection()->port_index;
    member->input.member = member;
    member->input.run = [](loop::Task& task) {
        Member& self = *static_cast<InputTask&>(task).member;
        self.hub->take_input(self);
    };
    members_[member->fd] = member;
    if (shm::Presence* presence = exchange.service().presence()) {
        presence->establish(exchange.service().settings().worker, member->fd);
    }
    member->session = &accept_handshake(exchange, fields);
    member->session->set_owner(member);
    member->on_input();  // frames may have come right after the request
    return *member;
}

void WebSocketHub::Member::on_input() {
    if (!input.linked()) {
        Runtime::get().loop().enqueue(input);
    }
}

void WebSocketHub::Member::on_drained() {
    on_input();
    on_progress();
}

void WebSocketHub::Member::on_progress() { send_progressed(fd); }

void WebSocketHub::Member::on_gone() {
    input.unlink();
    zend_long gone = fd;
    hub->last_gone_ = static_cast<uint64_t>(gone);
    hub->members_.erase(gone);
    delete this;
    send_progressed(gone);
}

// Starts the event's function; the argument is used up. The connection may be gone afterwards.
void WebSocketHub::tell(Member& member, ServerEvent event, zval* argument) {
    (new Call(*this, member, event, argument))->start();
}

void WebSocketHub::call_ended(zend_long fd) {
    Member* member = find(fd);
    if (member != nullptr && member->calls-- == kMostCalls && !member->input.linked()) {
        Runtime::get().loop().enqueue(member->input);
    }
}

void WebSocketHub::take_input(Member& member) {
    zend_long fd = member.fd;
    for (Member* present = &member; present != nullptr; present = find(fd)) {
        net::Connection& connection = present->session->connection();
        if (connection.closing() || present->calls >= kMostCalls ||
            connection.pending() > kPauseAbove) {
            return;
        }
        ReadEvent event = present->session->next();
        if (event.kind == Kind::kNeedMore) {
            if (present->session->ended()) {
                present->session->close_after_flush();
            }
            return;
        }
        if (!take(*present, event)) {
            return;
        }
    }
}

// False after the connection's last frame.
bool WebSocketHub::take(Member& member, const ReadEvent& event) {
    server::WebSocketSession& session = *member.session;
    const ServerSettings& settings = state_.ports[session.connection().port_index]->in_force;
    bool wanted = event.kind == Kind::kMessage ||
                  (event.kind == Kind::kPing && settings.open_websocket_ping_frame) ||
                  (event.kind == Kind::kPong && settings.open_websocket_pong_frame) ||
                  (event.kind == Kind::kClose && settings.open_websocket_close_frame);
    zend_long fd = member.fd;
    uint16_t code = event.code;
    Kind kind = event.kind;
    if (kind == Kind::kPing && !wanted && !session.close_sent()) {
        io::append_control(session.out(), proto::ws::kPong, event.payload,
                           proto::ws::Role::kServer);
        session.sent();
    }
    if (wanted) {
        zval frame;
        objects.make_frame(event, fd, &frame);
        tell(member, ServerEvent::kMessage, &frame);
        if (find(fd) != &member) {
            return false;
        }
    }
    if (kind == Kind::kClose) {
        session.connection().left = !session.close_sent();
        session.send_close(
            code == proto::ws::kCloseNoStatus ? uint16_t{proto::ws::kCloseNormal} : code, {});
        session.close_after_flush();
        return false;
    }
    if (kind == Kind::kBad) {
        session.send_close(code, {});
        session.connection().close_lingering();
        return false;
    }
    return true;
}

bool WebSocketHub::takes_frames(zend_long fd) const {
    Member* member = find(fd);
    return member != nullptr && !member->session->close_sent();
}

bool WebSocketHub::push(zend_long fd, const io::OutFrame& frame) {
    if (!takes_frames(fd)) {
        zend::set_last_error(api_error::kWebSocketUnconnected);
        return false;
    }
    server::WebSocketSession& session = *find(fd)->session;
    if (frame.opcode == proto::ws::kClose) {
        session.send_close(frame.close_code, {ZSTR_VAL(frame.data), ZSTR_LEN(frame.data)});
        return true;
    }
    if (!send_frame(session, frame)) {
        zend::set_last_error(ENOMEM);
        return false;
    }
    return true;
}

void WebSocketHub::push_for_others(zend_long fd, const io::OutFrame& frame) {
    if (!takes_frames(fd)) {
        return;
    }
    net::Connection& connection = find(fd)->session->connection();
    if (frame.opcode != proto::ws::kClose && !keeps_up(connection)) {
        return;
    }
    if (push(fd, frame)) {
        count_for_others(connection);
        return;
    }
    os::Log::get().write(os::LogLevel::kWarning,
                         "connection#" ZEND_LONG_FMT
                         " is closed: a message of another worker could not be compressed",
                         fd);
    connection.close_with_reset(net::CloseCause::kServer);
}

bool WebSocketHub::disconnect(zend_long fd, uint16_t code, std::string_view reason) {
    Member* member = find(fd);
    if (member == nullptr || member->session->close_sent()) {
        zend::set_last_error(api_error::kWebSocketUnconnected);
        return false;
    }
    member->session->send_close(code, reason);
    return true;
}

}  // namespace stampede::classes
