// A task worker: starts, works on tasks, ends when it is told to and nothing is in progress.
#include <algorithm>
#include <csignal>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ext/server/inbox.h"
#include "ext/server/exit_event.h"
#include "ext/server/life_events.h"
#include "ext/server/metrics.h"
#include "ext/server/objects.h"
#include "ext/server/packing.h"
#include "ext/server/process_start.h"
#include "ext/server/task_queue.h"
#include "ext/server/tasks.h"
#include "os/fd.h"
#include "os/log.h"
#include "os/process.h"
#include "os/signal.h"
#include "runtime/runtime.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using os::Log;
using os::LogLevel;
using runtime::Outcome;

constexpr Nanos kLookPeriod = kSecond;
constexpr int kFailed = 255;
constexpr size_t kMostInProgress = 256;  // tasks at once, in coroutines

class TaskWorker;
TaskWorker* present;

class TaskJob final : public EventJob {
public:
    TaskJob(const TaskHead& task, std::string_view bytes) : head(task), data(bytes) {}

    TaskHead head;
    std::string data;  // not in the engine's memory, whose limit a dispatch must not meet
    Nanos began = 0;
    uint16_t entry = 0;
    bool replied = false;
    bool counted = false;  // as ended, on the task board

private:
    void work() override;
    void ended(Outcome outcome) override;
    void not_started() override;

    friend class TaskWorker;
};

class TaskWorker {
public:
    explicit TaskWorker(ServerState& state)
        : state_(state),
          runtime_(runtime::Runtime::get()),
          in_progress_(state.board->line(state.place.line)),
          exit_event_(state) {}

    int run();
    void note(std::string_view front);
    void miss();
    void take(std::string_view bytes);
    void look();
    void work(TaskJob& job);
    void end(TaskJob& job, Outcome outcome);
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
    void begin_serving();
    void begin_drain(int status);
    void show_oldest();
    void count_ended(TaskJob& job);
    uint16_t begin_entry(const TaskHead& head);
    void end_entry(const TaskJob& job);
    void forget_left();
    bool may_take() const;
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
    ExitEvent exit_event_;
    WorkerTimer look_timer_;
    // The task that is taken next: its entry is there before it leaves the inbox.
    struct Noted {
        TaskHead head;
        uint16_t entry;
    };
    std::optional<Noted> noted_;
    // Entries of tasks that are done, whose results still wait for room in an inbox: with this
    // process they would be lost.
    struct Unsent {
        uint16_t entry;
        uint32_t line;
    };
    std::deque<Unsent> unsent_;
    TaskJob* current_ = nullptr;  // without coroutines
    std::multiset<Nanos> begun_;  // when those in progress have, where they have a limit
    TaskHead last_{};             // of the last task, for a finish() that comes later
    size_t count_ = 0;            // in progress
    uint64_t taken_ = 0;
    uint64_t most_ = 0;  // tasks of this process, 0: any number
    Phase phase_ = Phase::kStarting;
    int status_ = 0;
    bool finish_all_ = false;  // what waits, too: the server is being stopped
    bool out_of_time_ = false;
    bool is_behind_ = false;  // more tasks lie in the message queue than there are notices
};

int TaskWorker::run() {
    if (!prepare()) {
        return 1;
    }
    start_life_event(
        state_, ServerEvent::kWorkerStart, *this, +[](TaskWorker& worker, Outcome outcome) {
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
    close_inboxes(state_);
    exit_event_.end();
    runtime_.loop().unwatch(signals_);
    for (WorkerTimer* timer : {&limit_timer_, &look_timer_}) {
        runtime_.loop().disarm(*timer);
    }
    return status_;
}

bool TaskWorker::prepare() {
    Log::get().set_worker(static_cast<int>(state_.place.worker));
    std::string error = start_process(state_);
    if (!error.empty()) {
        Log::get().write(LogLevel::kError, "%s", error.c_str());
        return false;
    }
    runtime_.set_bail_hook(
        [](void* self) {
            auto* worker = static_cast<TaskWorker*>(self);
            (void)zend::grant_memory_after_limit();
            worker->begin_drain(kFailed);
        },
        this);
    show_worker(state_);
    join_metrics(state_);
    zend_update_property_bool(state_.object->ce, state_.object, ZEND_STRL("taskworker"), true);
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
    if (!take_worker_signals()) {
        return false;
    }
    watch(signals_, os::SignalInbox::get().fd(), [](loop::Watch& ready, uint32_t) {
        static_cast<WorkerWatch&>(ready).worker->on_signals();
    });
    // A task is past task_timeout. In coroutines the code that runs may be another task's: there
    // the supervisor ends the process.
    os::on_signal_directly(
        SIGXCPU, state_.settings.task_enable_coroutine ? [](int) {}
                                                       : [](int) { zend::request_interrupt(); });
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
    close_listeners(state_);  // for a supervisor that is started in its place
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

void TaskWorker::begin_serving() {
    if (phase_ != Phase::kStarting) {
        return;
    }
    phase_ = Phase::kServing;
    open_place_inbox(state_);
    state_.board->line(state_.place.line).state.store(shm::WorkerState::kRunning);
    state_.task_board->set_serving(index(), true);
    (void)os::write_some(state_.place.channel, &proc::kSayReady, 1);
    if (state_.task_queue != nullptr) {
        look_timer_.worker = this;
        look_timer_.on_fire = [](loop::Timer& timer) {
            TaskWorker& worker = *static_cast<WorkerTimer&>(timer).worker;
            worker.runtime_.loop().arm(timer, kLookPeriod);
            worker.look();
        };
        runtime_.loop().arm(look_timer_, 0);
    }
}

// ---- tasks ------------------------------------------------------------------------------------

void TaskJob::work() { present->work(*this); }

void TaskJob::ended(Outcome outcome) { present->end(*this, outcome); }

void TaskJob::not_started() {
    Log::get().write(LogLevel::kError, "task %lld is lost: too many coroutines",
                     static_cast<long long>(head.id));
    present->end(*this, Outcome::kThrew);
}

uint16_t TaskWorker::begin_entry(const TaskHead& head) {
    // Those in progress always have one; of results that nobody reads the oldest lose theirs.
    if (count_ + unsent_.size() >= kMostInProgress && !unsent_.empty()) {
        in_progress_.end(unsent_.front().entry);
        unsent_.pop_front();
    }
    std::string text = std::to_string(head.id) + " of " +
                       (head.worker >= 0 ? "worker " + std::to_string(head.worker)
                                         : std::string("the supervisor"));
    return in_progress_.begin("task", text, loss_key(head), monotonic_now());
}

void TaskWorker::end_entry(const TaskJob& job) {
    bool is_wanted = (job.head.flags & (kTaskWaited | kTaskCallback)) != 0;
    if (is_wanted && !state_.bus->sent_all(job.head.line)) {
        unsent_.push_back({job.entry, job.head.line});
    } else {
        in_progress_.end(job.entry);
    }
}

void TaskWorker::forget_left() {
    std::erase_if(unsent_, [this](const Unsent& result) {
        bool has_left = state_.bus->sent_all(result.line);
        if (has_left) {
            in_progress_.end(result.entry);
        }
        return has_left;
    });
}

void TaskWorker::note(std::string_view front) {
    TaskHead head;
    if (noted_) {
        in_progress_.end(noted_->entry);  // the last one could not be taken: it is still there
        noted_.reset();
    }
    if (take_head(front, head)) {
        noted_ = {head, begin_entry(head)};
    }
}

void TaskWorker::miss() {
    if (noted_) {
        Log::get().write(LogLevel::kError,
                         "task %lld is lost: it cannot be read (perhaps this process has too many "
                         "open files)",
                         static_cast<long long>(noted_->head.id));
        send_loss(state_, noted_->head);
        in_progress_.end(noted_->entry);
        noted_.reset();
        state_.task_board->end(shares_tasks(state_) ? 0 : index());
    }
}

// From the loop: the task is run in the ready phase, since it runs code of the application.
void TaskWorker::take(std::string_view bytes) {
    TaskHead head;
    if (!take_head(bytes, head)) {
        return;
    }
    auto* job = new TaskJob(head, bytes);
    bool is_noted = noted_ && loss_key(noted_->head) == loss_key(head);
    if (noted_ && !is_noted) {
        in_progress_.end(noted_->entry);
    }
    job->entry = is_noted ? noted_->entry : begin_entry(head);
    noted_.reset();
    if (shares_tasks(state_)) {
        state_.task_board->move(0, index());
    }
    count_++;
    taken_++;
    shm::WorkerLine& line = state_.board->line(state_.place.line);
    line.requests.add(1);
    line.requests_ever.add(1);
    line.concurrency.set(count_);
    if (state_.settings.task_timeout > 0) {
        job->began = monotonic_now();
        begun_.insert(job->began);
        show_oldest();
    }
    job->enqueue();
    // One after the other without coroutines: what this process has not taken is not lost with it.
    if (!state_.settings.task_enable_coroutine) {
        state_.bus->hold();
    }
    if (count_ >= kMostInProgress || (most_ > 0 && taken_ >= most_)) {
        state_.bus->pause(own_inbox());
    }
}

bool TaskWorker::may_take() const {
    size_t limit = state_.settings.task_enable_coroutine ? kMostInProgress : 1;
    bool finishes = phase_ == Phase::kDraining && finish_all_ && !out_of_time_;
    return (phase_ == Phase::kServing || finishes) && status_ != kFailed && count_ < limit &&
           (most_ == 0 || taken_ < most_);
}

// Takes what the message queue has for this task worker and what it may take now.
void TaskWorker::look() {
    std::string task;
    is_behind_ = true;
    while (may_take() && is_behind_) {
        Found found = take_queued_task(state_, index(), task);
        if (found == Found::kLater) {
            runtime_.loop().arm(look_timer_, kMillisecond);
            return;
        }
        is_behind_ = found == Found::kTask;
        if (is_behind_) {
            take(task);
        }
    }
}

void TaskWorker::work(TaskJob& job) {
    zval data;
    if (!unpack_value(job.data, (job.head.flags & kTaskSerialized) != 0, &data) ||
        zend::exception_pending()) {
        zval_ptr_dtor(&data);
        return;
    }
    std::string().swap(job.data);  // it may be large
    EventArguments& arguments = job.arguments;
    arguments.add_object(state_.object);
    zval* object = nullptr;
    if (wants_task_objects(state_)) {
        object = arguments.next();
        objects.make_task_object(job.head, &data, object);
    } else {
        arguments.add_long(job.head.id);
        arguments.add_long(job.head.worker);
        arguments.take(&data);
    }
    bool in_order = !state_.settings.task_enable_coroutine;
    if (in_order) {
        current_ = &job;
        last_ = job.head;
    }
    zval result;
    ZVAL_UNDEF(&result);
    Outcome outcome = arguments.call(state_.events.at(ServerEvent::kTask), &result);
    if (outcome == Outcome::kReturned && Z_TYPE(result) > IS_NULL &&
        (job.head.flags & kTaskNoReply) == 0) {
        count_ended(job);  // first: the receiver of the result finds this task worker idle
        job.replied |= send_result(state_, job.head, &result);
    }
    if (outcome != Outcome::kBailed) {
        zval_ptr_dtor(&result);
        if (job.replied && object != nullptr && Z_TYPE_P(object) == IS_OBJECT) {
            objects.close_task(Z_OBJ_P(object));
        }
    }
    if (in_order) {
        current_ = nullptr;
    }
}

// For the supervisor, which ends this process when a task takes too long.
void TaskWorker::show_oldest() {
    state_.board->line(state_.place.line)
        .iteration_started.set(begun_.empty() ? 0 : static_cast<uint64_t>(*begun_.begin()));
}

void TaskWorker::end(TaskJob& job, Outcome outcome) {
    if (outcome == Outcome::kBailed || (outcome == Outcome::kDestroyed && phase_ == Phase::kGone)) {
        return;  // its entry stays: the supervisor tells that it is lost; so does its time
    }
    if (auto began = begun_.find(job.began); began != begun_.end()) {
        begun_.erase(began);
        show_oldest();
    }
    bool object = wants_task_objects(state_);  // which may be finished later
    if (!job.replied && (job.head.flags & (kTaskWaited | kTaskCallback)) != 0 &&
        (!object || outcome != Outcome::kReturned)) {
        send_loss(state_, job.head);
    }
    end_entry(job);
    count_ended(job);
    count_--;
    state_.board->line(state_.place.line).concurrency.set(count_);
    state_.board->line(state_.place.line).responses.add(1);
    if (most_ > 0 && taken_ >= most_ && count_ == 0 && phase_ == Phase::kServing) {
        begin_drain(0);
    } else if (count_ < kMostInProgress && (phase_ == Phase::kServing || finish_all_)) {
        state_.bus->resume(own_inbox());
    }
    if (is_behind_) {
        look();
    }
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
        exit_event_.begin(runtime_.coroutine_count() == 0 ? ExitEvent::Left::kNothing
                                                          : ExitEvent::Left::kSomething);
    }
}

bool TaskWorker::has_work() {
    if (count_ > 0) {
        return true;
    }
    if (finish_all_ && (is_behind_ || state_.bus->has_messages(own_inbox()))) {
        return true;
    }
    return exit_event_.is_due() ||
           (state_.settings.reload_async &&
            (runtime_.coroutine_count() > 0 || runtime::pending_work.keeps_process()));
}

bool TaskWorker::done() {
    forget_left();
    if (phase_ == Phase::kServing && count_ == 0 && state_.task_board->load(index()) > 0 &&
        !state_.bus->has_messages(own_inbox()) &&
        (state_.task_queue == nullptr || state_.task_queue->state().tasks == 0)) {
        state_.task_board->settle(index());
    }
    if (phase_ == Phase::kDraining && (out_of_time_ || status_ == kFailed || !has_work())) {
        phase_ = Phase::kStopping;
        exit_event_.end();
        if (status_ == kFailed) {  // after a fatal error no more code of the application runs
            phase_ = Phase::kGone;
        } else {
            runtime_.begin_last_event();
            start_life_event(
                state_, ServerEvent::kWorkerStop, *this,
                +[](TaskWorker& worker, Outcome) { worker.phase_ = Phase::kGone; });
        }
    }
    return phase_ == Phase::kGone;
}

// A call that waits and a function of one call are of the process that gave the task. The event
// finish is of its place: a successor runs it, too.
std::optional<uint32_t> result_inbox(const ServerState& state, const TaskHead& head) {
    bool is_of_process = (head.flags & (kTaskWaited | kTaskCallback)) != 0;
    if (is_of_process && state.board->line(head.line).pid.load() != head.pid) {
        return std::nullopt;  // the line may be another's by now
    }
    bool is_of_worker = head.worker >= 0 && head.worker < state.settings.worker_num;
    if (is_of_process || !is_of_worker) {
        return head.line;  // a user process keeps its line
    }
    auto worker = static_cast<uint32_t>(head.worker);
    return inbox_of_place(state, is_off(state, worker) ? 0 : worker);
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

void note_task(std::string_view front) {
    if (present != nullptr) {
        present->note(front);
    }
}

void miss_task() {
    if (present != nullptr) {
        present->miss();
    }
}

void take_task_notice() {
    if (present != nullptr) {
        present->look();
    }
}

bool finish_present_task(zval* value) { return present != nullptr && present->finish(value); }

bool send_result(ServerState& state, const TaskHead& head, zval* value) {
    if ((head.flags & kTaskNoReply) != 0) {
        zend::warning("nobody is told of the result of task %lld: %s",
                      static_cast<long long>(head.id),
                      (head.flags & kTaskOld) != 0 ? "the server that it was given to has ended"
                      : head.worker < 0            ? "the supervisor has given it"
                                        : "there is no event finish in the user process that has "
                                          "given it");
        return false;
    }
    PackedValue packed;
    if (!pack_value(value, packed)) {
        return false;
    }
    std::optional<uint32_t> inbox = result_inbox(state, head);
    if (!inbox) {
        return true;  // the process that would take it has ended
    }
    TaskResultHead result = {
        head.id, wall_seconds(), head.pid, static_cast<int32_t>(own_number(state)),
        (head.flags & (kTaskWaited | kTaskCallback)) | (packed.serialized ? kTaskSerialized : 0u)};
    if (!send_message(state, *inbox, MessageKind::kTaskResult, result, packed.view())) {
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
