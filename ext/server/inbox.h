// What the processes of a server send each other: the kinds of messages, and the inboxes that they
// come to. Each process has the inbox of its line of the scoreboard, for what concerns this process
// (its connections, the results that it waits for), and that of its place, for what any process of
// the place may take (tasks, pipe messages, commands): there it outlives the process. The
// supervisor has a line, too. PHP thread; never parks.
#pragma once

#include <cstring>
#include <functional>
#include <string_view>

#include "ext/server/state.h"

namespace stampede::classes {

struct TaskHead;

enum class MessageKind : uint8_t {
    kConnection,  // peers.h
    kTask,        // tasks.h
    kTaskResult,
    kPipeMessage,  // messages.cc
    kCommand,      // commands.cc
    kCommandResult,
    kInspection,  // control.h
    kInspectionResult,
    kScale,       // worker_count.cc
    kLook,        // worker.cc
    kHandOver,    // hand_over.h
    kTaskNotice,  // task_queue.h
    kSignal,      // supervisor_signal.cc
};

// Made by the supervisor, before the workers. One sentence on failure.
std::string open_bus(ServerState& state);
// Of the supervisor, which has no place.
inline uint32_t supervisor_line(const ServerState& state) { return state.board->size(); }
inline uint32_t inbox_of_place(const ServerState& state, uint32_t worker) {
    return state.board->size() + 1 + worker;
}
// With task_ipc_mode 3 all task workers take their tasks from one inbox.
inline bool shares_tasks(const ServerState& state) { return state.settings.task_ipc_mode == 3; }
uint32_t shared_task_inbox(const ServerState& state);
// Where the task workers of this place find their tasks.
uint32_t task_inbox_of(const ServerState& state, uint32_t place);
// Workers and task workers and user processes.
uint32_t place_count(const ServerState& state);
uint32_t own_place_inbox(const ServerState& state);

// This process listens from now on: to the inbox of its line (or the supervisor's).
void open_inbox(ServerState& state);
// And to that of its place, when it is ready to.
void open_place_inbox(ServerState& state);
void close_inboxes(ServerState& state);

// In the supervisor, when a task worker has ended: calls with the tasks, among which are those that
// it was about to take and has not. From then on others take.
void settle_tasks(ServerState& state, uint32_t place, pid_t ended,
                  const std::function<void(const TaskHead&)>& is_there);

// False when too much is waiting for that inbox already.
bool send_message(ServerState& state, uint32_t inbox, MessageKind kind, std::string_view head,
                  std::string_view body);
template <typename Head>
bool send_message(ServerState& state, uint32_t inbox, MessageKind kind, const Head& head,
                  std::string_view body) {
    return send_message(state, inbox, kind, {reinterpret_cast<const char*>(&head), sizeof(head)},
                        body);
}

// The same with a descriptor, which the receiver has from then on; closed when it cannot be sent.
bool send_descriptor(ServerState& state, uint32_t inbox, MessageKind kind, std::string_view head,
                     os::Fd descriptor);

// The head of a message, which is taken from its front.
template <typename Head>
bool take_head(std::string_view& bytes, Head& head) {
    if (bytes.size() < sizeof(head)) {
        return false;
    }
    std::memcpy(&head, bytes.data(), sizeof(head));
    bytes.remove_prefix(sizeof(head));
    return true;
}

// Whether this process comes to its loop for what waits: a function of a user process that runs
// outside of coroutines may never do so.
bool has_loop_to_itself(const ServerState& state);

// Blocks this process, outside of coroutines, until something came to its line or the time has
// come.
bool wait_for_message(ServerState& state, Nanos deadline);

// What comes, by kind; called in dispatches, so no code of the application may run in them.
void take_wish(std::string_view bytes);  // peers.cc
void take_task(std::string_view bytes);  // task_worker.cc
void note_task(std::string_view front);  // that is taken next: its head
void miss_task();                        // the one that was noted, which cannot be read
void take_task_notice();
void take_task_result(std::string_view bytes);
void take_pipe_message(std::string_view bytes);
void take_command(std::string_view bytes);
void take_command_result(std::string_view bytes);
void take_inspection(std::string_view bytes);  // control.cc
void take_inspection_result(std::string_view bytes);
void take_scale(std::string_view bytes);      // worker_count.cc
void take_look();                             // worker.cc
void take_hand_over(std::string_view bytes);  // hand_over.cc
void take_signal(std::string_view bytes);     // supervisor_signal.cc

}  // namespace stampede::classes
