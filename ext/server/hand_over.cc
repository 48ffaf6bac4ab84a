#include "ext/server/hand_over.h"

#include "ext/server/inbox.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "server/http1/session.h"
#include "server/stream_session.h"

namespace stampede::classes {

namespace {

using server::StreamSession;

HandOver* present;

constexpr int kProcessMode = 2;
constexpr Nanos kRetryAfter = 2 * kMillisecond;

// What was sent to this worker by a process that looked for the connection before it was taken has
// come by then.
constexpr Nanos kRemembered = 5 * kSecond;

// A giver that was killed passes nothing on any more.
constexpr Nanos kMostArriving = kSecond;
constexpr Nanos kInputKept = 30 * kSecond;  // without the connection
constexpr Nanos kLookAfter = 10 * kMillisecond;
constexpr size_t kMostKept = 16u << 20;  // bytes of wishes for one connection

}  // namespace

enum class HandOver::Step : uint8_t {
    kInput,
    kForget,
    kGiveStream,
    kGiveHttp,
    kTaken,
    kLost,
    kDone
};

struct HandOver::Message {
    Step step;
    uint8_t port_index;
    uint32_t sender;  // its line
    int64_t id;
    Nanos opened_at;  // of the machine's monotonic clock, which all processes share
    Nanos last_read_at;
    StreamSession::Snapshot session;
};

struct HandOver::Arriving {
    Message message;
    os::Fd descriptor;
    std::string kept;
    std::vector<std::string> passed_on;
    std::vector<std::string> direct;
    size_t bytes = 0;      // of both
    bool is_done = false;  // kDone has come
    bool is_spoilt = false;
    Nanos since = 0;
    int32_t giver = 0;  // its process
};

HandOver* hand_over() { return present; }

HandOver::HandOver(ServerState& state, server::Service& service, PeerWishes& wishes)
    : state_(state), service_(service), wishes_(wishes) {
    present = this;
    retry_.owner = this;
    retry_.on_fire = [](loop::Timer& timer) { static_cast<Retry&>(timer).owner->try_again(); };
    overdue_.owner = this;
    overdue_.on_fire = [](loop::Timer& timer) { static_cast<Retry&>(timer).owner->watch_moves(); };
}

HandOver::~HandOver() {
    service_.loop().disarm(retry_);
    service_.loop().disarm(overdue_);
    present = nullptr;
}

bool HandOver::accepts(const net::Connection& connection) const {
    return state_.mode == kProcessMode && state_.bus != nullptr && !state_.board->stopping() &&
           connection.is_plain();
}

bool HandOver::offer(net::Connection& connection) {
    if (!accepts(connection)) {
        return false;
    }
    waiting_.push_back({static_cast<int64_t>(connection.id()), kAnyLine});
    arm();
    return true;
}

bool HandOver::offer_to(StreamSession& session, uint32_t line) {
    net::Connection& connection = session.connection();
    if (state_.bus == nullptr || state_.board->stopping() || !connection.is_plain() ||
        !session.at_rest()) {
        return false;
    }
    waiting_.push_back({static_cast<int64_t>(connection.id()), line});
    arm();
    return true;
}

void HandOver::arm() {
    if (!retry_.linked()) {
        service_.loop().arm(retry_, 0);
    }
}

// The next worker of this place; any other when the place has none any more.
bool HandOver::find_successor(uint32_t& line) const {
    bool is_off = classes::is_off(state_, state_.place.worker);
    uint64_t fewest = UINT64_MAX;
    for (uint32_t i = 0; i < state_.board->size(); i++) {
        const shm::WorkerLine& other = state_.board->line(i);
        uint32_t worker = other.worker.load(std::memory_order_relaxed);
        if (i == state_.place.line || other.state.load() != shm::WorkerState::kRunning ||
            worker >= static_cast<uint32_t>(state_.settings.worker_num) ||
            (!is_off && worker != state_.place.worker) || other.connections.get() >= fewest) {
            continue;
        }
        fewest = other.connections.get();
        line = i;
    }
    return fewest != UINT64_MAX;
}

void HandOver::try_again() {
    uint32_t line = 0;
    const uint32_t* successor = find_successor(line) ? &line : nullptr;
    std::erase_if(waiting_, [&](const Leaving& leaving) { return leave(leaving, successor); });
    if (!waiting_.empty()) {
        service_.loop().arm(retry_, kRetryAfter);
    }
}

// True: it need not be looked at again.
bool HandOver::leave(const Leaving& leaving, const uint32_t* successor) {
    StreamSession* session = service_.connections().find_stream(leaving.id);
    if (session == nullptr || session->connection().closing()) {
        return true;
    }
    bool is_called = leaving.line != kAnyLine;
    bool stopping = state_.board->stopping();
    if (is_called) {
        bool runs = state_.board->line(leaving.line).state.load() == shm::WorkerState::kRunning;
        if (!runs || stopping || !session->at_rest()) {
            session->look_again();  // its packets are forwarded, or handled here
            return true;
        }
        return give_stream(leaving.id, leaving.line);
    }
    if (stopping) {
        session->connection().close_after_flush();
        return true;
    }
    return successor != nullptr && session->at_rest() && give_stream(leaving.id, *successor);
}

// False: the other worker's inbox is full for now, or it is about to end itself.
bool HandOver::give_stream(int64_t id, uint32_t line) {
    StreamSession& session = *service_.connections().find_stream(id);
    Message message = {};
    message.step = Step::kGiveStream;
    message.session = session.snapshot();
    return give(message, session.connection(), line, session.kept());
}

bool HandOver::give_request(net::Connection& connection, uint32_t line, std::string_view bytes) {
    Message message = {};
    message.step = Step::kGiveHttp;
    return give(message, connection, line, bytes);
}

bool HandOver::give(Message& message, net::Connection& connection, uint32_t line,
                    std::string_view read) {
    state_.bus->begin_sending(line);  // the other worker does not end meanwhile
    bool is_given = serves(state_, line) && give_to_serving(message, connection, line, read);
    state_.bus->end_sending(line);
    return is_given;
}

bool HandOver::give_to_serving(Message& message, net::Connection& connection, uint32_t line,
                               std::string_view read) {
    auto id = static_cast<int64_t>(connection.id());
    message.sender = state_.place.line;
    message.id = id;
    message.port_index = static_cast<uint8_t>(connection.port_index);
    message.opened_at = connection.opened_at;
    message.last_read_at = connection.last_read_at;
    Message input = message;
    input.step = Step::kInput;
    if (!read.empty() && !send_message(state_, line, MessageKind::kHandOver, input, read)) {
        return false;
    }
    Nanos now = service_.loop().iteration_time();
    forget_old();
    given_[id] = {line, state_.board->line(line).pid.load()};
    watch();
    went_to_[id] = {line, now};
    in_order_.emplace_back(now, id);
    std::string_view head(reinterpret_cast<const char*>(&message), sizeof(message));
    if (!send_descriptor(state_, line, MessageKind::kHandOver, head,
                         service_.release(connection))) {
        given_.erase(id);  // the connection is closed: its peer connects again
        tell(line, id, Step::kForget);
        service_.connections().lose_moved(id);
    }
    return true;
}

void HandOver::forget_old() {
    Nanos before = service_.loop().iteration_time() - kRemembered;
    while (!in_order_.empty() && in_order_.front().first < before) {
        auto found = went_to_.find(in_order_.front().second);
        if (found != went_to_.end() && found->second.since == in_order_.front().first) {
            went_to_.erase(found);
        }
        in_order_.pop_front();
    }
}

bool HandOver::is_done() const {
    return given_.empty() && waiting_.empty() && arriving_.empty() && wishes_.is_done();
}

bool HandOver::is_given(int64_t id, uint32_t& line) const {
    auto found = given_.find(id);
    if (found == given_.end()) {
        return false;
    }
    line = found->second.line;
    return true;
}

bool HandOver::went_to(int64_t id, uint32_t& line) const {
    auto found = went_to_.find(id);
    if (found == went_to_.end()) {
        return false;
    }
    line = found->second.line;
    return true;
}

void HandOver::take(std::string_view bytes, os::Fd descriptor) {
    Message message;
    std::string_view rest = bytes;
    if (!take_head(rest, message)) {
        return;
    }
    switch (message.step) {
        case Step::kInput:
            keep_input(message.id, rest);
            break;
        case Step::kForget:
            input_.erase(message.id);
            break;
        case Step::kGiveStream:
        case Step::kGiveHttp:
            take_over(message, std::move(descriptor));
            break;
        case Step::kTaken:
            if (given_.erase(message.id) > 0) {
                service_.connections().forget_moved(message.id);
                tell(message.sender, message.id, Step::kDone);
            }
            break;
        case Step::kLost:
            if (given_.erase(message.id) > 0) {
                service_.connections().lose_moved(message.id);
            }
            break;
        case Step::kDone:
            if (auto found = arriving_.find(message.id); found != arriving_.end()) {
                found->second->is_done = true;
                settle_when_complete(message.id);
            }
    }
}

void HandOver::take_over(const Message& message, os::Fd descriptor) {
    std::string kept;
    if (auto found = input_.find(message.id); found != input_.end()) {
        kept = std::move(found->second.bytes);
        input_.erase(found);
    }
    if (!descriptor) {
        tell(message.sender, message.id, Step::kLost);
        return;
    }
    went_to_.erase(message.id);
    // This worker was about to end, and has a connection again.
    auto leaving = shm::WorkerState::kLeaving;
    state_.board->line(state_.place.line)
        .state.compare_exchange_strong(leaving, shm::WorkerState::kDraining);
    if (message.step == Step::kGiveHttp) {
        go_on(message, std::move(descriptor), kept);
        tell(message.sender, message.id, Step::kTaken);
        return;
    }
    auto arriving = std::make_unique<Arriving>();
    arriving->message = message;
    arriving->descriptor = std::move(descriptor);
    arriving->kept = std::move(kept);
    arriving->since = service_.loop().iteration_time();
    arriving->giver = state_.board->line(message.sender).pid.load();
    arriving_[message.id] = std::move(arriving);
    service_.connections().expect_moved(message.id);
    wishes_.expect(message.id, message.sender);
    tell(message.sender, message.id, Step::kTaken);
    watch();
}

void HandOver::tell(uint32_t line, int64_t id, Step step) {
    Message message = {};
    message.step = step;
    message.sender = state_.place.line;
    message.id = id;
    (void)send_message(state_, line, MessageKind::kHandOver, message, {});
}

bool HandOver::keep_wish(int64_t id, std::string_view wish, Source source) {
    auto found = arriving_.find(id);
    if (found == arriving_.end() || found->second->bytes + wish.size() > kMostKept) {
        return false;
    }
    Arriving& arriving = *found->second;
    arriving.bytes += wish.size();
    (source == Source::kPassedOn ? arriving.passed_on : arriving.direct).emplace_back(wish);
    return true;
}

void HandOver::spoil(int64_t id) {
    if (auto found = arriving_.find(id); found != arriving_.end()) {
        found->second->is_spoilt = true;
    }
}

void HandOver::watch() {
    if (!overdue_.linked()) {
        service_.loop().arm(overdue_, kLookAfter);
    }
}

// For the case that the other worker is killed: what it was to take is lost with it, and what it
// gave goes on.
void HandOver::watch_moves() {
    Nanos now = service_.loop().iteration_time();
    std::erase_if(given_, [&](const auto& entry) {
        bool is_lost = !passes_on(state_, entry.second.line, entry.second.process);
        if (is_lost) {
            service_.connections().lose_moved(entry.first);
        }
        return is_lost;
    });
    // What a giver has sent before its end is read first.
    bool is_read = !state_.bus->has_messages(state_.place.line);
    std::vector<int64_t> overdue;
    for (const auto& [id, arriving] : arriving_) {
        if ((is_read && !passes_on(state_, arriving->message.sender, arriving->giver)) ||
            now - arriving->since >= kMostArriving) {
            overdue.push_back(id);
        }
    }
    for (int64_t id : overdue) {
        settle(id);
    }
    if (!arriving_.empty() || !given_.empty()) {
        watch();
    }
}

void HandOver::keep_input(int64_t id, std::string_view bytes) {
    Nanos now = service_.loop().iteration_time();
    std::erase_if(input_, [&](const auto& entry) { return now - entry.second.since > kInputKept; });
    input_[id] = {std::string(bytes), now};
}

void HandOver::fence_passed(int64_t id, std::vector<std::string> kept) {
    std::vector<std::string>& before = arriving_.find(id)->second->passed_on;
    before.insert(before.end(), std::make_move_iterator(kept.begin()),
                  std::make_move_iterator(kept.end()));
    settle_when_complete(id);
}

void HandOver::settle_when_complete(int64_t id) {
    if (arriving_.find(id)->second->is_done && wishes_.all_came(id)) {
        settle(id);
    }
}

void HandOver::settle(int64_t id) {
    auto found = arriving_.find(id);
    if (found == arriving_.end()) {
        return;
    }
    std::unique_ptr<Arriving> arriving = std::move(found->second);
    arriving_.erase(found);
    std::vector<std::string> kept = wishes_.settle(id);
    if (arriving->is_spoilt) {
        os::Log::get().write(
            os::LogLevel::kWarning,
            "connection#%lld is closed: more was sent to it than can be kept while "
            "it changed its worker",
            static_cast<long long>(id));
        service_.connections().lose_moved(id);
        return;
    }
    go_on(arriving->message, std::move(arriving->descriptor), arriving->kept);
    for (const auto* wishes : {&arriving->passed_on, &kept, &arriving->direct}) {
        for (const std::string& wish : *wishes) {
            wishes_.carry_out(wish);
        }
    }
}

void HandOver::go_on(const Message& message, os::Fd descriptor, const std::string& kept) {
    server::Moved moved{std::move(descriptor), static_cast<uint64_t>(message.id),
                        message.port_index, message.opened_at, message.last_read_at};
    if (message.step == Step::kGiveStream) {
        StreamSession* session = service_.adopt_stream(std::move(moved));
        if (session != nullptr) {
            session->restore(message.session, kept);
        } else {
            service_.connections().forget_moved(message.id);
        }
    } else if (server::Http1Session* session = service_.adopt_http(std::move(moved))) {
        session->take_over(kept);
    }
    net::Connection* taken_over = service_.connections().find(message.id);
    if (taken_over != nullptr && service_.draining()) {
        taken_over->session().drain();
    }
}

void take_hand_over(std::string_view bytes) {
    os::Fd descriptor = running_server()->bus->take_attached();
    if (present != nullptr) {
        present->take(bytes, std::move(descriptor));
    }
}

}  // namespace stampede::classes
