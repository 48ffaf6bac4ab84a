#include "ext/server/commands.h"

#include <algorithm>
#include <unordered_map>

#include "ext/server/event_job.h"
#include "ext/server/inbox.h"
#include "io/descriptor.h"
#include "os/log.h"
#include "os/process.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

// As SWOOLE_SERVER_COMMAND_* number them.
enum : zend_long { kMaster = 2, kReactorThread = 4, kWorker = 8, kTaskWorker = 16, kManager = 32 };

constexpr Nanos kPatience = 10 * kSecond;

struct CommandHead {
    int64_t id;
    uint32_t line;  // of the caller
    int32_t pid;
    uint32_t command;  // its number
};
struct CommandResultHead {
    int64_t id;
    int32_t pid;
    uint32_t good;
};

// Of the call that waits for it; not on its stack, which a fatal error leaves without destructors.
struct CommandWait {
    bool there = false;
    std::string result;
    bool good = false;
    runtime::Fiber* fiber = nullptr;
};
std::unordered_map<int64_t, CommandWait*> waiting;
int64_t next_id;

// The string that the function of a command has returned; false when it is none.
bool take_text(ServerState& state, uint32_t number, zval& returned, std::string& result) {
    if (Z_TYPE(returned) != IS_STRING) {
        zend::warning("the function of the command [%s] must return a string",
                      state.commands[number].name.c_str());
        return false;
    }
    result.assign(Z_STRVAL(returned), Z_STRLEN(returned));
    return true;
}

bool call_command(ServerState& state, uint32_t number, EventArguments& arguments,
                  std::string_view data, std::string& result) {
    zval returned;
    ZVAL_UNDEF(&returned);
    arguments.add_object(state.object);
    arguments.add_string(data);
    bool good =
        arguments.call(state.commands[number].callback, &returned) == runtime::Outcome::kReturned &&
        take_text(state, number, returned, result);
    zval_ptr_dtor(&returned);
    return good;
}

class CommandJob final : public EventJob {
public:
    CommandJob(ServerState& state, const CommandHead& head, std::string_view data)
        : state_(state), head_(head), data_(data) {}

private:
    void work() override { good_ = call_command(state_, head_.command, arguments, data_, result_); }
    void ended(runtime::Outcome) override { reply(); }
    void not_started() override { reply(); }

    void reply() {
        CommandResultHead head = {head_.id, head_.pid, good_ ? 1u : 0u};
        (void)send_message(state_, head_.line, MessageKind::kCommandResult, head, result_);
    }

    ServerState& state_;
    CommandHead head_;
    std::string data_;
    std::string result_;
    bool good_ = false;
};

bool wait_for_result(ServerState& state, int64_t id, CommandWait& wait) {
    Nanos deadline = monotonic_now() + kPatience;
    waiting[id] = &wait;
    Runtime& runtime = Runtime::get();
    if (runtime.can_park()) {
        wait.fiber = runtime.current();
        while (!wait.there && runtime.park(deadline) == runtime::WakeReason::kReady) {
        }
    } else {
        while (!wait.there && wait_for_message(state, deadline)) {
        }
    }
    waiting.erase(id);
    return wait.there && wait.good;
}

}  // namespace

CommandTarget find_command_target(ServerState& state, zend_long process, zend_long type) {
    CommandTarget target;
    if (type == kMaster || type == kManager) {
        target = {supervisor_line(state), !state.in_worker, true};
    } else if (type == kWorker || type == kTaskWorker) {
        zend_long first = type == kWorker ? 0 : state.settings.worker_num;
        zend_long count =
            type == kWorker ? state.settings.worker_num : state.settings.task_worker_num;
        if (process < 0 || process >= count) {
            zend::warning("there is no process " ZEND_LONG_FMT " of this type", process);
            return target;
        }
        auto worker = static_cast<uint32_t>(first + process);
        if (is_off(state, worker)) {
            zend::warning("worker %u is not running: there are %u workers now", worker,
                          state.board->active_workers());
            return target;
        }
        target = {inbox_of_place(state, worker), state.in_worker && state.place.worker == worker,
                  true};
    } else {
        zend::warning("processes of the type " ZEND_LONG_FMT
                      " do not exist: there are SWOOLE_SERVER_COMMAND_MASTER, _MANAGER, _WORKER "
                      "and _TASK_WORKER",
                      type);
    }
    return target;
}

bool run_command(ServerState& state, uint32_t number, const CommandTarget& target,
                 std::string_view data, std::string& result) {
    if (target.here) {
        EventArguments arguments;
        bool good = call_command(state, number, arguments, data, result);
        arguments.release();
        return good;
    }
    CommandHead head = {next_id++, state.place.line, os::own_pid(), number};
    if (!send_message(state, target.inbox, MessageKind::kCommand, head, data)) {
        return false;
    }
    auto* wait = new CommandWait();
    bool good = wait_for_result(state, head.id, *wait);
    result = std::move(wait->result);
    delete wait;
    return good;
}

void take_command(std::string_view bytes) {
    ServerState* state = running_server();
    CommandHead head;
    if (state == nullptr || !take_head(bytes, head) || head.command >= state->commands.size()) {
        return;
    }
    (new CommandJob(*state, head, bytes))->enqueue();
}

void take_command_result(std::string_view bytes) {
    CommandResultHead head;
    if (!take_head(bytes, head) || head.pid != os::own_pid()) {
        return;
    }
    auto found = waiting.find(head.id);
    if (found == waiting.end()) {
        return;
    }
    CommandWait& wait = *found->second;
    wait.there = true;
    wait.good = head.good != 0;
    wait.result = bytes;
    if (wait.fiber != nullptr) {
        Runtime::get().wake(*wait.fiber, runtime::WakeReason::kReady);
    }
}

}  // namespace stampede::classes
