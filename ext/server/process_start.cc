#include "ext/server/process_start.h"

#include <csignal>
#include <cstring>

#include "ext/server/api_options.h"
#include "ext/server/killed_requests.h"
#include "hooks/hooks.h"
#include "os/log.h"
#include "os/process.h"
#include "os/signal.h"
#include "runtime/runtime.h"
#include "zend/process_end.h"
#include "zend/process_state.h"

namespace stampede::classes {

std::string start_process(ServerState& state) {
    zend::reseed();
    zend::leave_after_request();
    zend::forget_paths();
    forget_killed_requests();
    const ServerSettings& settings = state.settings;
    if (!state.has_identity) {
        std::string error = os::assume_identity({settings.user, settings.group, settings.chroot});
        if (!error.empty()) {
            return error;
        }
        state.has_identity = true;
    }
    bool is_task_worker = is_kind(state, proc::PlaceKind::kTaskWorker);
    runtime::Runtime& runtime = runtime::Runtime::get();
    runtime.set_server_role(runtime::ServerRole::kServer);
    runtime.start_callbacks_in_coroutines(is_task_worker ? settings.task_enable_coroutine
                                                         : settings.enable_coroutine);
    if (settings.hook_flags != 0) {
        hooks::set_flags(settings.hook_flags);
    }
    use_coroutine_options(state);
    runtime.limits().max_coroutines = static_cast<size_t>(settings.max_coroutine);
    if (settings.stack_size > 0) {
        runtime.contexts().set_stack_size(static_cast<size_t>(settings.stack_size));
    }
    return {};
}

bool take_worker_signals() {
    os::SignalInbox& inbox = os::SignalInbox::get();
    if (inbox.open()) {
        os::Log::get().write(os::LogLevel::kError, "cannot take signals: %s", strerror(errno));
        return false;
    }
    for (int number : {SIGTERM, SIGINT, SIGRTMIN}) {
        (void)inbox.take(number);
    }
    for (int number : {SIGPIPE, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
        inbox.ignore(number);
    }
    return true;
}

void show_worker(ServerState& state) {
    zend_object* object = state.object;
    zend_update_property_long(object->ce, object, ZEND_STRL("worker_id"), state.place.worker);
    zend_update_property_long(object->ce, object, ZEND_STRL("worker_pid"), os::own_pid());
}

}  // namespace stampede::classes
