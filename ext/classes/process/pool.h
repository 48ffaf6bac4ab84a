// Swoole\Process\Pool: what its parts share. The supervisor makes everything that its workers need
// before it forks the first one. PHP thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "os/fd.h"
#include "os/mmap.h"
#include "zend/call.h"
#include "zend/object.h"

namespace stampede::classes {

enum class PoolEvent : uint8_t {
    kStart,
    kShutdown,
    kWorkerStart,
    kWorkerStop,
    kWorkerExit,
    kMessage,
    kCount
};
enum class PoolIpc : uint8_t { kNone, kUnixSocket, kQueue, kSocket };

class PoolWorker;

// What the processes of a pool know of one worker: shared memory.
struct PoolLine {
    std::atomic<pid_t> pid;
    std::atomic<bool> serves;  // its start is over, and it comes to its loop
    std::atomic<bool> told;    // to end, by the supervisor
};

struct Pool {
    struct Pipe {
        os::Fd master, worker;
    };

    explicit Pool(zend_object* object);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    zend::Callable& event(PoolEvent which) { return events[static_cast<size_t>(which)]; }
    bool has(PoolEvent which) { return static_cast<bool>(event(which)); }
    // Calls the function of the event, if there is one: (pool) or (pool, argument).
    void fire(PoolEvent which, zval* argument = nullptr);
    void fire(PoolEvent which, zend_long argument);
    PoolLine& line(uint32_t id) { return static_cast<PoolLine*>(lines.data())[id]; }
    std::atomic<pid_t>& pid_of(uint32_t id) { return line(id).pid; }
    zval* property(uint32_t slot) const { return OBJ_PROP_NUM(object, slot); }

    zend_object* object;
    zend::Callable events[static_cast<size_t>(PoolEvent::kCount)];
    uint32_t workers = 0;  // 0: not constructed
    PoolIpc ipc = PoolIpc::kNone;
    bool in_coroutines = false;
    bool message_bus = false;
    int64_t max_package = 2 << 20;
    Nanos max_wait = 3 * kSecond;  // 0: no limit
    int queue = -1;
    bool own_queue = false;
    os::Fd listener;
    std::string socket_path;
    std::vector<Pipe> pipes;  // by worker, kept when the worker is replaced
    int control[2] = {-1, -1};
    os::SharedMemory lines;
    pid_t owner = 0;  // the process that made it
    bool started = false;
    uint64_t sent = 0;             // messages of this process
    PoolWorker* worker = nullptr;  // what this process is, once forked
};

struct PoolObject {
    Pool* pool;
    zend_object std;
};

enum : uint32_t {
    kPoolMasterPidSlot,
    kPoolWorkerPidSlot,
    kPoolWorkerIdSlot,
    kPoolWorkersSlot,
    kPoolWorkerRunningSlot,
    kPoolRunningSlot
};

// One message to a worker's pipe; waits while it is full. The error is EMSGSIZE when it does not
// fit, ETIMEDOUT when the worker reads nothing for long.
Error send_to_pool_worker(Pool& pool, uint32_t id, std::string_view message);

// Supervises until the pool has ended. True in a worker, with its number; with an exception under
// way in any other child.
bool supervise_pool(Pool& pool, uint32_t& id);

// The whole life of a worker, up to the end of its script.
void run_pool_worker(Pool& pool, uint32_t id);
void stop_pool_worker(PoolWorker& worker);
void detach_pool_worker(PoolWorker& worker);
// The object goes: a signal that comes later does not touch it.
void forget_pool(const zend_object* object);
uint32_t number_of(const PoolWorker& worker);
// A coroutine waits for what comes to the pipe: it gets it, and the event message does not. Each
// rest has its end.
void rest_inbox(PoolWorker& worker);
void wake_inbox(PoolWorker& worker);
// False when there is no message to respond to.
bool add_to_response(PoolWorker& worker, std::string_view data);

}  // namespace stampede::classes
