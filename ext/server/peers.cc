#include "ext/server/peers.h"

#include <algorithm>
#include <unordered_map>

#include "ext/server/inbox.h"
#include "ext/server/peer_routes.h"
#include "ext/server/worker.h"
#include "ext/server/websocket_hub.h"
#include "os/children.h"
#include "os/log.h"
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
    kAct,     // what opcode says, with a number in flags
    kEvent,   // that opcode says; code: the port, flags: the reactor
    kFence,   // nothing but to be told: it comes where all has come that the sender sent before
    kFenced,  // so it has; serial: the fence's number
};

struct Message {
    Wish wish;
    uint8_t opcode;
    uint16_t code;  // of what can_move(): kPassedOn or 0
    uint32_t flags;
    int64_t fd;
    uint32_t sender;  // its line
    uint32_t serial;  // of the data, as the sender counts
};

constexpr uint16_t kPassedOn = 1;

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

PeerRoutes routes;

// For fences that do not come back: a worker in between was killed.
struct OverdueFences : loop::Timer {
    OverdueFences();
};

constexpr Nanos kFencePatience = kSecond;
constexpr Nanos kLookAtFences = 10 * kMillisecond;

OverdueFences& overdue_fences() {
    static OverdueFences timer;
    return timer;
}

// Connections of other workers that have lost something that was sent to them. Their streams have a
// hole, so nothing may follow: they are reset as soon as the inboxes of their workers have room,
// and remembered until they are closed.
struct BrokenStreams : loop::Timer {
    BrokenStreams();
    bool is_done() const { return unsent == 0; }
    std::unordered_map<int64_t, bool> is_reset;  // whether its worker has been told
    size_t unsent = 0;
};

constexpr Nanos kResetAgainAfter = 2 * kMillisecond;
constexpr Nanos kLookWhetherClosed = kSecond;

BrokenStreams& broken_streams() {
    static BrokenStreams streams;
    return streams;
}

// The line of the worker that has the connection now.
uint32_t owner_of(ServerState& state, int64_t id) {
    uint32_t line = 0;
    const HandOver* given = hand_over();
    return given != nullptr && given->is_given(id, line) ? line : state.presence->owner_of(id);
}

bool owns(int64_t id) {
    server::Service* service = worker_service();
    return service != nullptr && service->connections().find(id) != nullptr;
}

constexpr uint32_t kNoLine = UINT32_MAX;

// The same; kNoLine when that worker has ended, what a killed one has left behind counts no more.
// One that ends has given its connections away before it says so: they are elsewhere by then.
uint32_t serving_owner_of(ServerState& state, int64_t id) {
    uint32_t line = owner_of(state, id);
    while (!serves(state, line)) {
        uint32_t next = owner_of(state, id);
        if (next == line) {
            return kNoLine;
        }
        line = next;
    }
    return line;
}

bool is_served(ServerState& state, int64_t id) { return serving_owner_of(state, id) != kNoLine; }

// On the way to the worker that has a connection, which does not end meanwhile.
class Approach {
public:
    Approach(ServerState& state, int64_t id) : state_(state) {
        for (;;) {
            line_ = serving_owner_of(state, id);
            if (line_ == kNoLine) {
                return;
            }
            state.bus->begin_sending(line_);
            if (serves(state, line_)) {
                return;
            }
            state.bus->end_sending(line_);
        }
    }
    ~Approach() {
        if (line_ != kNoLine) {
            state_.bus->end_sending(line_);
        }
    }
    Approach(const Approach&) = delete;
    Approach& operator=(const Approach&) = delete;
    uint32_t line() const { return line_; }

private:
    ServerState& state_;
    uint32_t line_;
};

// What is meant for a connection that may change its worker meanwhile; those that speak WebSocket
// do not.
bool can_move(Wish wish) {
    return wish == Wish::kAct || wish == Wish::kClose || wish == Wish::kReset ||
           wish == Wish::kFence;
}

bool tell(ServerState& state, uint32_t line, Message message, std::string_view body) {
    message.sender = state.place.line;
    return send_message(state, line, MessageKind::kConnection, message, body);
}

std::string wish_of(const Message& message, std::string_view body) {
    std::string wish(reinterpret_cast<const char*>(&message), sizeof(message));
    wish.append(body);
    return wish;
}

// Of one that is about to come to this worker.
bool keep_wish(const Message& message, std::string_view body, HandOver::Source source) {
    HandOver* over = hand_over();
    return over != nullptr && over->is_arriving(message.fd) &&
           over->keep_wish(message.fd, wish_of(message, body), source);
}

bool ask(zend_long fd, Message message, std::string_view body);
void carry_out_wish(std::string_view bytes);

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

// False: the inbox of its worker is full for now. A reset need not wait for what was sent before.
bool reset_broken(int64_t fd) {
    ServerState& state = *running_server();
    Message reset = {Wish::kReset, 0, 0, 0, fd, 0, 0};
    if (owns(fd)) {
        close_here(reset);
        return true;
    }
    if (HandOver* over = hand_over(); over != nullptr && over->is_arriving(fd)) {
        over->spoil(fd);
        return true;
    }
    Approach owner(state, fd);
    return owner.line() == kNoLine || standing_of(fd) == shm::Standing::kNone ||
           tell(state, owner.line(), reset, {});
}

BrokenStreams::BrokenStreams() {
    on_fire = [](loop::Timer& timer) {
        auto& streams = static_cast<BrokenStreams&>(timer);
        for (auto& [fd, is_reset] : streams.is_reset) {
            if (!is_reset && reset_broken(fd)) {
                is_reset = true;
                streams.unsent--;
            }
        }
        std::erase_if(streams.is_reset, [](const auto& entry) {
            return entry.second && standing_of(entry.first) == shm::Standing::kNone;
        });
        if (!streams.is_reset.empty()) {
            runtime::Runtime::get().loop().arm(
                timer, streams.is_done() ? kLookWhetherClosed : kResetAgainAfter);
        }
    };
}

void break_stream(int64_t fd, uint32_t sender) {
    BrokenStreams& streams = broken_streams();
    if (!streams.is_reset.emplace(fd, false).second) {
        return;
    }
    streams.unsent++;
    runtime::Runtime::get().loop().arm(streams, 0);
    os::Log::get().write(os::LogLevel::kWarning,
                         "connection#%lld is closed: what the process of line %u sent to it is "
                         "lost, because too much is waiting for the worker that it went to",
                         static_cast<long long>(fd), sender);
}

// What was kept for the connection goes where it is now, which may have changed once more. What
// finds no room there is lost like anything that is sent to a worker with too much to do, and with
// it the connection.
void open_fence(int64_t fd, uint32_t number) {
    std::vector<std::string> kept = routes.open(fd, number);
    if (HandOver* over = hand_over(); over != nullptr && over->is_arriving(fd)) {
        over->fence_passed(fd, std::move(kept));
        return;
    }
    for (const std::string& wish : kept) {
        Message message;
        std::string_view body = wish;
        (void)take_head(body, message);
        if (owns(fd)) {
            carry_out_wish(wish);
        } else if (!ask(fd, message, body)) {
            break_stream(fd, message.sender);
            break;
        }
    }
}

void open_overdue(Nanos before) {
    ServerState& state = *running_server();
    auto is_gone = [&](uint32_t line, int32_t pid) { return !passes_on(state, line, pid); };
    for (int64_t fd : routes.overdue(before, is_gone)) {
        open_fence(fd, routes.number(fd));
    }
}

OverdueFences::OverdueFences() {
    on_fire = [](loop::Timer& timer) {
        open_overdue(monotonic_now() - kFencePatience);
        if (routes.has_fences()) {
            runtime::Runtime::get().loop().arm(timer, kLookAtFences);
        }
    };
}

// A process that does not come to its loop now waits here; others go on.
void await_fence(ServerState& state, int64_t fd) {
    if (worker_service() != nullptr || runtime::Runtime::get().can_park()) {
        if (!overdue_fences().linked()) {
            runtime::Runtime::get().loop().arm(overdue_fences(), kLookAtFences);
        }
        return;
    }
    Nanos deadline = monotonic_now() + kFencePatience;
    while (routes.is_fenced(fd) && wait_for_message(state, deadline)) {
    }
    open_fence(fd, routes.number(fd));
}

void send_fence(ServerState& state, int64_t fd) {
    Message fence = {Wish::kFence, 0, 0, 0, fd, 0, routes.number(fd)};
    routes.note_sent(fd, state.board->line(routes.old_line(fd)).pid.load(), monotonic_now());
    (void)tell(state, routes.old_line(fd), fence, {});
    await_fence(state, fd);
}

bool tell_in_order(ServerState& state, uint32_t line, Message message, std::string_view body) {
    using Step = PeerRoutes::Step;
    Step step = routes.next(message.fd, line);
    if (step == Step::kFence && !passes_on(state, routes.old_line(message.fd))) {
        routes.forget(message.fd);
        step = routes.next(message.fd, line);
    }
    if (step == Step::kSend) {
        return tell(state, line, message, body);
    }
    message.sender = state.place.line;
    if (!routes.keep(message.fd, wish_of(message, body))) {
        return false;
    }
    if (step == Step::kFence) {
        send_fence(state, message.fd);
    }
    return true;
}

bool ask(zend_long fd, Message message, std::string_view body) {
    ServerState* state = running_server();
    if (state == nullptr || state->bus == nullptr || standing_of(fd) == shm::Standing::kNone) {
        return false;
    }
    message.fd = fd;
    if (const HandOver* over = hand_over(); over != nullptr && over->is_arriving(fd)) {
        message.sender = state->place.line;
        return keep_wish(message, body, HandOver::Source::kDirect);
    }
    Approach owner(*state, fd);
    if (owner.line() == kNoLine || owner.line() == state->place.line) {
        return false;
    }
    return can_move(message.wish) ? tell_in_order(*state, owner.line(), message, body)
                                  : tell(*state, owner.line(), message, body);
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

// Bytes that another process has counted as being on their way.
void note_arrival(int64_t fd, size_t bytes) {
    ServerState& state = *running_server();
    state.presence->note_on_way(state.place.line, fd, -static_cast<int64_t>(bytes));
}

void note_departure(ServerState& state, int64_t fd, size_t bytes) {
    state.presence->note_on_way(owner_of(state, fd), fd, static_cast<int64_t>(bytes));
}

void push_here(const Message& message, zend_string* data) {
    WebSocketHub* hub = websocket_hub();
    note_arrival(message.fd, ZSTR_LEN(data));
    if (hub == nullptr) {
        return;
    }
    io::OutFrame frame;
    frame.data = data;
    frame.opcode = message.opcode;
    frame.flags = message.flags;
    frame.close_code = message.code;
    hub->push_for_others(message.fd, frame);
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
    ConnectionInfo info;
    if (what.event == ServerEvent::kClose && take_head(bytes, info)) {
        events->queue_end(what, info);
        return;
    }
    bool has_data = what.event == ServerEvent::kReceive;
    events->queue(what, has_data ? zend_string_init(bytes.data(), bytes.size(), false) : nullptr);
}

void carry_out_wish(std::string_view bytes) {
    Message message;
    if (!take_head(bytes, message)) {
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
            note_arrival(message.fd, bytes.size());
            act_for_others(message.fd, static_cast<Action>(message.opcode), message.flags, bytes);
            break;
        case Wish::kEvent:
            take_event(message, bytes);
            break;
        case Wish::kFence:
            (void)tell(*running_server(), message.sender,
                       {Wish::kFenced, 0, 0, 0, message.fd, 0, message.serial}, {});
            break;
        case Wish::kFenced:
            open_fence(message.fd, message.serial);
            break;
        default:
            close_here(message);
    }
}

class MovedWishes final : public PeerWishes {
public:
    void expect(int64_t id, uint32_t line) override {
        ServerState& state = *running_server();
        bool fenced = routes.has(id) && routes.next(id, line) == PeerRoutes::Step::kFence;
        if (fenced && passes_on(state, routes.old_line(id))) {
            send_fence(state, id);
        } else if (fenced) {
            (void)routes.forget(id);
        }
    }
    bool all_came(int64_t id) const override { return !routes.is_fenced(id); }
    std::vector<std::string> settle(int64_t id) override { return routes.forget(id); }
    void carry_out(std::string_view wish) override { carry_out_wish(wish); }
    bool is_done() const override { return broken_streams().is_done(); }
};

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

bool has_living_worker(zend_long fd) {
    ServerState& state = *running_server();
    pid_t pid = state.board->line(owner_of(state, fd)).pid.load();
    return pid > 0 && !os::has_ended(pid);
}

// With its data, or naming what was brought with an earlier push.
bool push_data(ServerState& state, zend_long fd, Message message, zend_string* data) {
    std::string_view bytes(ZSTR_VAL(data), ZSTR_LEN(data));
    if (bytes.size() < kBringOnce) {
        return ask(fd, message, bytes);
    }
    uint32_t line = owner_of(state, fd);
    int32_t pid = state.board->line(line).pid.load();
    if (last_pushed.was_brought(data, line, pid)) {
        message.wish = Wish::kPushAgain;
        message.serial = last_pushed.serial;
        return ask(fd, message, {});
    }
    last_pushed.note(data, line, 0);  // which may change the serial
    message.serial = last_pushed.serial;
    bool sent = ask(fd, message, bytes);
    last_pushed.note(data, line, sent ? pid : 0);
    return sent;
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
    if (!push_data(state, fd, message, frame.data)) {
        return false;
    }
    note_departure(state, fd, ZSTR_LEN(frame.data));
    return true;
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
    if (!ask(fd, message, body)) {
        return false;
    }
    note_departure(*running_server(), fd, body.size());
    return true;
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
bool pass_on(Message message, std::string_view body) {
    uint32_t line = 0;
    const HandOver* given = hand_over();
    if (given == nullptr || !given->went_to(message.fd, line)) {
        return false;
    }
    message.code = kPassedOn;
    bool is_broken = broken_streams().is_reset.contains(message.fd);
    if (!is_broken &&
        !send_message(*running_server(), line, MessageKind::kConnection, message, body)) {
        break_stream(message.fd, message.sender);
    }
    return true;
}

// Of one that is about to come here. True: it is not to be carried out now.
bool keep_for_later(const Message& message, std::string_view body) {
    HandOver* over = hand_over();
    if (over == nullptr || !over->is_arriving(message.fd)) {
        return false;
    }
    auto source =
        message.code == kPassedOn ? HandOver::Source::kPassedOn : HandOver::Source::kDirect;
    if (!keep_wish(message, body, source)) {
        over->spoil(message.fd);
    }
    return true;
}

void take_wish(std::string_view bytes) {
    Message message;
    std::string_view body = bytes;
    if (!take_head(body, message)) {
        return;
    }
    if (message.wish == Wish::kFence && message.sender == running_server()->place.line) {
        open_fence(message.fd, message.serial);  // the connection is about to come to this worker
        return;
    }
    if (can_move(message.wish) && (pass_on(message, body) || keep_for_later(message, body))) {
        return;
    }
    carry_out_wish(bytes);
}

void join_peers(ServerState& state) {
    if (state.presence != nullptr && state.place.line < state.presence->lines()) {
        state.presence->clear(state.place.line);
    }
    brought.resize(state.board->size() + 1);
}

PeerWishes& peer_wishes() {
    static MovedWishes wishes;
    return wishes;
}

bool keeps_messages() { return routes.has_fences(); }

void leave_peers(ServerState& state) {
    open_overdue(INT64_MAX);
    last_pushed.drop();
    for (Brought& kept : brought) {
        kept.drop();
    }
    if (state.presence != nullptr && state.place.line < state.presence->lines()) {
        state.presence->clear(state.place.line);
    }
}

}  // namespace stampede::classes
