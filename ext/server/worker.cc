// A worker: starts, serves, drains, ends.
#include "ext/server/access_log_settings.h"
#include "ext/server/api_options.h"
#include "ext/server/inbox.h"
#include "ext/server/tasks.h"
#include "ext/server/worker.h"

#include <algorithm>
#include <csignal>

#include "ext/server/hand_over.h"
#include "ext/server/http_handler.h"
#include "ext/server/exit_event.h"
#include "ext/server/life_events.h"
#include "ext/server/metrics.h"
#include "ext/server/peers.h"
#include "ext/server/port_settings.h"
#include "ext/server/process_start.h"
#include "ext/server/tls.h"
#include "os/fd.h"
#include "os/log.h"
#include "os/process.h"
#include "os/signal.h"
#include "runtime/runtime.h"
#include "server/http_session.h"
#include "server/service.h"
#include "zend/pending.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using os::Log;
using os::LogLevel;
using runtime::Outcome;

// A worker that is replaced lets idle peers send one more request, nearly as long as it may.
constexpr Nanos kIdlePatience = kSecond;
constexpr Nanos kTimeToRefuse = kSecond / 2;
constexpr Nanos kLastRequests = kSecond / 2;

// When the server stops: how often is looked at what may still come, and how long clients that are
// about to be connected have for it.
constexpr Nanos kLookAgain = 10 * kMillisecond;
constexpr Nanos kHandshakes = 100 * kMillisecond;

// A process that was killed while it sent something to this worker seems to be about to do so for
// ever.
constexpr Nanos kMostExpecting = 100 * kMillisecond;

class Worker;
Worker* present_worker;

class Worker final : public server::Host {
public:
    explicit Worker(ServerState& state)
        : state_(state), runtime_(runtime::Runtime::get()), handler_(state), exit_event_(state) {}

    int run();
    server::Service* service() { return service_.get(); }
    ServerState& state() { return state_; }

    bool give_transport(net::Connection& connection) override {
        return classes::give_transport(state_, connection);
    }
    void leave_connection_to(uint32_t line) override {
        (void)send_message(state_, line, MessageKind::kLook, std::string_view(), {});
    }
    void exhausted() override { say(proc::kSayReplace); }
    bool hand_over(net::Connection& connection) override { return hand_over_->offer(connection); }
    bool can_hand_over(const net::Connection& connection) const override {
        return hand_over_->accepts(connection);
    }
    Dispatched dispatch(net::Connection& connection, std::string_view bytes) override;

private:
    enum class Phase : uint8_t { kStarting, kServing, kDraining, kStopping, kGone };

    struct WorkerTimer : loop::Timer {
        Worker* worker;
    };
    struct WorkerWatch : loop::Watch {
        Worker* worker;
    };

    bool prepare();
    void make_service();
    void open_access_log();
    void close_access_log();
    uint32_t connection_limit() const;
    bool take_signals();
    void watch_channel();
    void begin_serving();
    void begin_drain(int status);
    void on_signals();
    void close_idle();
    void begin_stop();
    void finish_in_order();
    bool finish_accepting(Nanos since);
    void limit_drain(Nanos time);
    void on_drained_time();
    bool takes_more_time();
    void set_timer(WorkerTimer& timer, Nanos delay, loop::Timer::Callback callback);
    bool drained() const;
    bool is_left_alone();
    bool done();
    void stop_event();
    void say(char message);

    ServerState& state_;
    runtime::Runtime& runtime_;
    HttpHandler handler_;
    std::unique_ptr<server::AccessLog> access_log_;
    std::unique_ptr<metrics::HttpMetrics> metrics_;
    std::unique_ptr<server::Service> service_;
    std::unique_ptr<HandOver> hand_over_;
    WorkerWatch signals_;
    WorkerWatch channel_;
    WorkerTimer ready_timer_;
    WorkerTimer idle_timer_;
    ExitEvent exit_event_;
    WorkerTimer limit_timer_;
    WorkerTimer look_timer_;
    Nanos leaving_since_ = 0;
    Phase phase_ = Phase::kStarting;
    int status_ = 0;
    bool out_of_time_ = false;
    size_t waited_ = SIZE_MAX;  // requests, when the time of a replaced worker was over last
    bool stays_on_ = false;     // longer than max_wait_time
    bool accepts_ = true;       // what waits to be accepted, while the server stops
    Nanos stopping_since_ = 0;
    bool patience_over_ = false;
};

int Worker::run() {
    if (!prepare()) {
        return 1;
    }
    // A workerStart that waits longer does not hold up the service.
    set_timer(ready_timer_, to_nanos(state_.settings.worker_start_timeout),
              [](loop::Timer& timer) { static_cast<WorkerTimer&>(timer).worker->begin_serving(); });
    start_life_event(
        state_, ServerEvent::kWorkerStart, *this, +[](Worker& worker, Outcome outcome) {
            if (outcome == Outcome::kReturned) {
                worker.begin_serving();
            } else if (worker.phase_ == Phase::kStarting) {
                Log::get().write(LogLevel::kError,
                                 "the event workerStart failed in worker %u: the worker ends",
                                 worker.state_.place.worker);
                worker.status_ = 255;
                worker.phase_ = Phase::kGone;
            }
        });
    runtime_.run_until([](void* self) { return static_cast<Worker*>(self)->done(); }, this);
    service_->connections().close_all(net::CloseCause::kServer);
    close_access_log();
    exit_event_.end();
    stop_publishing();
    close_inboxes(state_);
    state_.board->line(state_.place.line).state.store(shm::WorkerState::kEnded);
    runtime_.loop().unwatch(signals_);
    for (WorkerTimer* timer : {&ready_timer_, &idle_timer_, &limit_timer_, &look_timer_}) {
        runtime_.loop().disarm(*timer);
    }
    return status_;
}

bool Worker::prepare() {
    Log::get().set_worker(static_cast<int>(state_.place.worker));
    std::string error = start_process(state_);
    if (!error.empty()) {
        Log::get().write(LogLevel::kError, "%s", error.c_str());
        return false;
    }
    runtime_.set_bail_hook(
        [](void* self) {
            // The request beside which this one failed are still served; a fresh process takes
            // over.
            auto* worker = static_cast<Worker*>(self);
            if (!zend::grant_memory_after_limit()) {
                worker->handler_.refuse_waiting();
            }
            // One that has never served is started again later and later, not at once.
            if (worker->phase_ == Phase::kServing || worker->phase_ == Phase::kDraining) {
                worker->say(proc::kSayLeaving);
            }
            worker->begin_drain(255);
        },
        this);
    show_worker(state_);
    join_metrics(state_);
    make_service();
    watch_channel();
    return take_signals();
}

// Files and clients of the application keep a reserve of descriptors.
uint32_t Worker::connection_limit() const {
    uint64_t limit = os::descriptor_limit();
    uint64_t reserve = std::clamp<uint64_t>(limit / 10, 8, 512);
    uint64_t used = os::open_descriptors() + reserve;
    uint64_t room = limit > used + 4 ? limit - used : 4;
    uint64_t wanted = static_cast<uint64_t>(state_.settings.max_connection);
    uint64_t each = (wanted + static_cast<uint64_t>(state_.settings.worker_num) - 1) /
                    static_cast<uint64_t>(state_.settings.worker_num);
    return static_cast<uint32_t>(std::min<uint64_t>({room, each, kMostConnectionsOfWorker}));
}

void Worker::make_service() {
    server::ServiceSettings settings = service_settings(state_.settings);
    settings.worker = state_.place.line;
    settings.ports.clear();
    for (const auto& port : state_.ports) {
        bool routes = handler_.receive_handler().routes(port->kind);
        settings.ports.push_back(settings_of(*port, state_, routes));
        settings.http2.ports.push_back(speaks_http2(state_, *port));
        settings.proxies.header_ports.push_back(has_proxy_header(state_, *port));
        settings.tls_ports.push_back(port->tls != nullptr);
    }
    settings.workers = static_cast<uint32_t>(state_.settings.worker_num);
    settings.max_connections = connection_limit();
    if (state_.settings.max_request > 0) {
        uint64_t most = static_cast<uint64_t>(state_.settings.max_request);
        int64_t grace = state_.settings.max_request_grace;
        uint64_t spread = grace >= 0 ? static_cast<uint64_t>(grace) : most / 2;
        // Workers that count the same requests do not all go at once.
        settings.max_requests =
            most + (spread > 0 ? static_cast<uint64_t>(monotonic_now() / 1000) % (spread + 1) : 0);
    }
    shm::WorkerLine& line = state_.board->line(state_.place.line);
    line.requests.set(0);
    if (state_.addresses != nullptr) {
        state_.addresses->clear(state_.place.line);
    }
    open_access_log();
    metrics_ = make_http_metrics(state_);
    const server::ServiceParts parts{
        .loop = runtime_.loop(),
        .handler = handler_,
        .host = *this,
        .board = *state_.board,
        .streams = &handler_.receive_handler(),
        .presence = state_.presence.get(),
        .addresses = state_.addresses.get(),
        .access_log = access_log_.get(),
        .metrics = metrics_.get(),
    };
    service_ = std::make_unique<server::Service>(parts, settings);
    hand_over_ = std::make_unique<HandOver>(state_, *service_, peer_wishes());
    open_inbox(state_);
    if (state_.settings.watchdog_timeout > 0) {
        runtime_.loop().publish_busy_since(&line.iteration_started.raw());
    }
}

void Worker::open_access_log() {
    if (state_.access_lines == nullptr) {
        return;
    }
    access_log_ = std::make_unique<server::AccessLog>(runtime_.loop(), *state_.access_lines,
                                                      access_log_settings(state_.settings));
}

void Worker::close_access_log() {
    service_->stop_logging();
    access_log_.reset();
    state_.access_lines.reset();
}

server::Host::Dispatched Worker::dispatch(net::Connection& connection, std::string_view bytes) {
    if (connection.pending() > 0) {
        connection.flush();  // responses to what was pipelined before
    }
    if (connection.closed()) {
        return Dispatched::kGone;
    }
    if (connection.pending() > 0) {
        return Dispatched::kLater;
    }
    Target target = handler_.receive_handler().target_of(connection, bytes);
    if (connection.closed()) {
        return Dispatched::kGone;  // by the function
    }
    if (target.kind == Target::kLater) {
        connection.set_deadline(kNever);  // the client is not at fault; the dispatcher has a limit
        return Dispatched::kLater;
    }
    bool is_gone = target.kind == Target::kClose || target.kind == Target::kDiscard;
    if (is_gone) {
        connection.close_now(net::CloseCause::kServer);
    } else if (target.kind == Target::kElsewhere) {
        is_gone = hand_over_->give_request(connection, target.line, bytes);
        if (!is_gone) {
            Log::get().write(LogLevel::kWarning,
                             "a request of connection#%lld is handled by worker %u, not by the one "
                             "that it is for: too much is waiting for that one already",
                             static_cast<long long>(connection.id()), state_.place.worker);
        }
    }
    return is_gone ? Dispatched::kGone : Dispatched::kHere;
}

bool Worker::take_signals() {
    if (!take_worker_signals()) {
        return false;
    }
    os::on_signal_directly(SIGXCPU, [](int) { zend::request_interrupt(); });
    signals_.worker = this;
    signals_.fd = os::SignalInbox::get().fd();
    signals_.interest = loop::kReadable;
    signals_.on_ready = [](loop::Watch& watch, uint32_t) {
        static_cast<WorkerWatch&>(watch).worker->on_signals();
    };
    if (runtime_.loop().watch(signals_)) {
        return false;
    }
    os::unblock_all_signals();
    return true;
}

// The end of the channel is the end of the supervisor: this worker finishes what it has and goes.
void Worker::watch_channel() {
    channel_.worker = this;
    channel_.fd = state_.place.channel;
    channel_.interest = loop::kReadable;
    channel_.on_ready = [](loop::Watch& watch, uint32_t) {
        Worker& worker = *static_cast<WorkerWatch&>(watch).worker;
        worker.runtime_.loop().unwatch(watch);
        Log::get().write(LogLevel::kWarning,
                         "the supervisor is gone: worker %u finishes its requests and ends",
                         worker.state_.place.worker);
        worker.begin_drain(0);
        close_listeners(worker.state_);  // for a supervisor that is started in its place
    };
    (void)runtime_.loop().watch(channel_);
}

void Worker::on_signals() {
    uint64_t arrived = os::SignalInbox::get().drain();
    auto has = [&](int number) { return (arrived >> (number - 1) & 1) != 0; };
    if (has(SIGRTMIN)) {
        Log::get().reopen();
        if (access_log_ != nullptr) {
            access_log_->reopen();
        }
    }
    if (has(SIGINT) || (has(SIGTERM) && out_of_time_)) {
        service_->connections().close_all(net::CloseCause::kServer);
        phase_ = Phase::kGone;
    } else if (has(SIGTERM)) {
        if (phase_ == Phase::kDraining && state_.board->stopping()) {
            begin_stop();  // while this worker is being replaced
            if (std::exchange(stays_on_, false)) {
                limit_drain(state_.settings.max_wait_time * kSecond);
            }
        }
        begin_drain(status_);
    }
}

void Worker::say(char message) { (void)os::write_some(state_.place.channel, &message, 1); }

void Worker::set_timer(WorkerTimer& timer, Nanos delay, loop::Timer::Callback callback) {
    timer.worker = this;
    timer.on_fire = callback;
    runtime_.loop().arm(timer, delay);
}

void Worker::begin_serving() {
    if (phase_ != Phase::kStarting) {
        return;
    }
    phase_ = Phase::kServing;
    runtime_.loop().disarm(ready_timer_);
    for (uint32_t i = 0; i < state_.ports.size(); i++) {
        const std::vector<int>& fds = state_.ports[i]->fds;
        int64_t only = state_.ports[i]->in_force.only_worker;
        if (fds.empty() || (only >= 0 && only != state_.place.worker)) {
            continue;
        }
        int fd = fds.size() > 1 ? fds[state_.place.worker % fds.size()] : fds.front();
        bool datagrams = state_.ports[i]->kind == PortKind::kDatagram;
        if (datagrams ? service_->add_datagram_port(fd, i) : service_->add_listener(fd, i)) {
            Log::get().write(LogLevel::kError, "worker %u cannot watch its port",
                             state_.place.worker);
        }
    }
    open_place_inbox(state_);
    start_stats_file(state_);
    state_.board->line(state_.place.line).state.store(shm::WorkerState::kRunning);
    say(proc::kSayReady);
}

void Worker::begin_drain(int status) {
    status_ = status;
    if (phase_ != Phase::kStarting && phase_ != Phase::kServing) {
        return;
    }
    accepts_ = phase_ == Phase::kServing;  // else workerStart has not ended: others take them
    phase_ = Phase::kDraining;
    runtime_.loop().disarm(ready_timer_);
    state_.board->line(state_.place.line).state.store(shm::WorkerState::kDraining);
    service_->drain();
    if (state_.board->stopping()) {
        begin_stop();
    } else {
        set_timer(
            idle_timer_, std::min(kIdlePatience, state_.settings.max_wait_time * kSecond),
            [](loop::Timer& timer) { static_cast<WorkerTimer&>(timer).worker->close_idle(); });
    }
    limit_drain(state_.settings.max_wait_time * kSecond);
    if (state_.events.has(ServerEvent::kWorkerExit) && state_.settings.reload_async) {
        bool is_idle = service_->connections().size() == 0 && runtime_.coroutine_count() == 0;
        exit_event_.begin(is_idle ? ExitEvent::Left::kNothing : ExitEvent::Left::kSomething);
    }
}

// The server stops, nobody serves in the place of this worker: all that has reached the kernel is
// served, and what is at rest is closed at once.
void Worker::begin_stop() {
    if (stopping_since_ == 0) {
        stopping_since_ = monotonic_now();
        finish_in_order();
    }
}

void Worker::finish_in_order() {
    accepts_ = accepts_ && !finish_accepting(stopping_since_);
    bool over = monotonic_now() - stopping_since_ >= server::ConnectionTable::kPatience;
    size_t expecting = service_->connections().close_at_rest(stopping_since_);
    if (accepts_ || (expecting > 0 && !over)) {
        set_timer(idle_timer_, kLookAgain, [](loop::Timer& timer) {
            static_cast<WorkerTimer&>(timer).worker->finish_in_order();
        });
    } else if (expecting > 0) {
        service_->connections().close_idle(server::ConnectionTable::Idle::kAll);
    }
}

// The supervisor has seen to it that no client begins to connect. Each worker looks at all
// listeners, since a place may be without a worker just now.
bool Worker::finish_accepting(Nanos since) {
    bool taken = true;
    for_own_listeners(state_, state_.place.worker, [&](int fd, uint32_t port) {
        taken = service_->acceptor().take_queued(fd, port) && taken;
    });
    bool expects =
        service_->acceptor().may_have_handshakes() && monotonic_now() - since < kHandshakes;
    if (!taken || expects) {
        return false;
    }
    for_own_listeners(state_, state_.place.worker,
                      [](int fd, uint32_t) { os::stop_listening(fd); });
    return true;
}

// A peer that is closed between two requests may have sent the next one already, and does not know
// what became of it. When others serve meanwhile there is time to let it come.
void Worker::close_idle() {
    using Idle = server::ConnectionTable::Idle;
    Nanos rest = state_.settings.max_wait_time * kSecond - kIdlePatience - kLastRequests;
    bool patient = rest > 0 && !patience_over_;
    service_->connections().close_idle(patient ? Idle::kTold : Idle::kAll);
    if (patient) {
        patience_over_ = true;
        runtime_.loop().arm(idle_timer_, rest);
    }
}

void Worker::limit_drain(Nanos time) {
    set_timer(limit_timer_, time, [](loop::Timer& timer) {
        static_cast<WorkerTimer&>(timer).worker->on_drained_time();
    });
}

// There may be more time for what is under way on connections: while a successor serves, and
// another when the server stops.
void Worker::on_drained_time() {
    const ServerSettings& settings = state_.settings;
    size_t left = service_->connections().size();
    bool stops = state_.board->stopping();
    int64_t most = stops ? settings.max_stop_time : settings.max_replace_time;
    Nanos more = (most - settings.max_wait_time) * kSecond;
    if (left > 0 && more > 0 && !stays_on_) {
        stays_on_ = true;
        limit_drain(more);
        return;
    }
    if (takes_more_time()) {
        return;
    }
    out_of_time_ = true;
    if (left > 0) {
        const char* option = !stays_on_ ? "max_wait_time"
                             : stops    ? "max_stop_time"
                                        : "max_replace_time";
        Log::get().write(
            LogLevel::kWarning,
            "worker %u ends with %zu connections open: they did not finish within %s (%lld s)",
            state_.place.worker, left, option,
            static_cast<long long>(stays_on_ ? most : settings.max_wait_time));
    }
}

// Requests that wait for their turn behind others of this worker. One that is replaced works them
// off, as long as it gets on. What is left then, or when the server stops, is told so.
bool Worker::takes_more_time() {
    size_t waiting = handler_.waiting();
    if (waiting == 0) {
        return false;
    }
    if (waiting < std::exchange(waited_, waiting) && !state_.board->stopping()) {
        say(proc::kSayMoreTime);
        limit_drain(std::max(state_.settings.max_replace_time, state_.settings.max_wait_time) *
                    kSecond);
    } else {
        handler_.refuse_waiting();
        limit_drain(kTimeToRefuse);
    }
    return true;
}

bool Worker::drained() const {
    if ((stopping_since_ != 0 && accepts_) || service_->connections().size() > 0 ||
        !hand_over_->is_done() || exit_event_.is_due() || keeps_messages()) {
        return false;
    }
    return !state_.settings.reload_async ||
           (runtime_.coroutine_count() == 0 && !runtime::pending_work.keeps_process() &&
            !owes_callbacks());
}

// Others may be about to send something for connections that this worker has given away. Once they
// are told that it serves no more, each that sends still has said so before, or looks for the
// connection again.
bool Worker::is_left_alone() {
    std::atomic<shm::WorkerState>& shown = state_.board->line(state_.place.line).state;
    if (state_.bus == nullptr) {
        return true;
    }
    if (shown.exchange(shm::WorkerState::kLeaving) != shm::WorkerState::kLeaving) {
        leaving_since_ = monotonic_now();
    }
    if (!state_.bus->expects_messages(state_.place.line) ||
        monotonic_now() - leaving_since_ >= kMostExpecting) {
        return true;
    }
    if (!look_timer_.linked()) {
        set_timer(look_timer_, kMillisecond, [](loop::Timer&) {});  // done() is asked again
    }
    return false;
}

bool Worker::done() {
    // It has stayed for its connections alone.
    if (phase_ == Phase::kDraining && stays_on_ && service_->connections().size() == 0) {
        out_of_time_ = true;
    }
    if (phase_ == Phase::kDraining && (out_of_time_ || (drained() && is_left_alone()))) {
        stop_event();
    }
    return phase_ == Phase::kGone;
}

// The last event may wait a little in its coroutine, the supervisor's patience is its limit.
void Worker::stop_event() {
    phase_ = Phase::kStopping;
    exit_event_.end();
    if (status_ == 255) {  // after a fatal error no more code of the application runs
        phase_ = Phase::kGone;
        return;
    }
    runtime_.begin_last_event();
    start_life_event(
        state_, ServerEvent::kWorkerStop, *this,
        +[](Worker& worker, Outcome) { worker.phase_ = Phase::kGone; });
}

}  // namespace

int run_worker(ServerState& state) {
    if (state.place.kind == proc::PlaceKind::kTaskWorker) {
        return run_task_worker(state);
    }
    runtime::Runtime::after_fork_in_child();
    present_worker = new Worker(
        state);  // as long as the process: PHP objects may outlive the service's last iteration
    return present_worker->run();
}

server::Service* worker_service() {
    return present_worker != nullptr ? present_worker->service() : nullptr;
}

void take_look() {
    server::Service* service = worker_service();
    if (service != nullptr && !service->draining()) {
        service->look_for_connections();
    }
}

server::Exchange* open_exchange_of(zend_long fd, const server::ExchangeKey& key) {
    server::Service* service = worker_service();
    server::HttpSession* session =
        service != nullptr ? service->connections().find_http(fd) : nullptr;
    return session != nullptr ? session->open_exchange(key) : nullptr;
}

}  // namespace stampede::classes
