#include "ext/server/api_options.h"
#include "ext/server/user_processes.h"

#include "ext/server/inbox.h"
#include "ext/server/metrics.h"
#include "ext/server/objects.h"
#include "hooks/hooks.h"
#include "os/fd.h"
#include "os/log.h"
#include "os/process.h"
#include "os/signal.h"
#include "runtime/runtime.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

zend_object* process_at(ServerState& state, uint32_t worker) {
    auto first = static_cast<uint32_t>(state.settings.worker_num + state.settings.task_worker_num);
    return worker >= first && worker - first < state.processes.size()
               ? Z_OBJ(state.processes[worker - first])
               : nullptr;
}

}  // namespace

void note_user_process(ServerState& state, const proc::WorkerPlace& place, pid_t pid) {
    if (zend_object* object = process_at(state, place.worker)) {
        objects.show_process_id(object, pid);
    }
}

void run_user_process(ServerState& state) {
    runtime::Runtime::after_fork_in_child();
    runtime::Runtime& runtime = runtime::Runtime::get();
    os::Log::get().set_worker(static_cast<int>(state.place.worker));
    const ServerSettings& settings = state.settings;
    std::string error = os::assume_identity({settings.user, settings.group, settings.chroot});
    if (!error.empty()) {
        os::Log::get().write(os::LogLevel::kError, "user process %u cannot start: %s",
                             state.place.worker, error.c_str());
        return;
    }
    close_listeners(state);  // it accepts nothing, and may outlive the supervisor for a while
    zend_object* object = process_at(state, state.place.worker);
    zend_update_property_long(state.object->ce, state.object, ZEND_STRL("worker_id"),
                              state.place.worker);
    zend_update_property_long(state.object->ce, state.object, ZEND_STRL("worker_pid"),
                              os::own_pid());
    zend_update_property_long(object->ce, object, ZEND_STRL("id"), state.place.worker);
    runtime.set_server_role(runtime::ServerRole::kServer);
    if (state.settings.hook_flags != 0) {
        hooks::set_flags(state.settings.hook_flags);
    }
    use_coroutine_options(state);
    join_metrics(state);
    open_inbox(state);
    open_place_inbox(state);
    state.board->line(state.place.line).state.store(shm::WorkerState::kRunning);
    (void)os::write_some(state.place.channel, &proc::kSayReady, 1);
    os::unblock_all_signals();
    objects.run_process(object);
    if (state.bus != nullptr && state.bus->attached()) {
        (void)state.bus->flush(monotonic_now() + state.settings.max_wait_time * kSecond);
    }
}

}  // namespace stampede::classes
