#include "ext/server/dispatch.h"

#include <algorithm>
#include <utility>

#include "ext/server/event_job.h"
#include "ext/server/tls.h"
#include "ext/server/worker.h"
#include "io/options.h"
#include "net/connection.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "server/http_session.h"
#include "server/service.h"
#include "server/stream_session.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr int kProcessMode = 2;
constexpr int kWithTls = 512;           // SWOOLE_SSL
constexpr int64_t kDiscardPacket = -1;  // SWOOLE_DISPATCH_RESULT_*
constexpr int64_t kCloseConnection = -2;
constexpr int64_t kUseDefault = -3;

constexpr Nanos kMostAbsent = 10 * kSecond;  // of a worker that is waited for
constexpr Nanos kLookAfter = 2 * kMillisecond;

zval* function_of(const ServerState& state) {
    return Z_TYPE(state.given) == IS_ARRAY ? io::find_option(Z_ARRVAL(state.given), "dispatch_func")
                                           : nullptr;
}

// Numbers of IPv4 addresses as they are read from left to right; of IPv6 their last four bytes.
uint32_t number_of(const sockaddr_in6& peer) {
    if (peer.sin6_family == AF_INET) {
        return ntohl(reinterpret_cast<const sockaddr_in&>(peer).sin_addr.s_addr);
    }
    uint32_t last = 0;
    memcpy(&last, reinterpret_cast<const char*>(&peer.sin6_addr) + 12, sizeof(last));
    return ntohl(last);
}

void look_again(int64_t fd) {
    const server::ConnectionTable& connections = worker_service()->connections();
    if (server::StreamSession* stream = connections.find_stream(fd)) {
        stream->look_again();
    } else if (server::HttpSession* http = connections.find_http(fd)) {
        http->look_again();
    }
}

}  // namespace

std::string check_dispatch(const ServerState& state) {
    zval* function = function_of(state);
    if (function == nullptr || zend_is_callable(function, 0, nullptr)) {
        return {};
    }
    return "dispatch_func must be a function that takes the server, the connection, the type and "
           "the data, and returns the number of a worker";
}

void note_dispatch(const ServerState& state) {
    int64_t mode = state.settings.dispatch_mode;
    std::string option;
    if (function_of(state) != nullptr) {
        option = "dispatch_func";
    } else if (mode == kByAddress || mode == kByUser) {
        option = "dispatch_mode " + std::to_string(mode);
    } else {
        return;
    }
    if (state.mode != kProcessMode) {
        os::Log::get().write(os::LogLevel::kNotice,
                             "%s has no effect with SWOOLE_BASE: packets are received by the "
                             "worker that has their connection",
                             option.c_str());
    } else if (std::ranges::any_of(state.ports, [&](const auto& port) {
                   return port->kind == PortKind::kHttp &&
                          ((port->type & kWithTls) != 0 || speaks_http2(state, *port));
               })) {
        os::Log::get().write(os::LogLevel::kNotice,
                             "%s counts for HTTP/1 without TLS only: other requests are handled by "
                             "the worker that has their connection",
                             option.c_str());
    }
}

// As in the original, the options count in SWOOLE_PROCESS alone.
Dispatcher::Dispatcher(ServerState& state) : state_(state) {
    if (state.mode != kProcessMode || state.settings.worker_num < 2) {
        return;
    }
    absent_.resize(static_cast<size_t>(state_.settings.worker_num));
    look_.owner = this;
    look_.on_fire = [](loop::Timer& timer) { static_cast<Look&>(timer).owner->look_for_workers(); };
    zval* function = function_of(state);
    if (function != nullptr && zend::Callable::hold(function, function_)) {
        mode_ = kByFunction;
    } else if (state.settings.dispatch_mode == kByAddress ||
               state.settings.dispatch_mode == kByUser) {
        mode_ = static_cast<int>(state.settings.dispatch_mode);
    } else if (state.settings.dispatch_mode == kInTurn ||
               state.settings.dispatch_mode == kInTurnToo) {
        mode_ = kInTurn;
    } else if (state.settings.dispatch_mode == kIdle) {
        mode_ = kIdle;
    }
    last_ = state.place.worker;
}

Dispatcher::~Dispatcher() {
    if (look_.linked()) {
        Runtime::get().loop().disarm(look_);
    }
    if (function_) {
        function_.release();
    }
}

uint32_t Dispatcher::key_of(const net::Connection& connection,
                            const server::StreamSession* session) const {
    if (mode_ == kByAddress) {
        return number_of(connection.peer);
    }
    if (mode_ == kIdle) {
        return session != nullptr && session->at_rest() ? 0 : 1;
    }
    uint32_t uid = session != nullptr ? session->uid : 0;
    return uid != 0 ? uid : static_cast<uint32_t>(connection.id());
}

Target Dispatcher::target(const ConnectionEvent& what, int type, std::string_view bytes) {
    if (spreads()) {
        return what.event == ServerEvent::kReceive ? next_target(what) : Target{};
    }
    auto workers = static_cast<uint32_t>(state_.settings.worker_num);
    if (mode_ != kByFunction) {
        return line_of(what.route_key % state_.board->active_workers(), what);
    }
    int64_t worker = ask(what.fd, type, bytes);
    if (worker == kUseDefault) {
        return {};
    }
    if (worker == kCloseConnection) {
        return {Target::kClose};
    }
    if (worker < 0 || worker >= workers) {
        if (worker != kDiscardPacket) {
            os::Log::get().write(os::LogLevel::kWarning,
                                 "dispatch_func returned %lld, which is no worker: the data of "
                                 "connection#%lld is discarded",
                                 static_cast<long long>(worker), static_cast<long long>(what.fd));
        }
        return {Target::kDiscard};
    }
    return line_of(static_cast<uint32_t>(worker), what);
}

// kIdle: this worker as long as it has nothing else to do, which spares the forwarding; else as
// kInTurn. Which of the others are idle cannot be known: what is on its way to them counts, too. A
// worker that is just starting or ending is left out.
Target Dispatcher::next_target(const ConnectionEvent& what) {
    if (mode_ == kIdle && what.route_key == 0 &&
        state_.board->line(state_.place.line).concurrency.get() == 0) {
        last_ = state_.place.worker;
        return {};
    }
    uint32_t workers = state_.board->active_workers();
    for (uint32_t i = 0; i < workers; i++) {
        last_ = (last_ + 1) % workers;
        uint32_t line = 0;
        if (find_line(last_, line)) {
            return {line == state_.place.line ? Target::kHere : Target::kElsewhere, line};
        }
    }
    return {};
}

// A worker that is being replaced takes what the next one cannot yet.
Target Dispatcher::line_of(uint32_t worker, const ConnectionEvent& what) {
    uint32_t line = 0;
    Absence& absence = absent_[worker];
    if (find_line(worker, line)) {
        absence.given_up = false;
        return {line == state_.place.line ? Target::kHere : Target::kElsewhere, line};
    }
    if (what.event != ServerEvent::kReceive || absence.given_up || !is_awaited(worker)) {
        return {};
    }
    loop::Loop& loop = Runtime::get().loop();
    if (absence.waiting.empty()) {
        absence.since = loop.iteration_time();
    }
    absence.waiting.push_back(what.fd);
    if (!look_.linked()) {
        loop.arm(look_, kLookAfter);
    }
    return {Target::kLater};
}

bool Dispatcher::find_line(uint32_t worker, uint32_t& line) const {
    for (line = 0; line < state_.board->size(); line++) {
        const shm::WorkerLine& there = state_.board->line(line);
        if (there.worker.load() == worker && there.state.load() == shm::WorkerState::kRunning) {
            return true;
        }
    }
    return false;
}

bool Dispatcher::is_awaited(uint32_t worker) const {
    return worker != state_.place.worker && !is_off(state_, worker) && !state_.board->stopping();
}

// Each connection is looked at once, when it need not wait any more: until then its function is not
// asked again. Not for ever: a worker that cannot start must not keep what is for it.
void Dispatcher::look_for_workers() {
    loop::Loop& loop = Runtime::get().loop();
    bool more = false;
    for (uint32_t worker = 0; worker < absent_.size(); worker++) {
        Absence& absence = absent_[worker];
        uint32_t line = 0;
        if (absence.waiting.empty()) {
            continue;
        }
        if (!find_line(worker, line) && is_awaited(worker)) {
            if (loop.iteration_time() - absence.since < kMostAbsent) {
                more = true;
                continue;
            }
            give_up(worker);
        }
        for (int64_t fd : std::exchange(absence.waiting, {})) {
            look_again(fd);
        }
    }
    if (more) {
        loop.arm(look_, kLookAfter);
    }
}

void Dispatcher::give_up(uint32_t worker) {
    absent_[worker].given_up = true;
    os::Log::get().write(os::LogLevel::kWarning,
                         "worker %u has not started for %lld seconds: what is for it is handled by "
                         "the workers that have the connections",
                         worker, static_cast<long long>(kMostAbsent / kSecond));
}

int64_t Dispatcher::ask(zend_long fd, int type, std::string_view bytes) {
    EventArguments arguments;
    arguments.add_object(state_.object);
    arguments.add_long(fd);
    arguments.add_long(type);
    arguments.add_string(bytes.data() != nullptr ? bytes : std::string_view(""));
    zval result;
    if (!ask_function(function_, arguments, &result)) {
        return kUseDefault;
    }
    int64_t worker = zval_get_long(&result);
    zval_ptr_dtor(&result);
    return worker;
}

}  // namespace stampede::classes
