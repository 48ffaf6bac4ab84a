#include "ext/server/task_queue.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "ext/server/inbox.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr Nanos kPatience = 3 * kSecond;  // for room in the queue
constexpr Nanos kShortestPause = kMillisecond;
constexpr Nanos kLongestPause = 20 * kMillisecond;

// Task workers have one each, with task_ipc_mode 2: its number and one, as in the original.
long type_of(const ServerState& state, uint32_t place) {
    return static_cast<long>(state.settings.worker_num) + place + 1;
}

// The root directory of workers and task workers may be another one than that of the other
// processes.
std::string folder_here(const ServerState& state) {
    bool inside =
        is_kind(state, proc::PlaceKind::kWorker) || is_kind(state, proc::PlaceKind::kTaskWorker);
    const ServerSettings& settings = state.settings;
    return inside || settings.chroot.empty() ? settings.task_tmpdir
                                             : settings.chroot + "/" + settings.task_tmpdir;
}

// False: there is no more time, or the coroutine is to stop.
bool pause(ServerState& state, Nanos deadline, Nanos& length) {
    Nanos now = monotonic_now();
    if (now >= deadline) {
        return false;
    }
    Nanos until = std::min(deadline, now + length);
    length = std::min(2 * length, kLongestPause);
    Runtime& runtime = Runtime::get();
    if (runtime.can_park()) {
        runtime::WakeReason reason = runtime.park(until);
        return reason == runtime::WakeReason::kTimeout || reason == runtime::WakeReason::kReady;
    }
    while (read_blocked(state, until)) {
    }
    return true;
}

bool fail(int error) {
    zend::set_last_error(error);
    if (error == EAGAIN) {
        zend::warning(
            "the task cannot be given: the message queue of the tasks is full (its size is the "
            "kernel's setting kernel.msgmnb)");
    } else {
        zend::warning("the task cannot be given by the message queue of the tasks: %s",
                      strerror(error));
    }
    return false;
}

void log_once(int error) {
    static int told = 0;
    if (std::exchange(told, error) != error) {
        os::Log::get().write(os::LogLevel::kError, "the message queue of the tasks is lost: %s",
                             strerror(error));
    }
}

// Nobody waits for the result of a task of a server of before.
bool make_old(std::string& bytes) {
    TaskHead head;
    std::string_view rest = bytes;
    if (!take_head(rest, head)) {
        return false;
    }
    head.flags = (head.flags & kTaskSerialized) | kTaskNoReply | kTaskOld;
    head.line = kNoLine;
    std::memcpy(bytes.data(), &head, sizeof(head));
    return true;
}

// Where the kernel cannot copy a message, a task worker that is killed in between takes the task
// with it.
void note_next(ServerState& state, long type) {
    auto next = state.task_queue->look(type);
    if (next && next->is_old) {
        (void)make_old(next->bytes);
    }
    note_task(next ? std::string_view(next->bytes) : std::string_view());
}

}  // namespace

bool parse_queue_key(const std::string& text, int& key) {
    bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const char* begin = text.data() + (is_hex ? 2 : 0);
    const char* end = text.data() + text.size();
    int64_t number = 0;
    auto [rest, failure] = std::from_chars(begin, end, number, is_hex ? 16 : 10);
    key = static_cast<int>(number);
    return text.empty() ||
           (failure == std::errc() && rest == end && number >= INT32_MIN && number <= UINT32_MAX);
}

std::string open_task_queue(ServerState& state) {
    const ServerSettings& settings = state.settings;
    proc::TaskQueue::Settings wanted;
    (void)parse_queue_key(settings.message_queue_key, wanted.key);
    if (wanted.key == 0 || settings.task_ipc_mode == 1) {
        return {};
    }
    wanted.user = settings.user;
    wanted.folder = folder_here(state);
    std::string error = proc::TaskQueue::open(wanted, state.task_queue);
    if (!error.empty()) {
        return "message_queue_key: " + error;
    }
    size_t waiting =
        state.task_queue->adopt(type_of(state, 0), type_of(state, state.task_board->size() - 1));
    if (waiting > 0) {
        os::Log::get().write(os::LogLevel::kNotice,
                             "%zu tasks that were given before this start wait in the message "
                             "queue",
                             waiting);
    }
    return {};
}

bool queue_task(ServerState& state, uint32_t place, const TaskHead& head, std::string_view body,
                Nanos deadline) {
    proc::TaskQueue& queue = *state.task_queue;
    queue.set_folder(folder_here(state));
    auto task = queue.pack({reinterpret_cast<const char*>(&head), sizeof(head)}, body);
    if (!task) {
        return fail(static_cast<int>(task.error().code()));
    }
    // The supervisor has other things to do.
    bool may_wait = state.in_worker || Runtime::get().can_park();
    deadline = may_wait ? std::min(deadline, monotonic_now() + kPatience) : 0;
    Nanos length = kShortestPause;
    Error error;
    do {
        error = queue.put(type_of(state, place), *task);
    } while (error.is_system(EAGAIN) && pause(state, deadline, length));
    if (error) {
        queue.discard(*task);
        return fail(static_cast<int>(error.code()));
    }
    // Without it the task is found, too, a little later.
    (void)send_message(state, task_inbox_of(state, place), MessageKind::kTaskNotice, {}, {});
    return true;
}

Found take_queued_task(ServerState& state, uint32_t place, std::string& bytes) {
    state.task_queue->set_folder(folder_here(state));
    long type = shares_tasks(state) ? 0 : type_of(state, place);
    uint32_t inbox = task_inbox_of(state, place);
    for (;;) {
        if (!state.bus->begin_turn(inbox)) {
            return Found::kLater;
        }
        note_next(state, type);
        auto task = state.task_queue->take(type);
        state.bus->end_turn(inbox);
        if (task.error().is_system(EBADMSG)) {
            os::Log::get().write(os::LogLevel::kWarning,
                                 "a message in the message queue of the tasks is thrown away: it "
                                 "is no task of this version, or its file is gone");
            miss_task();
            continue;
        }
        if (!task) {
            note_task({});
            if (!task.error().is_system(ENOMSG)) {
                log_once(static_cast<int>(task.error().code()));
            }
            return Found::kNone;
        }
        bytes = std::move(task->bytes);
        if (task->is_old && make_old(bytes)) {
            state.task_board->add(shares_tasks(state) ? 0 : place);
        }
        return Found::kTask;
    }
}

}  // namespace stampede::classes
