#include "ext/server/hand_over.h"

#include "ext/server/inbox.h"
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

enum class Step : uint8_t { kInput, kGiveStream, kGiveHttp, kTaken };

}  // namespace

struct HandOver::Message {
    Step step;
    uint8_t port_index;
    uint32_t sender;  // its line
    int64_t id;
    Nanos opened_at;  // of the machine's monotonic clock, which all processes share
    Nanos last_read_at;
    StreamSession::Snapshot session;
};

HandOver* hand_over() { return present; }

HandOver::HandOver(ServerState& state, server::Service& service)
    : state_(state), service_(service) {
    present = this;
    retry_.owner = this;
    retry_.on_fire = [](loop::Timer& timer) { static_cast<Retry&>(timer).owner->try_again(); };
}

HandOver::~HandOver() {
    service_.loop().disarm(retry_);
    present = nullptr;
}

bool HandOver::offer(net::Connection& connection) {
    if (state_.mode != kProcessMode || state_.bus == nullptr || state_.board->stopping() ||
        !connection.is_plain()) {
        return false;
    }
    waiting_.push_back(static_cast<int64_t>(connection.id()));
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
    bool found = find_successor(line);
    bool stopping = state_.board->stopping();
    std::erase_if(waiting_, [&](int64_t id) {
        StreamSession* session = service_.connections().find_stream(id);
        if (session == nullptr || session->connection().closing()) {
            return true;
        }
        if (stopping) {
            session->connection().close_after_flush();
            return true;
        }
        return found && session->at_rest() && give_stream(id, line);
    });
    if (!waiting_.empty()) {
        service_.loop().arm(retry_, kRetryAfter);
    }
}

// False: the other worker's inbox is full for now.
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
    given_[id] = line;
    went_to_[id] = {line, now};
    in_order_.emplace_back(now, id);
    std::string_view head(reinterpret_cast<const char*>(&message), sizeof(message));
    if (!send_descriptor(state_, line, MessageKind::kHandOver, head,
                         service_.release(connection))) {
        given_.erase(id);  // the connection is closed: its peer connects again
        service_.connections().forget_moved(id);
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
    return given_.empty() && waiting_.empty() &&
           (went_to_.empty() || !state_.bus->has_messages(state_.place.line));
}

bool HandOver::find(int64_t id, uint32_t& line) const {
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
    if (message.step == Step::kInput) {
        input_[message.id] = rest;
    } else if (message.step != Step::kTaken) {
        take_over(bytes, std::move(descriptor));
    } else if (given_.erase(message.id) > 0) {
        service_.connections().forget_moved(message.id);
    }
}

void HandOver::take_over(std::string_view bytes, os::Fd descriptor) {
    Message message;
    (void)take_head(bytes, message);
    std::string kept;
    if (auto found = input_.find(message.id); found != input_.end()) {
        kept = std::move(found->second);
        input_.erase(found);
    }
    if (!descriptor) {
        return;
    }
    went_to_.erase(message.id);
    server::Moved moved{std::move(descriptor), static_cast<uint64_t>(message.id),
                        message.port_index, message.opened_at, message.last_read_at};
    if (message.step == Step::kGiveStream) {
        if (StreamSession* session = service_.adopt_stream(std::move(moved))) {
            session->restore(message.session, kept);
        }
    } else if (server::Http1Session* session = service_.adopt_http(std::move(moved))) {
        session->take_over(kept);
    }
    net::Connection* taken_over = service_.connections().find(message.id);
    if (taken_over != nullptr && service_.draining()) {
        taken_over->session().drain();
    }
    uint32_t giver = message.sender;
    Message taken = {};
    taken.step = Step::kTaken;
    taken.sender = state_.place.line;
    taken.id = message.id;
    (void)send_message(state_, giver, MessageKind::kHandOver, taken, {});
}

void take_hand_over(std::string_view bytes) {
    os::Fd descriptor = running_server()->bus->take_attached();
    if (present != nullptr) {
        present->take(bytes, std::move(descriptor));
    }
}

}  // namespace stampede::classes
