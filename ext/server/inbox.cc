#include "ext/server/inbox.h"

#include <algorithm>

#include "ext/server/peers.h"
#include "ext/server/tasks.h"
#include "os/log.h"
#include "os/process.h"
#include "runtime/runtime.h"

namespace stampede::classes {

namespace {

constexpr size_t kMostHead = 120;
constexpr Nanos kLeavePatience = kSecond;  // of one that ends, for what found no room yet
constexpr Nanos kPatience = 3 * kSecond;   // of a process that has no loop, for room in an inbox

// A child that the application itself has forked has the same bus, whose watches are its parent's.
uint32_t attached_in;

void on_message(void*, std::string_view bytes) {
    if (bytes.empty()) {
        return;
    }
    auto kind = static_cast<MessageKind>(bytes.front());
    bytes.remove_prefix(1);
    switch (kind) {
        case MessageKind::kConnection:
            take_wish(bytes);
            break;
        case MessageKind::kTask:
            take_task(bytes);
            break;
        case MessageKind::kTaskResult:
            take_task_result(bytes);
            break;
        case MessageKind::kPipeMessage:
            take_pipe_message(bytes);
            break;
        case MessageKind::kCommand:
            take_command(bytes);
            break;
        case MessageKind::kCommandResult:
            take_command_result(bytes);
            break;
        case MessageKind::kInspection:
            take_inspection(bytes);
            break;
        case MessageKind::kInspectionResult:
            take_inspection_result(bytes);
            break;
        case MessageKind::kScale:
            take_scale(bytes);
            break;
        case MessageKind::kLook:
            take_look();
            break;
        case MessageKind::kTaskNotice:
            take_task_notice();
            break;
        case MessageKind::kSignal:
            take_signal(bytes);
            break;
        case MessageKind::kHandOver:
            take_hand_over(bytes);
            break;
    }
}

bool is_task(std::string_view& message) {
    bool is = !message.empty() && static_cast<MessageKind>(message.front()) == MessageKind::kTask;
    message.remove_prefix(is ? 1 : 0);
    return is;
}

// The beginning of a message, as far as it can be looked at, has the whole head of a task.
static_assert(sizeof(MessageKind) + sizeof(TaskHead) <= proc::Bus::kMostFront);
static_assert(sizeof(TaskHead) <= proc::TaskQueue::kMostFront);

// Where a task worker takes its tasks.
constexpr proc::Bus::Taking kTaskTaking = {
    [](void*, std::string_view front) {
        if (is_task(front)) {
            note_task(front);
        }
    },
    [](void*) { miss_task(); },
};

bool attach(ServerState& state) {
    if (state.bus == nullptr) {
        return false;
    }
    if (attached_in != runtime::Runtime::loop_generation()) {
        state.bus->abandon();
        attached_in = runtime::Runtime::loop_generation();
        state.bus->attach(runtime::Runtime::get().loop());
    }
    return true;
}

}  // namespace

bool has_loop_to_itself(const ServerState& state) {
    return state.place.kind != proc::PlaceKind::kUserProcess ||
           runtime::Runtime::get().current() != nullptr;
}

uint32_t place_count(const ServerState& state) {
    return static_cast<uint32_t>(state.settings.worker_num + state.settings.task_worker_num) +
           static_cast<uint32_t>(state.processes.size());
}

uint32_t shared_task_inbox(const ServerState& state) {
    return inbox_of_place(state, place_count(state));
}

uint32_t task_inbox_of(const ServerState& state, uint32_t place) {
    return shares_tasks(state)
               ? shared_task_inbox(state)
               : inbox_of_place(state, static_cast<uint32_t>(state.settings.worker_num) + place);
}

uint32_t own_place_inbox(const ServerState& state) {
    return inbox_of_place(state, state.place.worker);
}

std::string open_bus(ServerState& state) {
    auto bus = proc::Bus::create(shared_task_inbox(state) + 1);
    if (!bus) {
        return std::string("cannot connect the workers: ") +
               strerror(static_cast<int>(bus.error().code()));
    }
    state.bus = std::move(*bus);
    return {};
}

void open_inbox(ServerState& state) {
    if (state.bus != nullptr) {
        state.bus->abandon();
        attached_in = runtime::Runtime::loop_generation();
    }
    loop::Loop& loop = runtime::Runtime::get().loop();
    join_peers(state);
    // A user process keeps its line, and with it the results of tasks that the one before has
    // given.
    auto old = is_kind(state, proc::PlaceKind::kUserProcess) ? proc::Bus::Old::kKeep
                                                             : proc::Bus::Old::kForget;
    if (state.bus != nullptr && state.bus->open(loop, state.place.line, on_message, nullptr, old)) {
        os::Log::get().write(os::LogLevel::kError,
                             "process %d cannot hear the other processes of the server: what they "
                             "want of its connections, and the results of its tasks, are lost",
                             os::own_pid());
    }
}

void open_place_inbox(ServerState& state) {
    if (state.bus == nullptr) {
        return;
    }
    loop::Loop& loop = runtime::Runtime::get().loop();
    constexpr auto kKeep = proc::Bus::Old::kKeep;
    bool takes_tasks = is_kind(state, proc::PlaceKind::kTaskWorker);
    bool shared = takes_tasks && shares_tasks(state);
    if (state.bus->open(loop, own_place_inbox(state), on_message, nullptr, kKeep) ||
        (shared && state.bus->open(loop, shared_task_inbox(state), on_message, nullptr, kKeep))) {
        os::Log::get().write(os::LogLevel::kError,
                             "process %d cannot hear what is sent to worker %u", os::own_pid(),
                             state.place.worker);
        return;
    }
    if (takes_tasks && state.task_queue == nullptr) {
        state.bus->tell(shared ? shared_task_inbox(state) : own_place_inbox(state), kTaskTaking);
    }
}

void close_inboxes(ServerState& state) {
    leave_peers(state);  // it may send what it has kept
    if (state.bus != nullptr) {
        (void)state.bus->flush(monotonic_now() + kLeavePatience);
        state.bus->close();
    }
}

void settle_tasks(ServerState& state, uint32_t place, pid_t ended,
                  const std::function<void(const TaskHead&)>& is_there) {
    uint32_t inbox = task_inbox_of(state, place);
    TaskHead head;
    if (state.task_queue != nullptr && state.bus->has_turn(inbox, ended)) {
        for (std::string_view front : state.task_queue->fronts()) {
            if (take_head(front, head)) {
                is_there(head);
            }
        }
    }
    std::string front = state.bus->settle(inbox, ended);
    std::string_view bytes = front;
    if (is_task(bytes) && take_head(bytes, head)) {
        is_there(head);
    }
}

bool send_message(ServerState& state, uint32_t inbox, MessageKind kind, std::string_view head,
                  std::string_view body) {
    char front[kMostHead];
    if (head.size() >= sizeof(front) || !attach(state)) {
        return false;
    }
    front[0] = static_cast<char>(kind);
    std::ranges::copy(head, front + 1);
    if (!state.bus->send(inbox, {front, head.size() + 1}, body)) {
        return false;
    }
    return has_loop_to_itself(state) || state.bus->flush(monotonic_now() + kPatience);
}

bool send_descriptor(ServerState& state, uint32_t inbox, MessageKind kind, std::string_view head,
                     os::Fd descriptor) {
    char front[kMostHead];
    if (head.size() >= sizeof(front) || !attach(state)) {
        return false;
    }
    front[0] = static_cast<char>(kind);
    std::ranges::copy(head, front + 1);
    return state.bus->send_descriptor(inbox, {front, head.size() + 1}, {}, std::move(descriptor));
}

bool wait_for_message(ServerState& state, Nanos deadline) {
    return attach(state) && state.bus->wait(state.place.line, deadline);
}

}  // namespace stampede::classes
