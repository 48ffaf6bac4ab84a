#include "ext/server/sending.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "ext/server/connection_actions.h"
#include "ext/server/peers.h"
#include "ext/server/send_turns.h"
#include "ext/server/websocket_hub.h"
#include "ext/server/worker.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "os/log.h"
#include "os/process.h"
#include "os/socket_io.h"
#include "runtime/runtime.h"
#include "server/service.h"
#include "server/stream_session.h"
#include "zend/last_error.h"
#include "zend/throw.h"

extern "C" {
#include "main/php_network.h"
}

namespace stampede::classes {

namespace {

constexpr Nanos kMostWait = 10 * kSecond;  // of sendwait()
// For a connection of another worker. That one closes it when its peer takes nothing for too long,
// so this is the limit for a worker that does not come to its loop.
constexpr Nanos kMostWaitElsewhere = 60 * kSecond;
constexpr Nanos kLookAfter = 4 * kMillisecond;     // where nothing tells of room
constexpr Nanos kLookAnyway = 100 * kMillisecond;  // where it does: the connection may have moved
constexpr size_t kPieceElsewhere = 1u << 20;
constexpr int kSockUnixDatagram = 6;

using Step = Delivery::Step;

bool fail(int error) {
    zend::set_last_error(error);
    return false;
}

Step failed(int error) {
    zend::set_last_error(error);
    return Step::kFailed;
}

net::Connection* own_connection(zend_long fd) {
    server::Service* service = worker_service();
    return service != nullptr ? service->connections().find(fd) : nullptr;
}

server::StreamSession* own_stream(zend_long fd) {
    server::Service* service = worker_service();
    return service != nullptr ? service->connections().find_stream(fd) : nullptr;
}

uint64_t room_of(const ServerState& state, uint32_t port_index) {
    size_t index = std::min<size_t>(port_index, state.ports.size() - 1);
    return static_cast<uint64_t>(state.ports[index]->in_force.socket_buffer_size);
}

// kDone: more may be sent to this connection of this worker.
Step look_for_room(const ServerState& state, net::Connection& connection) {
    if (connection.closing()) {
        return failed(api_error::kSessionClosed);
    }
    uint64_t room = room_of(state, connection.port_index);
    if (EXPECTED(connection.has_room(room))) {
        return Step::kDone;
    }
    connection.flush();
    if (connection.closed()) {
        return failed(api_error::kSessionNotExist);
    }
    return connection.has_room(room) ? Step::kDone : Step::kFull;
}

Step look_for_room_elsewhere(const ServerState& state, zend_long fd) {
    shm::Facts facts;
    if (standing_of(fd, &facts) == shm::Standing::kNone) {
        return failed(api_error::kSessionNotExist);
    }
    uint64_t usual = room_of(state, facts.port_index);
    auto room = static_cast<int64_t>(
        state.presence->is_crowded(fd) ? std::min(usual, net::UnsentBytes::kOfEachThen) : usual);
    return state.presence->backlog(fd) < room ? Step::kDone : Step::kFull;
}

// What is sent to one connection, of this worker or another: which, is looked at in each step.
class Sending : public Delivery {
public:
    Sending(ServerState& state, zend_long fd) : state_(state), fd_(fd) {}
    Nanos look_after() const override {
        WebSocketHub* hub = websocket_hub();
        bool tells = own_stream(fd_) != nullptr || (hub != nullptr && hub->established(fd_));
        return tells ? kLookAnyway : kLookAfter;
    }
    zend_long fd() const { return fd_; }

protected:
    ~Sending() = default;

    ServerState& state_;
    zend_long fd_;
};

class SendString final : public Sending {
public:
    // action and number: for another worker.
    SendString(ServerState& state, zend_long fd, zend_string* data, Action action = Action::kSend,
               uint32_t number = 0)
        : Sending(state, fd), data_(data), action_(action), number_(number) {}
    Step go_on() override;
    // Of several pieces, some have been sent.
    bool is_begun() const { return sent_ > 0; }

private:
    Step go_on_elsewhere();

    zend_string* data_;
    Action action_;
    uint32_t number_;
    size_t sent_ = 0;
};

Step SendString::go_on() {
    net::Connection* connection = own_connection(fd_);
    if (connection == nullptr) {
        return go_on_elsewhere();
    }
    Step step = look_for_room(state_, *connection);
    if (step == Step::kDone && sent_ == 0) {
        send_here(*connection, data_);
    } else if (step == Step::kDone) {  // the connection has come here meanwhile
        zend_string* rest =
            zend_string_init(ZSTR_VAL(data_) + sent_, ZSTR_LEN(data_) - sent_, false);
        send_here(*connection, rest);
        zend_string_release(rest);
    }
    return step;
}

// In pieces that the way between the workers has room for.
Step SendString::go_on_elsewhere() {
    while (sent_ < ZSTR_LEN(data_)) {
        size_t size = std::min(ZSTR_LEN(data_) - sent_, kPieceElsewhere);
        Step step = look_for_room_elsewhere(state_, fd_);
        if (step != Step::kDone) {
            return step;
        }
        if (!act_elsewhere(fd_, action_, number_, {ZSTR_VAL(data_) + sent_, size})) {
            return Step::kFull;
        }
        sent_ += size;
    }
    return Step::kDone;
}

class SendFrame final : public Sending {
public:
    SendFrame(ServerState& state, zend_long fd, const io::OutFrame& frame)
        : Sending(state, fd), frame_(frame) {}
    Step go_on() override;

private:
    const io::OutFrame& frame_;
};

Step SendFrame::go_on() {
    WebSocketHub* hub = websocket_hub();
    if (hub == nullptr || !hub->established(fd_)) {
        if (standing_of(fd_) != shm::Standing::kEstablished) {
            return failed(api_error::kWebSocketUnconnected);
        }
        Step step = look_for_room_elsewhere(state_, fd_);
        return step == Step::kDone && !push_elsewhere(fd_, frame_) ? Step::kFull : step;
    }
    // A close frame needs no room: it is small, and nothing comes after it.
    bool waits = hub->takes_frames(fd_) && frame_.opcode != proto::ws::kClose;
    Step step = waits ? look_for_room(state_, *own_connection(fd_)) : Step::kDone;
    if (step != Step::kDone) {
        return step;
    }
    return hub->push(fd_, frame_) ? Step::kDone : Step::kFailed;
}

class SendFile final : public Sending {
public:
    // The file is taken over.
    SendFile(ServerState& state, zend_long fd, const net::FileRange& file,
             const std::string& request)
        : Sending(state, fd), file_(file), request_(request) {}
    ~SendFile() { os::close_fd(file_.fd); }
    SendFile(const SendFile&) = delete;
    SendFile& operator=(const SendFile&) = delete;
    Step go_on() override;

private:
    net::FileRange file_;
    const std::string& request_;  // to another worker
};

Step SendFile::go_on() {
    net::Connection* connection = own_connection(fd_);
    Step step = connection != nullptr ? look_for_room(state_, *connection)
                                      : look_for_room_elsewhere(state_, fd_);
    if (step != Step::kDone) {
        return step;
    }
    if (connection == nullptr) {
        return act_elsewhere(fd_, Action::kSendFile, 0, request_) ? step : Step::kFull;
    }
    send_file_here(*connection, file_);
    file_.fd = -1;
    return Step::kDone;
}

// Until the kernel has everything. What others send meanwhile waits behind it.
class SendEverything final : public Sending {
public:
    using Sending::Sending;
    Step go_on() override {
        net::Connection* connection = own_connection(fd_);
        if (connection != nullptr) {
            connection->flush();
        }
        if (connection == nullptr || connection->closed()) {
            return failed(api_error::kSessionNotExist);
        }
        return connection->pending() == 0 ? Step::kDone : Step::kFull;
    }
};

// By the number of the connection; there are only those that coroutines wait for.
std::unordered_map<zend_long, SendTurns> turns_by_connection;

Step wait_for_turn(Sending& sending, Nanos until) {
    Step step = turns_by_connection[sending.fd()].wait(sending, until);
    auto turns = turns_by_connection.find(sending.fd());
    if (turns != turns_by_connection.end() && turns->second.empty()) {
        turns_by_connection.erase(turns);
    }
    return step;
}

bool others_wait_for(zend_long fd) {
    return UNEXPECTED(!turns_by_connection.empty()) && turns_by_connection.contains(fd);
}

// Without send_timeout, a connection of this worker is waited for as long as there is one: a peer
// that takes nothing for too long is closed, which wakes the coroutine.
Nanos limit_of(const ServerState& state, zend_long fd) {
    double limit = state.settings.send_timeout;
    if (limit > 0) {
        return monotonic_now() + to_nanos(limit);
    }
    return own_connection(fd) != nullptr ? kNever : monotonic_now() + kMostWaitElsewhere;
}

// At once when there is room and nobody waits, else when it is this coroutine's turn.
bool carry_out(ServerState& state, Sending& sending) {
    zend_long fd = sending.fd();
    Step step = others_wait_for(fd) ? Step::kFull : sending.go_on();
    if (step != Step::kFull) {
        return step == Step::kDone;
    }
    if (state.settings.send_yield && runtime::Runtime::get().can_park()) {
        step = wait_for_turn(sending, limit_of(state, fd));
    } else if (!zend::exception_pending()) {
        zend::warning("nothing more is sent to connection#" ZEND_LONG_FMT
                      " now, more than socket_buffer_size waits for its peer: send from a "
                      "coroutine, which waits (send_yield)",
                      fd);
    }
    return step == Step::kDone ||
           (step == Step::kFull ? fail(api_error::kOutputBufferOverflow) : false);
}

// The server's socket that datagrams of this family leave from: the one that is named, else the
// first.
const PortState* datagram_port(const ServerState& state, int type, zend_long socket) {
    for (const auto& port : state.ports) {
        bool named = socket < 0 || std::ranges::find(port->fds, socket) != port->fds.end();
        if (base_type(*port) == type && named && !port->fds.empty()) {
            return port.get();
        }
    }
    zend::warning("the server has no %s port to send from",
                  type == kSockUnixDatagram ? "unix datagram" : "UDP");
    return nullptr;
}

bool send_datagram(const PortState& port, const os::Address& peer, const zend_string* data) {
    long sent = os::send_to(port.fds.front(), ZSTR_VAL(data), ZSTR_LEN(data), peer);
    return sent == static_cast<long>(ZSTR_LEN(data)) || fail(errno);
}

// What heartbeat() looks at: null when silence has no limit.
Nanos heartbeat_limit(const ServerSettings& settings) {
    if (settings.heartbeat_idle_time > 0) {
        return settings.heartbeat_idle_time * kSecond;
    }
    return settings.heartbeat_check_interval * 2 * kSecond;
}

}  // namespace

bool may_use_connections(ServerState& state) {
    if (!state.started) {
        zend::warning("server is not running");
        return false;
    }
    return true;
}

bool has_payload(const zend_string* data) {
    if (ZSTR_LEN(data) == 0) {
        zend::warning("the data sent must not be empty");
        return fail(api_error::kNoPayload);
    }
    return true;
}

static bool send_whole(ServerState& state, SendString& sending) {
    if (carry_out(state, sending)) {
        return true;
    }
    if (sending.is_begun()) {  // a stream of which a part is missing is worth nothing
        os::Log::get().write(os::LogLevel::kWarning,
                             "connection#" ZEND_LONG_FMT
                             " is closed: only a part of what was sent to it could be sent",
                             sending.fd());
        close_elsewhere(sending.fd(), true);
    }
    return false;
}

bool send_to_connection(ServerState& state, zend_long fd, zend_string* data) {
    if (fd <= 0) {
        zend::warning("invalid fd[" ZEND_LONG_FMT "]", fd);
        return fail(api_error::kSessionInvalidId);
    }
    SendString sending(state, fd, data);
    return send_whole(state, sending);
}

bool respond_elsewhere(ServerState& state, zend_long fd, uint32_t number,
                       const ResponsePart& part) {
    if (is_own_connection(fd)) {  // it was not when the response was made
        return fail(api_error::kSessionNotExist);
    }
    zend_string* bytes = zend_string_init(part.bytes.data(), part.bytes.size(), false);
    SendString sending(state, fd, bytes, part.action, number);
    bool sent = send_whole(state, sending);
    zend_string_release(bytes);
    return sent;
}

bool push_to_connection(zend_long fd, const io::OutFrame& frame) {
    ServerState* state = running_server();
    if (state == nullptr) {
        return fail(api_error::kWebSocketUnconnected);
    }
    SendFrame sending(*state, fd, frame);
    return carry_out(*state, sending);
}

void send_progressed(zend_long fd) {
    if (others_wait_for(fd)) {
        turns_by_connection.find(fd)->second.look_again();
    }
}

bool send_to_path(const ServerState& state, const zend_string* path, const zend_string* data,
                  zend_long socket) {
    Result<os::Address> peer = os::parse_unix(ZSTR_VAL(path));
    const PortState* port = datagram_port(state, kSockUnixDatagram, socket);
    if (port == nullptr || !peer) {
        return port != nullptr ? fail(EINVAL) : false;
    }
    return send_datagram(*port, *peer, data);
}

bool send_to_host(const ServerState& state, const zend_string* host, zend_long number,
                  const zend_string* data, zend_long socket) {
    if (number < 1 || number > 65535) {
        zend::warning("invalid port [" ZEND_LONG_FMT "]: it must be a number from 1 to 65535",
                      number);
        return fail(api_error::kInvalidParams);
    }
    bool six = memchr(ZSTR_VAL(host), ':', ZSTR_LEN(host)) != nullptr;
    auto short_number = static_cast<uint16_t>(number);
    Result<os::Address> peer = six ? os::parse_ipv6(ZSTR_VAL(host), short_number)
                                   : os::parse_ipv4(ZSTR_VAL(host), short_number);
    if (!peer) {
        zend::warning("\"%s\" is no IP address", ZSTR_VAL(host));
        return fail(api_error::kInvalidParams);
    }
    const PortState* port = datagram_port(state, six ? 4 : 2, socket);
    return port != nullptr && send_datagram(*port, *peer, data);
}

// Until the kernel has everything. The process waits where no coroutine can.
bool wait_until_sent(ServerState& state, zend_long fd) {
    double limit = state.settings.send_timeout;
    Nanos until = monotonic_now() + (limit > 0 ? to_nanos(limit) : kMostWait);
    SendEverything sending(state, fd);
    Step step = sending.go_on();
    if (step == Step::kFull && runtime::Runtime::get().can_park()) {
        step = wait_for_turn(sending, until);
    }
    while (step == Step::kFull &&
           os::poll_one(own_connection(fd)->fd(), os::PollFor::kWriting, until) > 0) {
        step = sending.go_on();
    }
    return step == Step::kDone ||
           (step == Step::kFull ? fail(api_error::kOutputBufferOverflow) : false);
}

bool send_file_to(ServerState& state, zend_long fd, const zend_string* path, FilePart part) {
    net::FileRange file;
    if (!open_part(ZSTR_VAL(path), part, file)) {
        zend::warning("cannot send the file \"%s\": %s", ZSTR_VAL(path),
                      errno != 0 ? strerror(errno) : "offset and length lie outside of it");
        return fail(errno == ENOENT ? api_error::kFileNotExist : api_error::kInvalidParams);
    }
    std::string request;
    char* full = is_own_connection(fd) ? nullptr : expand_filepath(ZSTR_VAL(path), nullptr);
    if (full != nullptr) {
        request = part_message(part, full);
        efree(full);
    }
    SendFile sending(state, fd, file, request);
    return carry_out(state, sending);
}

bool act_on_connection(ServerState& state, zend_long fd, Action action, uint32_t number) {
    if (!may_use_connections(state)) {
        return false;
    }
    if (net::Connection* connection = own_connection(fd)) {
        return act_here(*connection, action, number);
    }
    return act_elsewhere(fd, action, number, {}) || fail(api_error::kSessionNotExist);
}

bool is_own_connection(zend_long fd) { return own_connection(fd) != nullptr; }

bool find_silent(const ServerState& state, Silent what, std::vector<zend_long>& found) {
    server::Service* service = worker_service();
    Nanos limit = heartbeat_limit(state.settings);
    if (service == nullptr || limit <= 0) {
        return false;
    }
    Nanos since = monotonic_now() - limit;
    std::vector<net::Connection*> silent;
    service->connections().each([&](net::Connection& connection) {
        server::StreamSession* session = own_stream(static_cast<zend_long>(connection.id()));
        if (session != nullptr && !session->guarded && connection.last_read_at <= since) {
            silent.push_back(&connection);
        }
    });
    for (net::Connection* connection : silent) {
        found.push_back(static_cast<zend_long>(connection->id()));
        if (what == Silent::kClose) {
            connection->close_after_flush();
        }
    }
    return true;
}

// A stream of PHP over a copy of the descriptor, which the other extension takes over.
void show_socket(const PortState& port, zval* out) {
    ZVAL_FALSE(out);
    zval function;
    ZVAL_STRING(&function, "socket_import_stream");
    bool known = zend_hash_str_exists(CG(function_table), ZEND_STRL("socket_import_stream"));
    Result<int> fd =
        known && !port.fds.empty() ? os::duplicate(port.fds.front()) : Error::system(EBADF);
    if (!known) {
        zend::warning("getSocket() needs PHP's extension sockets, which is not loaded");
    } else if (!fd) {
        zend::warning("the port is not open");
    } else {
        php_stream* stream = php_stream_sock_open_from_socket(*fd, nullptr);
        zval argument;
        php_stream_to_zval(stream, &argument);
        call_user_function(nullptr, nullptr, &function, out, 1, &argument);
        zval_ptr_dtor(&argument);
    }
    zval_ptr_dtor(&function);
}

}  // namespace stampede::classes
