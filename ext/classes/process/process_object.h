// Swoole\Process: what its parts share. The object is owned by PHP; PHP thread.
#pragma once

#include "base/clock.h"
#include "zend/call.h"
#include "zend/object.h"

namespace stampede::classes {

class PoolWorker;

struct ProcessObject {
    zend::Callable callback;
    int pipes[2] = {-1, -1};  // of the parent, of the child
    int side = 0;             // which of them is this process's
    bool redirect = false;
    bool in_coroutine = false;
    bool blocking = true;
    bool started = false;
    bool is_child = false;
    Nanos timeout = kNever;
    int queue = -1;
    long queue_type = 0;  // this process's own, 0 = whatever is first
    bool queue_waits = true;
    PoolWorker* inbox_of = nullptr;  // this process, a pool's: the pipe also brings messages
    zval socket;                     // what exportSocket() made
    zend_object std;

    int pipe() const { return pipes[side]; }
};

extern zend_class_entry* process_class;

enum : uint32_t { kPipeSlot, kQueueIdSlot, kQueueKeySlot, kPidSlot, kIdSlot, kCallbackSlot };

// Runs the callback in the forked child and ends the script there.
void run_process(ProcessObject& self);

// swoole_async_set(["wait_signal" => true]): callbacks of Process::signal() that are set from now
// on keep the loop going. Otherwise a script that waits for nothing else ends although it has some.
void keep_loop_for_signals(bool keep);

}  // namespace stampede::classes
