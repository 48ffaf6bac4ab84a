#include "ext/server/tasks.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "ext/server/event_job.h"
#include "ext/server/inbox.h"
#include "ext/server/objects.h"
#include "ext/server/packing.h"
#include "ext/server/task_queue.h"
#include "io/descriptor.h"
#include "os/log.h"
#include "os/process.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr uint32_t kMostAtOnce = 1024;  // of one taskCo() or taskWaitMulti()
// Results that come for functions while a user process blocks, which may never come to its loop.
constexpr size_t kMostUntaken = 64 << 20;
// Times that what has come is taken before a task is given: others come meanwhile.
constexpr int kMostRounds = 16;

// Not in the engine's memory: what comes from a dispatch must not meet the memory limit there.
struct Received {
    std::string bytes;
    uint32_t flags = kTaskLost;
};

// The call that waits for a list of tasks. Not on its stack, which a fatal error leaves without
// destructors while results still arrive.
struct TaskWait {
    TaskWait(size_t count, Nanos until) : results(count), deadline(until) {}
    std::vector<Received> results;
    std::vector<int64_t> ids;  // -1: not sent
    size_t missing = 0;
    Nanos deadline;
    runtime::Fiber* fiber = nullptr;  // null: it blocks
};

struct Pending {
    TaskWait* wait = nullptr;
    size_t index = 0;
    zend::Callable callback = zend::Callable::none();
};

// Those whose results somebody wants, of this process.
std::unordered_map<int64_t, Pending> pending;
int64_t next_id;
size_t untaken_bytes;  // of results whose functions the loop has yet to call
bool blocked;          // in a call that waits for results

// What is called with a result: the function given to task(), which is held for this one call, or
// that of the event finish.
struct FinishFunction {
    enum class Owner : uint8_t { kCall, kEvents };

    zend::Callable callback;
    Owner owner;

    void release() {
        if (owner == Owner::kCall) {
            callback.release();
        }
    }
};

class FinishJob final : public EventJob {
public:
    FinishJob(ServerState& state, const TaskResultHead& head, std::string_view bytes,
              const FinishFunction& function)
        : state_(state), head_(head), bytes_(bytes), function_(function) {}

private:
    void work() override;
    void ended(runtime::Outcome outcome) override {
        if (outcome != runtime::Outcome::kBailed) {
            function_.release();
        }
    }
    void not_started() override;

    ServerState& state_;
    TaskResultHead head_;
    std::string bytes_;
    FinishFunction function_;
};

size_t untaken_size(std::string_view bytes) { return sizeof(FinishJob) + bytes.size(); }

// Unpacking runs code of the application.
void FinishJob::work() {
    untaken_bytes -= untaken_size(bytes_);
    zval data;
    if (!unpack_value(bytes_, (head_.flags & kTaskSerialized) != 0, &data) ||
        zend::exception_pending()) {
        zval_ptr_dtor(&data);
        return;
    }
    arguments.add_object(state_.object);
    if (state_.settings.event_object) {
        objects.make_task_result(head_, &data, arguments.next());
    } else {
        arguments.add_long(head_.id);
        arguments.take(&data);
    }
    arguments.call(function_.callback);
}

void FinishJob::not_started() {
    untaken_bytes -= untaken_size(bytes_);
    os::Log::get().write(os::LogLevel::kError,
                         "the result of task %lld is lost: too many coroutines",
                         static_cast<long long>(head_.id));
    function_.release();
}

bool has_room_for(const ServerState& state, std::string_view bytes) {
    return !blocked || !is_kind(state, proc::PlaceKind::kUserProcess) ||
           untaken_bytes + untaken_size(bytes) <= kMostUntaken;
}

void call_finish(ServerState& state, const TaskResultHead& head, std::string_view bytes,
                 FinishFunction function) {
    if (!has_room_for(state, bytes)) {
        function.release();
        if (static bool told = false; !std::exchange(told, true)) {
            os::Log::get().write(
                os::LogLevel::kWarning,
                "the results of tasks are dropped: process %d gives tasks and does "
                "not come to its event loop",
                os::own_pid());
        }
        return;
    }
    untaken_bytes += untaken_size(bytes);
    (new FinishJob(state, head, bytes, function))->enqueue();
}

void keep_result(const Pending& wanted, const TaskResultHead& head, std::string_view bytes) {
    TaskWait& wait = *wanted.wait;
    Received& result = wait.results[wanted.index];
    result.flags = head.flags;
    result.bytes = bytes;
    wait.missing--;
    if (wait.missing == 0 && wait.fiber != nullptr) {
        Runtime::get().wake(*wait.fiber, runtime::WakeReason::kReady);
    }
}

// ---- giving -----------------------------------------------------------------------------------

bool may_give(ServerState& state, zend_long index) {
    if (!state.started) {
        zend::warning("server is not running");
        return false;
    }
    if (state.task_board == nullptr) {
        zend::warning("tasks cannot be given: set task_worker_num and the event task");
        return false;
    }
    if (is_kind(state, proc::PlaceKind::kTaskWorker)) {
        zend::warning("a task worker cannot give tasks");
        return false;
    }
    if (index >= static_cast<zend_long>(state.task_board->size())) {
        zend::warning("the task worker must be below task_worker_num [%u]",
                      state.task_board->size());
        return false;
    }
    return true;
}

// Not a child that the application itself has forked.
bool has_own_line(const ServerState& state) {
    return state.board->line(state.place.line).pid.load() == os::own_pid();
}

// Whether a function of this process is called with the results of its tasks. Nobody may ever read
// the inbox of a user process, so what nothing there asks for does not go there.
bool takes_results(ServerState& state, bool has_callback) {
    return is_kind(state, proc::PlaceKind::kWorker) ||
           (is_kind(state, proc::PlaceKind::kUserProcess) &&
            (has_callback || state.events.has(ServerEvent::kFinish)));
}

bool send_task(ServerState& state, uint32_t place, const TaskHead& head, std::string_view body,
               Nanos deadline) {
    if (state.task_queue != nullptr) {
        return queue_task(state, place, head, body, deadline);
    }
    if (send_message(state, task_inbox_of(state, place), MessageKind::kTask, head, body)) {
        return true;
    }
    zend::set_last_error(EAGAIN);
    zend::warning("the task cannot be given: too much is waiting for task worker %u already",
                  place);
    return false;
}

// The number of the task, -1 when it could not be sent.
int64_t give(ServerState& state, zval* data, zend_long index, uint32_t flags, Nanos deadline) {
    PackedValue packed;
    if (!pack_value(data, packed)) {
        return -1;
    }
    // A task that any task worker may take counts as the first place's until one has.
    uint32_t place = shares_tasks(state) ? 0
                     : index < 0         ? state.task_board->pick()
                                         : static_cast<uint32_t>(index);
    TaskHead head;
    head.id = next_id++;
    head.dispatched_at = wall_seconds();
    head.line = state.place.line;
    head.pid = os::own_pid();
    head.worker = static_cast<int32_t>(own_number(state));
    head.flags = flags | (packed.serialized ? kTaskSerialized : 0u);
    state.task_board->add(place);
    if (!send_task(state, place, head, packed.view(), deadline)) {
        state.task_board->take_back(place);
        return -1;
    }
    return head.id;
}

bool is_given(const int64_t id) { return id >= 0; }

// Gives one more task of a list.
void give_and_note(ServerState& state, TaskWait& wait, zval* data, zend_long index,
                   uint32_t flags) {
    int64_t id = give(state, data, index, flags | kTaskWaited, wait.deadline);
    if (is_given(id)) {
        Pending& wanted = pending[id];
        wanted.wait = &wait;
        wanted.index = wait.ids.size();
        wait.missing++;
    }
    wait.ids.push_back(id);
}

// Until all results are there or the time has come.
void wait_for(ServerState& state, TaskWait& wait) {
    Nanos deadline = wait.deadline;
    Runtime& runtime = Runtime::get();
    if (runtime.can_park()) {
        wait.fiber = runtime.current();
        uint32_t generation = Runtime::loop_generation();
        runtime.loop().ignore_for_liveness(-1, 0);  // the inbox counts while somebody waits for it
        while (wait.missing > 0 && runtime.park(deadline) == runtime::WakeReason::kReady) {
        }
        if (generation == Runtime::loop_generation()) {
            runtime.loop().ignore_for_liveness(1, 0);
        }
        wait.fiber = nullptr;
    } else {
        while (wait.missing > 0 && read_blocked(state, deadline)) {
        }
    }
    for (int64_t id : wait.ids) {
        pending.erase(id);
    }
}

// False when there is none.
bool unpack_result(const Received& result, zval* out) {
    return (result.flags & kTaskLost) == 0 &&
           unpack_value(result.bytes, (result.flags & kTaskSerialized) != 0, out);
}

}  // namespace

bool read_blocked(ServerState& state, Nanos deadline) {
    blocked = true;
    bool found = wait_for_message(state, deadline);
    blocked = false;
    return found;
}

bool may_wait_for_tasks(ServerState& state, zend_long index) {
    if (!may_give(state, index)) {
        return false;
    }
    if (!state.in_worker) {
        zend::warning("the supervisor cannot wait for tasks: a worker or a user process can");
        return false;
    }
    if (!has_own_line(state)) {
        zend::warning("a child of a server's process cannot wait for tasks: no result comes here");
        return false;
    }
    return true;
}

bool run_tasks(ServerState& state, HashTable* tasks, double timeout, uint32_t flags,
               zval* return_value) {
    uint32_t count = zend_hash_num_elements(tasks);
    if (count >= kMostAtOnce) {
        zend::warning("too many tasks at once: at most %u", kMostAtOnce - 1);
        return false;
    }
    auto* wait = new TaskWait(count, io::deadline_in(io::timeout_of(timeout)));
    zval* data;
    ZEND_HASH_FOREACH_VAL(tasks, data) {
        give_and_note(state, *wait, data, -1, flags);
        if (zend::exception_pending()) {
            break;
        }
    }
    ZEND_HASH_FOREACH_END();
    if (zend::exception_pending()) {
        wait->deadline = monotonic_now();  // nobody takes the results of those that were given
    }
    wait_for(state, *wait);
    if (zend::exception_pending()) {
        delete wait;
        return false;
    }
    array_init_size(return_value, count);
    for (uint32_t i = 0; i < count; i++) {
        zval value;
        if (unpack_result(wait->results[i], &value)) {
            add_index_zval(return_value, i, &value);
        } else if ((flags & kTaskWaitAll) == 0) {
            add_index_bool(return_value, i, false);
        }
    }
    delete wait;
    return true;
}

int64_t give_task(ServerState& state, zval* data, zend_long index, zend::Callable callback) {
    bool has_callback = static_cast<bool>(callback);
    bool replies = takes_results(state, has_callback);
    uint32_t flags = kTaskNonblocking | (has_callback && replies ? kTaskCallback : 0u) |
                     (replies ? 0u : kTaskNoReply);
    bool may = may_give(state, index);
    // Results must not pile up in the task workers meanwhile: a coroutine may not wait for long.
    if (may && replies && is_kind(state, proc::PlaceKind::kUserProcess)) {
        for (int i = 0; i < kMostRounds && read_blocked(state, 0); i++) {
        }
    }
    int64_t id = may ? give(state, data, index, flags, kNever) : -1;
    if (is_given(id) && (flags & kTaskCallback) != 0) {
        pending[id].callback = callback;
    } else if (has_callback) {
        callback.release();
    }
    return id;
}

bool owes_callbacks() {
    return std::ranges::any_of(
        pending, [](const auto& entry) { return static_cast<bool>(entry.second.callback); });
}

bool run_task(ServerState& state, zval* data, zend_long index, double timeout, zval* out) {
    auto* wait = new TaskWait(1, io::deadline_in(io::timeout_of(timeout)));
    bool in_coroutine = Runtime::get().can_park();
    give_and_note(state, *wait, data, index, in_coroutine ? kTaskCoroutine : 0u);
    wait_for(state, *wait);
    bool there = !zend::exception_pending() && unpack_result(wait->results[0], out);
    delete wait;
    return there;
}

double wall_seconds() { return static_cast<double>(wall_now()) / static_cast<double>(kSecond); }

// A line (15 bits), a process (22 bits: the kernel has no more) and the low bits of a number.
constexpr int64_t kLossProcess = 0x3fffff;
constexpr int64_t kLossNumber = 0x3ffffff;

int64_t loss_key(const TaskHead& head) {
    return static_cast<int64_t>(head.line) << 48 | (head.pid & kLossProcess) << 26 |
           (head.id & kLossNumber);
}

void send_loss(ServerState& state, const TaskHead& head) {
    if ((head.flags & kTaskNoReply) != 0 ||
        (state.board->line(head.line).pid.load() & kLossProcess) != (head.pid & kLossProcess)) {
        return;
    }
    TaskResultHead result = {head.id & kLossNumber, wall_seconds(),
                             static_cast<int32_t>(head.pid & kLossProcess), -1, kTaskLost};
    (void)send_message(state, head.line, MessageKind::kTaskResult, result, {});
}

void report_lost_tasks(ServerState& state, const proc::WorkerPlace& place, pid_t ended) {
    uint32_t index = place.worker - static_cast<uint32_t>(state.settings.worker_num);
    int32_t lost = 0;
    std::span entries = state.board->line(place.line).used();
    settle_tasks(state, index, ended, [entries](const TaskHead& there) {
        for (shm::InFlight& entry : entries) {
            entry.since = entry.connection_id == loss_key(there) ? 0 : entry.since;
        }
    });
    for (const shm::InFlight& entry : entries) {
        if (entry.since == 0) {
            continue;
        }
        TaskHead head{};
        head.line = static_cast<uint32_t>(entry.connection_id >> 48);
        head.pid = static_cast<int32_t>(entry.connection_id >> 26 & kLossProcess);
        head.id = entry.connection_id & kLossNumber;
        if (head.line < state.board->size()) {
            send_loss(state, head);
        }
        lost++;
    }
    state.task_board->end(index, lost);
    state.task_board->set_serving(index, false);
}

namespace {

// The caller that waits for the task learns at once that there will be no result.
void take_loss(const TaskResultHead& head) {
    if (head.pid != (os::own_pid() & kLossProcess)) {
        return;
    }
    auto found = std::find_if(pending.begin(), pending.end(), [&](const auto& entry) {
        return (entry.first & kLossNumber) == head.id;
    });
    if (found == pending.end()) {
        return;
    }
    Pending wanted = found->second;
    pending.erase(found);
    if (wanted.wait != nullptr) {
        keep_result(wanted, head, {});
    } else {
        wanted.callback.release();
    }
}

}  // namespace

void take_task_result(std::string_view bytes) {
    TaskResultHead head;
    ServerState* state = running_server();
    if (!take_head(bytes, head) || state == nullptr) {
        return;
    }
    if ((head.flags & kTaskLost) != 0) {
        take_loss(head);
        return;
    }
    bool is_of_process = (head.flags & (kTaskWaited | kTaskCallback)) != 0;
    if (is_of_process && head.pid != os::own_pid()) {
        return;  // of the last process of this line
    }
    auto found = is_of_process ? pending.find(head.id) : pending.end();
    if (found != pending.end()) {
        Pending wanted = found->second;
        pending.erase(found);
        if (wanted.wait != nullptr) {
            keep_result(wanted, head, bytes);
        } else {
            call_finish(*state, head, bytes, {wanted.callback, FinishFunction::Owner::kCall});
        }
    } else if (is_of_process) {
        return;  // the caller that waited has given up
    } else if (state->events.has(ServerEvent::kFinish)) {
        call_finish(*state, head, bytes,
                    {state->events.at(ServerEvent::kFinish), FinishFunction::Owner::kEvents});
    } else if (static bool told = false; !std::exchange(told, true)) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "the results of tasks are dropped: there is no event finish");
    }
}

}  // namespace stampede::classes
