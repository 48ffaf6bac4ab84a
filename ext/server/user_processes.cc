#include "ext/server/api_options.h"
#include "ext/server/user_processes.h"

#include "classes/process/process_object.h"
#include "ext/server/inbox.h"
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
        ZVAL_LONG(OBJ_PROP_NUM(object, kPidSlot), pid);
    }
}

void run_user_process(ServerState& state) {
    runtime::Runtime::after_fork_in_child();
    runtime::Runtime& runtime = runtime::Runtime::get();
    os::Log::get().set_worker(static_cast<int>(state.place.worker));
    zend_object* object = process_at(state, state.place.worker);
    zend_update_property_long(server_class, state.object, ZEND_STRL("worker_id"),
                              state.place.worker);
    zend_update_property_long(server_class, state.object, ZEND_STRL("worker_pid"), os::own_pid());
    zend_update_property_long(process_class, object, ZEND_STRL("id"), state.place.worker);
    runtime.set_server_role(runtime::ServerRole::kServer);
    if (state.settings.hook_flags != 0) {
        hooks::set_flags(state.settings.hook_flags);
    }
    use_coroutine_options(state);
    open_inbox(state);
    open_place_inbox(state);
    state.board->line(state.place.line).state.store(shm::WorkerState::kRunning);
    (void)os::write_some(state.place.channel, &proc::kSayReady, 1);
    os::unblock_all_signals();
    auto& process = zend::from_object<ProcessObject>(object);
    process.started = true;
    run_process(process);
    if (state.bus != nullptr && state.bus->attached()) {
        (void)state.bus->flush(monotonic_now() + state.settings.max_wait_time * kSecond);
    }
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Server, addProcess) {
    zval* value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJECT_OF_CLASS(value, process_class)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    if (state.started) {
        zend::warning("server is running, unable to add process");
        RETURN_FALSE;
    }
    auto& process = zend::from_object<ProcessObject>(Z_OBJ_P(value));
    if (!process.callback) {
        zend::warning("the constructor of the process was not called");
        RETURN_FALSE;
    }
    for (const zval& known : state.processes) {
        if (Z_OBJ(known) == Z_OBJ_P(value)) {
            zend::warning("this process has been added already");
            RETURN_FALSE;
        }
    }
    if (process.started) {
        zend::warning("this process has been started already");
        RETURN_FALSE;
    }
    process.started = true;  // the server does it
    zval kept;
    ZVAL_COPY(&kept, value);
    state.processes.push_back(kept);
    auto number = static_cast<zend_long>(state.processes.size());
    zend_update_property_long(process_class, Z_OBJ_P(value), ZEND_STRL("id"), number);
    RETURN_LONG(number);
}
