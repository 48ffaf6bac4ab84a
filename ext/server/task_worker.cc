// A task worker: starts, works on tasks, ends when it is told to and nothing is in progress.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "ext/server/api_options.h"
#include "ext/server/inbox.h"
#include "ext/server/objects.h"
#include "ext/server/packing.h"
#include "ext/server/tasks.h"
#include "hooks/hooks.h"
#include "os/fd.h"
#include "os/log.h"
#include "os/process.h"
#include "os/signal.h"
#include "runtime/runtime.h"
#include "zend/pending.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using os::Log;
using os::LogLevel;
using runtime::Outcome;

constexpr Nanos kExitEventPeriod = 100 * kMillisecond;
constexpr int kFailed = 255;
// In coroutines so many tasks at once, each of which the supervisor can name when they are lost.
constexpr size_t kMostInProgress = shm::WorkerLine::kInFlight;

class TaskWorker;
TaskWorker* present;

struct TaskJob : runtime::Job {
    struct Start : loop::Task {
        TaskJob* job;
    };
    TaskHead head;
    std::string data;  // not in the engine's memory, whose limit a dispatch must not meet
    uint16_t entry;
    bool replied = false;
    bool counted = false;  // as ended, on the task board
    Start start;
};

struct LifeJob : runtime::Job {
    zend::Callable* callback;
    void (*ended)(TaskWorker&, Outcome);
    zval arguments[2];
};

class TaskWorker {
public:
    explicit TaskWorker(ServerState& state)
        : state_(state),
          runtime_(runtime::Runtime::get()),
          in_progress_(state.board->line(state.place.line)) {}

    int run();
    void take(std::string_view bytes);
    void work(TaskJob& job);
    void end(TaskJob& job, Outcome outcome, zend_object* exception);
    void start(TaskJob& job);
    bool finish(zval* value);

private:
    enum class Phase : uint8_t { kStarting, kServing, kDraining, kStopping, kGone };
    struct WorkerTimer : loop::Timer {
        TaskWorker* worker;
    };
    struct WorkerWatch : loop::Watch {
        TaskWorker* worker;
    };

    bool prepare();
    bool take_signals();
    void watch(WorkerWatch& watch, int fd, loop::Watch::Callback callback);
    void on_channel();
    void on_signals();
    void fire_life(ServerEvent event, void (*ended)(TaskWorker&, Outcome));
    void begin_serving();
    void begin_drain(int status);
    void count_ended(TaskJob& job);
    bool done();
    bool has_work();
    uint32_t index() const {
        return state_.place.worker - static_cast<uint32_t>(state_.settings.worker_num);
    }
    uint32_t own_inbox() const { return task_inbox_of(state_, index()); }
    uint64_t task_limit() const;

    ServerState& state_;
    runtime::Runtime& runtime_;
    shm::InFlightList in_progress_;
    WorkerWatch signals_;
    WorkerWatch channel_;
    WorkerTimer limit_timer_;
    WorkerTimer exit_timer_;
    TaskJob* current_ = nullptr;  // without coroutines
    TaskHead last_{};             // of the last task, for a finish() that comes later
    size_t count_ = 0;            // in progress
    uint64_t taken_ = 0;
    uint64_t most_ = 0;  // tasks of this process, 0: any number
    Phase phase_ = Phase::kStarting;
    int status_ = 0;
    bool finish_all_ = false;  // what waits, too: the server is being stopped
    bool out_of_time_ = false;
    bool event_running_ = false;
};

int TaskWorker::run() {
    if (!prepare()) {
        return 1;
    }
    fire_life(ServerEvent::kWorkerStart, [](TaskWorker& worker, Outcome outcome) {
        if (outcome == Outcome::kReturned) {
            worker.begin_serving();
        } else if (worker.phase_ == Phase::kStarting) {
            Log::get().write(LogLevel::kError,
                             "the event workerStart failed in task worker %u: it ends",
                             worker.state_.place.worker);
            worker.status_ = kFailed;
            worker.phase_ = Phase::kGone;
        }
    });
    runtime_.run_until([](void* self) { return static_cast<TaskWorker*>(self)->done(); }, this);
    (void)state_.bus->flush(monotonic_now() + kSecond);
    close_inboxes(state_);
    runtime_.loop().unwatch(signals_);
    for (WorkerTimer* timer : {&limit_timer_, &exit_timer_}) {
        runtime_.loop().disarm(*timer);
    }
    return status_;
}

bool TaskWorker::prepare() {
    const ServerSettings& settings = state_.settings;
    Log::get().set_worker(static_cast<int>(state_.place.worker));
    zend::reseed_after_fork();
    zend::forget_paths();
    std::string error = state_.has_identity
                            ? std::string()
                            : os::assume_identity({settings.user, settings.group, settings.chroot});
    if (!error.empty()) {
        Log::get().write(LogLevel::kError, "%s", error.c_str());
        return false;
    }
    runtime_.set_server_role(runtime::ServerRole::kServer);
    runtime_.start_callbacks_in_coroutines(settings.task_enable_coroutine);
    if (settings.hook_flags != 0) {
        hooks::set_flags(settings.hook_flags);
    }
    use_coroutine_options(state_);
    runtime_.limits().max_coroutines = static_cast<size_t>(settings.max_coroutine);
    if (settings.stack_size > 0) {
        runtime_.contexts().set_stack_size(static_cast<size_t>(settings.stack_size));
    }
    runtime_.set_bail_hook(
        [](void* self) {
            auto* worker = static_cast<TaskWorker*>(self);
            zend::grant_memory_after_limit();
            worker->begin_drain(kFailed);
        },
        this);
    zend_object* object = state_.object;
    zend_update_property_long(object->ce, object, ZEND_STRL("worker_id"), state_.place.worker);
    zend_update_property_long(object->ce, object, ZEND_STRL("worker_pid"), os::own_pid());
    zend_update_property_bool(object->ce, object, ZEND_STRL("taskworker"), true);
    most_ = task_limit();
    shm::WorkerLine& line = state_.board->line(state_.place.line);
    line.requests.set(0);
    line.concurrency.set(0);
    open_inbox(state_);
    watch(channel_, state_.place.channel, [](loop::Watch& ready, uint32_t) {
        static_cast<WorkerWatch&>(ready).worker->on_channel();
    });
    return take_signals();
}

// Task workers that count the same tasks do not all go at once.
uint64_t TaskWorker::task_limit() const {
    const ServerSettings& settings = state_.settings;
    if (settings.task_max_request <= 0) {
        return 0;
    }
    auto most = static_cast<uint64_t>(settings.task_max_request);
    uint64_t spread = settings.task_max_request_grace >= 0
                          ? static_cast<uint64_t>(settings.task_max_request_grace)
                          : most / 2;
    return most + (spread > 0 ? static_cast<uint64_t>(monotonic_now() / 1000) % (spread + 1) : 0);
}

void TaskWorker::watch(WorkerWatch& watch, int fd, loop::Watch::Callback callback) {
    watch.worker = this;
    watch.fd = fd;
    watch.interest = loop::kReadable;
    watch.on_ready = callback;
    (void)runtime_.loop().watch(watch);
}

bool TaskWorker::take_signals() {
    os::SignalInbox& inbox = os::SignalInbox::get();
    if (inbox.open()) {
        Log::get().write(LogLevel::kError, "cannot take signals: %s", strerror(errno));
        return false;
    }
    for (int number : {SIGTERM, SIGINT, SIGRTMIN}) {
        (void)inbox.take(number);
    }
    for (int number : {SIGPIPE, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
        inbox.ignore(number);
    }
    watch(signals_, inbox.fd(), [](loop::Watch& ready, uint32_t) {
        static_cast<WorkerWatch&>(ready).worker->on_signals();
    });
    os::unblock_all_signals();
    return true;
}

// The end of the channel is the end of the supervisor.
void TaskWorker::on_channel() {
    char bytes[16];
    long count = os::read_some(channel_.fd, bytes, sizeof(bytes));
    if (count > 0) {
        finish_all_ = finish_all_ ||
                      std::memchr(bytes, proc::kTellFinish, static_cast<size_t>(count)) != nullptr;
        return;
    }
    if (count < 0 && errno == EAGAIN) {
        return;
    }
    runtime_.loop().unwatch(channel_);
    Log::get().write(LogLevel::kWarning,
                     "the supervisor is gone: task worker %u finishes its tasks and ends",
                     state_.place.worker);
    begin_drain(0);
}

void TaskWorker::on_signals() {
    uint64_t arrived = os::SignalInbox::get().drain();
    auto has = [&](int number) { return (arrived >> (number - 1) & 1) != 0; };
    if (has(SIGRTMIN)) {
        Log::get().reopen();
    }
    if (has(SIGINT) || (has(SIGTERM) && out_of_time_)) {
        phase_ = Phase::kGone;
    } else if (has(SIGTERM)) {
        char byte = 0;  // the supervisor says first what the signal means
        if (!finish_all_ && os::read_some(state_.place.channel, &byte, 1) == 1) {
            finish_all_ = byte == proc::kTellFinish;
        }
        begin_drain(status_);
    }
}

void TaskWorker::fire_life(ServerEvent event, void (*ended)(TaskWorker&, Outcome)) {
    if (!state_.events.has(event)) {
        ended(*this, Outcome::kReturned);
        return;
    }
    auto* job = new LifeJob();
    job->run = [](runtime::Job& base) {
        auto& self = static_cast<LifeJob&>(base);
        zend::call(*self.callback, 2, self.arguments, nullptr);
    };
    job->finished = [](runtime::Job& base, Outcome outcome, zend_object* exception) {
        auto& self = static_cast<LifeJob&>(base);
        log_thrown(outcome, exception);
        if (outcome != Outcome::kBailed) {
            zval_ptr_dtor(&self.arguments[0]);
        }
        self.ended(*present, outcome);
        delete &self;
    };
    job->callback = &state_.events.at(event);
    job->ended = ended;
    ZVAL_OBJ_COPY(&job->arguments[0], state_.object);
    ZVAL_LONG(&job->arguments[1], state_.place.worker);
    if (runtime_.start_callback(*job) < 0) {
        zval_ptr_dtor(&job->arguments[0]);
        delete job;
        ended(*this, Outcome::kThrew);
    }
}

void TaskWorker::begin_serving() {
    if (phase_ != Phase::kStarting) {
        return;
    }
    phase_ = Phase::kServing;
    open_place_inbox(state_);
    state_.board->line(state_.place.line).state.store(shm::WorkerState::kRunning);
    state_.task_board->set_serving(index(), true);
    (void)os::write_some(state_.place.channel, &proc::kSayReady, 1);
}

// ---- tasks ------------------------------------------------------------------------------------

void run_task(runtime::Job& base) { present->work(static_cast<TaskJob&>(base)); }

void end_task(runtime::Job& base, Outcome outcome, zend_object* exception) {
    present->end(static_cast<TaskJob&>(base), outcome, exception);
}

// From the loop: the task is run in the ready phase, since it runs code of the application.
void TaskWorker::take(std::string_view bytes) {
    auto* job = new TaskJob();
    if (!take_head(bytes, job->head)) {
        delete job;
        return;
    }
    std::string text = std::to_string(job->head.id) + " of " +
                       (job->head.worker >= 0 ? "worker " + std::to_string(job->head.worker)
                                              : std::string("the supervisor"));
    job->entry = in_progress_.begin("task", text, loss_key(job->head), monotonic_now());
    job->data = bytes;
    job->run = run_task;
    job->finished = end_task;
    job->start.job = job;
    job->start.run = [](loop::Task& task) {
        present->start(*static_cast<TaskJob::Start&>(task).job);
    };
    if (shares_tasks(state_)) {
        state_.task_board->move(0, index());
    }
    count_++;
    taken_++;
    shm::WorkerLine& line = state_.board->line(state_.place.line);
    line.requests.add(1);
    line.requests_ever.add(1);
    line.concurrency.set(count_);
    runtime_.loop().enqueue(job->start);
    // One after the other without coroutines: what this process has not taken is not lost with it.
    if (!state_.settings.task_enable_coroutine) {
        state_.bus->hold();
    }
    if (count_ >= kMostInProgress || (most_ > 0 && taken_ >= most_)) {
        state_.bus->pause(own_inbox());
    }
}

void TaskWorker::start(TaskJob& job) {
    if (runtime_.start_callback(job) < 0) {
        Log::get().write(LogLevel::kError, "task %lld is lost: too many coroutines",
                         static_cast<long long>(job.head.id));
        end(job, Outcome::kThrew, nullptr);
    }
}

void TaskWorker::work(TaskJob& job) {
    zval arguments[4];
    zval data;
    if (!unpack_value(job.data, (job.head.flags & kTaskSerialized) != 0, &data) ||
        zend::exception_pending()) {
        zval_ptr_dtor(&data);
        return;
    }
    std::string().swap(job.data);  // it may be large
    uint32_t count = 2;
    ZVAL_OBJ_COPY(&arguments[0], state_.object);
    if (wants_task_objects(state_)) {
        objects.make_task_object(job.head, &data, &arguments[1]);
    } else {
        ZVAL_LONG(&arguments[1], job.head.id);
        ZVAL_LONG(&arguments[2], job.head.worker);
        ZVAL_COPY_VALUE(&arguments[3], &data);
        count = 4;
    }
    bool in_order = !state_.settings.task_enable_coroutine;
    if (in_order) {
        current_ = &job;
        last_ = job.head;
    }
    zval result;
    ZVAL_UNDEF(&result);
    Outcome outcome = zend::call(state_.events.at(ServerEvent::kTask), count, arguments, &result);
    if (outcome == Outcome::kReturned && Z_TYPE(result) > IS_NULL &&
        (job.head.flags & kTaskNoReply) == 0) {
        count_ended(job);  // first: the receiver of the result finds this task worker idle
        job.replied |= send_result(state_, job.head, &result);
    }
    if (outcome != Outcome::kBailed) {
        zval_ptr_dtor(&result);
        if (job.replied && count == 2 && Z_TYPE(arguments[1]) == IS_OBJECT) {
            objects.close_task(Z_OBJ(arguments[1]));
        }
        for (uint32_t i = 0; i < count; i++) {
            zval_ptr_dtor(&arguments[i]);
        }
    }
    if (in_order) {
        current_ = nullptr;
    }
}

void TaskWorker::end(TaskJob& job, Outcome outcome, zend_object* exception) {
    log_thrown(outcome, exception);
    if (outcome == Outcome::kBailed) {
        return;  // its entry stays: the supervisor tells that it is lost
    }
    bool object = wants_task_objects(state_);  // which may be finished later
    if (!job.replied && (job.head.flags & (kTaskWaited | kTaskCallback)) != 0 &&
        (!object || outcome != Outcome::kReturned)) {
        send_loss(state_, job.head);
    }
    in_progress_.end(job.entry);
    count_ended(job);
    count_--;
    state_.board->line(state_.place.line).concurrency.set(count_);
    state_.board->line(state_.place.line).responses.add(1);
    if (most_ > 0 && taken_ >= most_ && count_ == 0 && phase_ == Phase::kServing) {
        begin_drain(0);
    } else if (count_ < kMostInProgress && (phase_ == Phase::kServing || finish_all_)) {
        state_.bus->resume(own_inbox());
    }
    delete &job;
}

void TaskWorker::count_ended(TaskJob& job) {
    if (!std::exchange(job.counted, true)) {
        state_.task_board->end(index());
    }
}

bool TaskWorker::finish(zval* value) {
    const TaskHead& head = current_ != nullptr ? current_->head : last_;
    if (head.pid == 0) {
        zend::warning("there is no task to finish");
        return false;
    }
    bool sent = send_result(state_, head, value);
    if (current_ != nullptr) {
        current_->replied |= sent;
    }
    return sent;
}

// ---- the end ----------------------------------------------------------------------------------

void TaskWorker::begin_drain(int status) {
    status_ = status;
    if (phase_ != Phase::kStarting && phase_ != Phase::kServing) {
        return;
    }
    phase_ = Phase::kDraining;
    state_.board->line(state_.place.line).state.store(shm::WorkerState::kDraining);
    state_.task_board->set_serving(index(), false);
    if (!finish_all_ || status == kFailed) {
        state_.bus->close(own_inbox());
    }
    limit_timer_.worker = this;
    limit_timer_.on_fire = [](loop::Timer& timer) {
        static_cast<WorkerTimer&>(timer).worker->out_of_time_ = true;
    };
    runtime_.loop().arm(limit_timer_, state_.settings.max_wait_time * kSecond);
    if (state_.events.has(ServerEvent::kWorkerExit) && state_.settings.reload_async &&
        state_.settings.task_enable_coroutine) {
        exit_timer_.worker = this;
        exit_timer_.on_fire = [](loop::Timer& timer) {
            TaskWorker& worker = *static_cast<WorkerTimer&>(timer).worker;
            if (!worker.event_running_) {
                worker.event_running_ = true;
                worker.fire_life(ServerEvent::kWorkerExit,
                                 [](TaskWorker& self, Outcome) { self.event_running_ = false; });
            }
            worker.runtime_.loop().arm(timer, kExitEventPeriod);
        };
        runtime_.loop().arm(exit_timer_, 0);
    }
}

bool TaskWorker::has_work() {
    if (count_ > 0) {
        return true;
    }
    if (finish_all_ && state_.bus->has_messages(own_inbox())) {
        return true;
    }
    return state_.settings.reload_async && runtime_.coroutine_count() > 0;
}

bool TaskWorker::done() {
    if (phase_ == Phase::kServing && count_ == 0 && state_.task_board->load(index()) > 0 &&
        !state_.bus->has_messages(own_inbox())) {
        state_.task_board->settle(index());
    }
    if (phase_ == Phase::kDraining && (out_of_time_ || status_ == kFailed || !has_work())) {
        phase_ = Phase::kStopping;
        runtime_.loop().disarm(exit_timer_);
        if (status_ == kFailed) {  // after a fatal error no more code of the application runs
            phase_ = Phase::kGone;
        } else {
            fire_life(ServerEvent::kWorkerStop,
                      [](TaskWorker& worker, Outcome) { worker.phase_ = Phase::kGone; });
        }
    }
    return phase_ == Phase::kGone;
}

}  // namespace

bool wants_task_objects(const ServerState& state) {
    const ServerSettings& settings = state.settings;
    return settings.task_enable_coroutine || settings.task_object || settings.event_object;
}

void take_task(std::string_view bytes) {
    if (present != nullptr) {
        present->take(bytes);
    }
}

bool finish_present_task(zval* value) { return present != nullptr && present->finish(value); }

bool send_result(ServerState& state, const TaskHead& head, zval* value) {
    if ((head.flags & kTaskNoReply) != 0) {
        zend::warning("nobody is told of the result of task %lld: %s",
                      static_cast<long long>(head.id),
                      head.worker < 0 ? "the supervisor has given it"
                                      : "there is no event finish in the user process that has "
                                        "given it");
        return false;
    }
    PackedValue packed;
    if (!pack_value(value, packed)) {
        return false;
    }
    if (state.board->line(head.line).pid.load() != head.pid) {
        return true;  // the process that would take it has ended: its inbox may be nobody's
    }
    TaskResultHead result = {
        head.id, wall_seconds(), head.pid, static_cast<int32_t>(own_number(state)),
        (head.flags & (kTaskWaited | kTaskCallback)) | (packed.serialized ? kTaskSerialized : 0u)};
    if (!send_message(state, head.line, MessageKind::kTaskResult, result, packed.view())) {
        zend::warning("the result of task %lld is lost: too much is waiting for worker %d already",
                      static_cast<long long>(head.id), head.worker);
        return false;
    }
    return true;
}

int run_task_worker(ServerState& state) {
    runtime::Runtime::after_fork_in_child();
    present = new TaskWorker(state);  // as long as the process
    return present->run();
}

}  // namespace stampede::classes
