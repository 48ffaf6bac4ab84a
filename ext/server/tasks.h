// Tasks of a server: what is sent to a task worker, and what comes back. The sender keeps what it
// waits for by number; a task worker keeps where each task came from. PHP thread.
#pragma once

#include <string_view>

#include "ext/server/state.h"

namespace stampede::classes {

// Bits of Swoole\Server\Task::$flags, as the API numbers them; the last two are ours.
enum : uint32_t {
    kTaskSerialized = 2,
    kTaskNonblocking = 4,
    kTaskCallback = 8,
    kTaskWaitAll = 16,
    kTaskCoroutine = 32,
    kTaskNoReply = 128,
    kTaskWaited = 1 << 16,  // somebody waits for its result
    kTaskLost = 1 << 17,    // of a result: there will be none
    kTaskOld = 1 << 18,     // given to a server of before, whose processes have ended
};
constexpr uint32_t kShownTaskFlags = 0xffff;
constexpr uint32_t kNoLine = 0x7fff;  // of a process that has ended: the last that fits

// At the front of a task.
struct TaskHead {
    int64_t id;
    double dispatched_at;
    uint32_t line;  // of the sender
    int32_t pid;
    int32_t worker;  // or user process; -1: the supervisor
    uint32_t flags;
};

// At the front of a result.
struct TaskResultHead {
    int64_t id;
    double dispatched_at;
    int32_t pid;  // of the sender: its line may be another's by now
    int32_t task_worker;
    uint32_t flags;
};

// The entry of a task in progress, from which the supervisor tells the sender that it is lost.
int64_t loss_key(const TaskHead& head);
// In the supervisor, when a task worker has ended in the middle. What it had not taken yet stays
// for the next one.
void report_lost_tasks(ServerState& state, const proc::WorkerPlace& place, pid_t ended);

bool send_result(ServerState& state, const TaskHead& head, zval* value);
void send_loss(ServerState& state, const TaskHead& head);

double wall_seconds();
// Whether an event of this name of event_object/task_object wants one object.
bool wants_task_objects(const ServerState& state);

// For a process that is not in its loop: takes what has come, at the latest at the deadline. False
// when it was nothing.
bool read_blocked(ServerState& state, Nanos deadline);
// Whether this process can wait for the results of tasks; false with a warning.
bool may_wait_for_tasks(ServerState& state, zend_long index);
// Gives one. The callable, none where there is none, is used up. Its number, -1 with a warning or
// an exception.
int64_t give_task(ServerState& state, zval* data, zend_long index, zend::Callable callback);
// Whether a task of this process is under way whose result a function of one call is to get.
bool owes_callbacks();
// Gives one and waits; false without a result.
bool run_task(ServerState& state, zval* data, zend_long index, double timeout, zval* out);
// Gives them all and waits: results by the position of their tasks. Those that are missing are
// false, and left out with kTaskWaitAll. False with a warning or an exception.
bool run_tasks(ServerState& state, HashTable* tasks, double timeout, uint32_t flags, zval* out);

// A task worker's life; the process's exit status.
int run_task_worker(ServerState& state);
// Server::finish() in it.
bool finish_present_task(zval* value);

}  // namespace stampede::classes
