#include "ext/server/peers.h"

#include <algorithm>

#include "ext/server/hand_over.h"
#include "ext/server/inbox.h"
#include "ext/server/worker.h"
#include "ext/server/websocket_hub.h"
#include "runtime/runtime.h"
#include "server/service.h"

namespace stampede::classes {

namespace {

// A push brings its data, or means what the same sender has brought with its last one.
enum class Wish : uint8_t {
    kPush,
    kPushAgain,
    kForget,
    kDisconnect,
    kClose,
    kReset,
    kAct,    // what opcode says, with a number in flags
    kEvent,  // that opcode says; code: the port, flags: the reactor
};

struct Message {
    Wish wish;
    uint8_t opcode;
    uint16_t code;
    uint32_t flags;
    int64_t fd;
    uint32_t sender;  // its line
    uint32_t serial;  // of the data, as the sender counts
};

// Below, bringing the data again costs no more than saying that it is the same.
constexpr size_t kBringOnce = 512;
// Above, those that were brought it are told when it will not be meant again.
constexpr size_t kForgetAbove = 64 * 1024;

// The data that was pushed last, and to whom it was brought. Held no longer than what pushes it
// runs: nobody else can change it meanwhile.
struct LastPushed : loop::Task {
    zend_string* data = nullptr;
    uint32_t serial = 0;
    std::vector<int32_t> brought_to;  // by line: the process

    LastPushed() {
        run = [](loop::Task& task) { static_cast<LastPushed&>(task).drop(); };
    }
    bool was_brought(const zend_string* wanted, uint32_t line, int32_t pid) const {
        return data == wanted && line < brought_to.size() && pid != 0 && brought_to[line] == pid;
    }
    void note(zend_string* pushed, uint32_t line, int32_t pid) {
        if (data != pushed) {
            drop();
            data = zend_string_copy(pushed);
            runtime::Runtime::get().loop().enqueue(*this);
        }
        brought_to.resize(std::max<size_t>(brought_to.size(), line + 1));
        brought_to[line] = pid;
    }
    void drop();
};

// What each sender has brought last.
struct Brought {
    zend_string* data = nullptr;
    uint32_t serial = 0;

    void keep(zend_string* fresh, uint32_t number) {
        drop();
        data = zend_string_copy(fresh);
        serial = number;
    }
    void drop() {
        if (data != nullptr) {
            zend_string_release(data);
            data = nullptr;
        }
    }
};

LastPushed last_pushed;
std::vector<Brought> brought;  // by line of the sender

// The line of the worker that has the connection now.
uint32_t owner_of(ServerState& state, int64_t id) {
    uint32_t line = 0;
    const HandOver* given = hand_over();
    return given != nullptr && given->find(id, line) ? line : state.presence->owner_of(id);
}

// What a killed worker has left behind counts no more.
bool is_served(ServerState& state, int64_t id) {
    auto phase = state.board->line(owner_of(state, id)).state.load();
    return phase == shm::WorkerState::kRunning || phase == shm::WorkerState::kDraining;
}

bool tell(ServerState& state, uint32_t line, Message message, std::string_view body) {
    message.sender = state.place.line;
    return send_message(state, line, MessageKind::kConnection, message, body);
}

bool ask(zend_long fd, Message message, std::string_view body) {
    ServerState* state = running_server();
    if (state == nullptr || state->bus == nullptr || standing_of(fd) == shm::Standing::kNone) {
        return false;
    }
    message.fd = fd;
    uint32_t line = owner_of(*state, fd);
    return line != state->place.line && tell(*state, line, message, body);
}

void LastPushed::drop() {
    unlink();
    if (data == nullptr) {
        return;
    }
    ServerState* state = running_server();
    bool large = ZSTR_LEN(data) > kForgetAbove && state != nullptr && state->bus != nullptr;
    for (uint32_t line = 0; large && line < brought_to.size(); line++) {
        if (brought_to[line] != 0 && brought_to[line] == state->board->line(line).pid.load()) {
            (void)tell(*state, line, {Wish::kForget, 0, 0, 0, 0, 0, serial}, {});
        }
    }
    zend_string_release(data);
    data = nullptr;
    brought_to.clear();
    serial++;
}

void push_here(const Message& message, zend_string* data) {
    WebSocketHub* hub = websocket_hub();
    if (hub == nullptr) {
        return;
    }
    io::OutFrame frame;
    frame.data = data;
    frame.opcode = message.opcode;
    frame.flags = message.flags;
    frame.close_code = message.code;
    hub->push(message.fd, frame);
}

void take_push(const Message& message, std::string_view body) {
    if (message.sender >= brought.size()) {
        return;
    }
    Brought& kept = brought[message.sender];
    bool known = kept.data != nullptr && kept.serial == message.serial;
    if (message.wish == Wish::kForget && known) {
        kept.drop();
    } else if (message.wish == Wish::kPushAgain && known) {
        push_here(message, kept.data);
    } else if (message.wish == Wish::kPush) {
        zend_string* data = zend_string_init(body.data(), body.size(), false);
        if (body.size() >= kBringOnce) {
            kept.keep(data, message.serial);
        }
        push_here(message, data);
        zend_string_release(data);
    }
}

void close_here(const Message& message) {
    server::Service* service = worker_service();
    net::Connection* connection =
        service != nullptr ? service->connections().find(message.fd) : nullptr;
    if (connection == nullptr) {
        return;
    }
    if (message.wish == Wish::kReset) {
        connection->close_with_reset(net::CloseCause::kServer);
    } else {
        connection->close_after_flush();
    }
}

void take_event(const Message& message, std::string_view bytes) {
    ConnectionEvents* events = connection_events();
    ServerState* state = running_server();
    if (events == nullptr || message.code >= state->ports.size()) {
        return;
    }
    ConnectionEvent what;
    what.event = static_cast<ServerEvent>(message.opcode);
    what.port_index = message.code;
    what.fd = message.fd;
    what.reactor = static_cast<int32_t>(message.flags);
    what.delivered = true;
    if (what.event == ServerEvent::kPacket) {
        os::Address peer;
        if (take_head(bytes, peer)) {
            events->queue_packet(what.port_index,
                                 zend_string_init(bytes.data(), bytes.size(), false), peer, true);
        }
        return;
    }
    bool has_data = what.event == ServerEvent::kReceive;
    events->queue(what, has_data ? zend_string_init(bytes.data(), bytes.size(), false) : nullptr);
}

}  // namespace

shm::Standing standing_of(zend_long fd, shm::Facts* facts) {
    ServerState* state = running_server();
    if (state == nullptr || state->presence == nullptr || fd <= 0 || !is_served(*state, fd)) {
        return shm::Standing::kNone;
    }
    return state->presence->standing(fd, facts);
}

std::vector<int64_t> all_connections(int port_index) {
    ServerState* state = running_server();
    if (state == nullptr || state->presence == nullptr) {
        return {};
    }
    std::vector<int64_t> all = state->presence->all(port_index);
    std::erase_if(all, [&](int64_t id) { return !is_served(*state, id); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());  // one that changes its worker
    return all;
}

bool push_elsewhere(zend_long fd, const io::OutFrame& frame) {
    if (standing_of(fd) != shm::Standing::kEstablished) {
        return false;
    }
    ServerState& state = *running_server();
    Message message{};
    message.wish = Wish::kPush;
    message.opcode = static_cast<uint8_t>(frame.opcode);
    message.code = frame.close_code;
    message.flags = static_cast<uint32_t>(frame.flags);
    std::string_view bytes(ZSTR_VAL(frame.data), ZSTR_LEN(frame.data));
    if (bytes.size() < kBringOnce) {
        return ask(fd, message, bytes);
    }
    uint32_t line = owner_of(state, fd);
    int32_t pid = state.board->line(line).pid.load();
    if (last_pushed.was_brought(frame.data, line, pid)) {
        message.wish = Wish::kPushAgain;
        message.serial = last_pushed.serial;
        return ask(fd, message, {});
    }
    last_pushed.note(frame.data, line, 0);  // which may change the serial
    message.serial = last_pushed.serial;
    bool sent = ask(fd, message, bytes);
    last_pushed.note(frame.data, line, sent ? pid : 0);
    return sent;
}

bool disconnect_elsewhere(zend_long fd, uint16_t code, std::string_view reason) {
    return standing_of(fd) == shm::Standing::kEstablished &&
           ask(fd, {Wish::kDisconnect, 0, code, 0, 0, 0, 0}, reason);
}

bool close_elsewhere(zend_long fd, bool reset) {
    return ask(fd, {reset ? Wish::kReset : Wish::kClose, 0, 0, 0, 0, 0, 0}, {});
}

bool act_elsewhere(zend_long fd, Action action, uint32_t number, std::string_view body) {
    Message message{};
    message.wish = Wish::kAct;
    message.opcode = static_cast<uint8_t>(action);
    message.flags = number;
    return ask(fd, message, body);
}

bool forward_event(uint32_t line, const ConnectionEvent& what, std::string_view data) {
    Message message{};
    message.wish = Wish::kEvent;
    message.opcode = static_cast<uint8_t>(what.event);
    message.code = static_cast<uint16_t>(what.port_index);
    message.flags = static_cast<uint32_t>(what.reactor);
    message.fd = what.fd;
    ServerState* state = running_server();
    return state->bus != nullptr && tell(*state, line, message, data);
}

// What is wanted of a connection that another worker has by now.
bool pass_on(const Message& message, std::string_view body) {
    uint32_t line = 0;
    const HandOver* given = hand_over();
    return given != nullptr && given->find(message.fd, line) &&
           send_message(*running_server(), line, MessageKind::kConnection, message, body);
}

void take_wish(std::string_view bytes) {
    Message message;
    if (!take_head(bytes, message)) {
        return;
    }
    bool is_of_connection =
        message.wish == Wish::kAct || message.wish == Wish::kClose || message.wish == Wish::kReset;
    if (is_of_connection && pass_on(message, bytes)) {
        return;
    }
    switch (message.wish) {
        case Wish::kPush:
        case Wish::kPushAgain:
        case Wish::kForget:
            take_push(message, bytes);
            break;
        case Wish::kDisconnect:
            if (WebSocketHub* hub = websocket_hub()) {
                hub->disconnect(message.fd, message.code, bytes);
            }
            break;
        case Wish::kAct:
            act_for_others(message.fd, static_cast<Action>(message.opcode), message.flags, bytes);
            break;
        case Wish::kEvent:
            take_event(message, bytes);
            break;
        default:
            close_here(message);
    }
}

void join_peers(ServerState& state) {
    if (state.presence != nullptr && state.place.line < state.presence->lines()) {
        state.presence->clear(state.place.line);
    }
    brought.resize(state.board->size() + 1);
}

void leave_peers(ServerState& state) {
    last_pushed.drop();
    for (Brought& kept : brought) {
        kept.drop();
    }
    if (state.presence != nullptr && state.place.line < state.presence->lines()) {
        state.presence->clear(state.place.line);
    }
}

}  // namespace stampede::classes
