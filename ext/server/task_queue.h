// Tasks by way of a System V queue: message_queue_key with task_ipc_mode 2 and 3. The queue has the
// tasks, and a notice on the bus for each tells a task worker to look; one that was lost with its
// reader, and tasks of an earlier run, which have none, are found by looking now and then. PHP
// thread; queue_task() parks.
#pragma once

#include "ext/server/tasks.h"

namespace stampede::classes {

// The key: a number as ftok() gives it, also as 0x...; 0 when there is none. False when it is none.
bool parse_queue_key(const std::string& text, int& key);
// Before the workers. One sentence on failure.
std::string open_task_queue(ServerState& state);
// Waits for room until the deadline, and not for long. False with a warning.
bool queue_task(ServerState& state, uint32_t place, const TaskHead& head, std::string_view body,
                Nanos deadline);
enum class Found : uint8_t { kTask, kNone, kLater };
// The next of the place, which is noted before it is taken (note_task()). kLater: another process
// takes one at this moment.
Found take_queued_task(ServerState& state, uint32_t place, std::string& bytes);

}  // namespace stampede::classes
