#include "ext/server/supervisor_signal.h"

#include <cerrno>
#include <csignal>

#include "ext/server/inbox.h"
#include "os/process.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

struct SignalHead {
    int32_t number;
};

bool is_allowed(int number) { return number == SIGTERM || number == SIGUSR1 || number == SIGUSR2; }

}  // namespace

bool signal_supervisor(ServerState& state, int number) {
    if (!state.started) {
        zend::warning("server is not running");
        return false;
    }
    zval holder;
    zval* pid =
        zend_read_property(state.object->ce, state.object, ZEND_STRL("master_pid"), true, &holder);
    if (os::send_signal(static_cast<pid_t>(zval_get_long(pid)), number)) {
        return true;
    }
    return errno == EPERM && send_message(state, supervisor_line(state), MessageKind::kSignal,
                                          SignalHead{number}, {});
}

// In the supervisor, where the signal takes its usual way.
void take_signal(std::string_view bytes) {
    ServerState* state = running_server();
    SignalHead head;
    if (state != nullptr && state->master != nullptr && !state->in_worker &&
        take_head(bytes, head) && is_allowed(head.number)) {
        (void)os::send_signal(os::own_pid(), head.number);
    }
}

}  // namespace stampede::classes
