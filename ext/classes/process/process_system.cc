// Swoole\Process: what concerns the process as a whole: signals, children, alarms, processors.
#include <sys/resource.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <optional>

#include "classes/coroutine/coroutine.h"
#include "classes/event.h"
#include "classes/process/process_object.h"
#include "ext/server/killed_requests.h"
#include "ext/server/state.h"
#include "error_numbers.h"
#include "io/signals.h"
#include "os/child_process.h"
#include "runtime/id_map.h"
#include "subsystems.h"
#include "zend/last_error.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

// A callback for one signal. Told on the loop, it starts in the ready phase.
struct SignalCallback : io::SignalListener {
    struct Start : loop::Task {
        SignalCallback* owner;
    };
    Start start;
    zend::Callable callable;
};

runtime::IdMap<SignalCallback> callbacks;  // by signal
bool signal_callbacks_keep_loop = false;
bool alarms_set = false;  // by this script

void start_callback(loop::Task& task) {
    SignalCallback& self = *static_cast<SignalCallback::Start&>(task).owner;
    if (Runtime::get().ending()) {
        return;
    }
    zend::Callable callable = self.callable;  // it may take its own place
    zval number;
    ZVAL_LONG(&number, self.number);
    callable.fci.param_count = 1;
    callable.fci.params = &number;
    zval held;
    ZVAL_COPY(&held, &callable.fci.function_name);
    classes::start_callback(callable.fci, callable.fcc);
    zval_ptr_dtor(&held);
}

void on_signal(io::SignalListener& listener) {
    auto& self = static_cast<SignalCallback&>(listener);
    if (!self.start.linked()) {
        Runtime::peek()->loop().enqueue(self.start);
    }
}

void drop(SignalCallback* callback) {
    io::stop_listening(*callback);
    callback->start.unlink();
    callbacks.erase(callback->number);
    zend::Callable callable = callback->callable;
    delete callback;
    callable.release();
}

// In a forked child they are the parent's, and nobody tells them any more.
void forget_all() { callbacks.clear(); }

bool set_callback(int number, const zend_fcall_info& fci, const zend_fcall_info_cache& fcc) {
    auto* callback = new SignalCallback();
    callback->on_signal = on_signal;
    callback->keeps_loop = signal_callbacks_keep_loop;
    callback->start.run = start_callback;
    callback->start.owner = callback;
    if (Error error = io::listen_to_signal(number, *callback)) {
        delete callback;
        zend::warning("failed to set the callback of signal %d: %s", number,
                      strerror(static_cast<int>(error.code())));
        return false;
    }
    callback->callable = zend::Callable::hold(fci, fcc);
    if (SignalCallback* before = callbacks.find(number)) {
        drop(before);
    }
    callbacks.insert(number, callback);
    return true;
}

// In the process that supervises a server these signals are orders to it.
bool is_of_supervisor(int number) {
    const ServerState* state = running_server();
    return state != nullptr && state->started && !state->in_worker &&
           (number == SIGTERM || number == SIGUSR1 || number == SIGUSR2);
}

}  // namespace

void keep_loop_for_signals(bool keep) { signal_callbacks_keep_loop = keep; }

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Process, signal) {
    zend_long number;
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc = empty_fcall_info_cache;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(number)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    if (number < 1 || number > 64) {
        zend::warning("invalid signal number [" ZEND_LONG_FMT "]", number);
        RETURN_FALSE;
    }
    if (fci.size != 0 && is_of_supervisor(static_cast<int>(number))) {
        zend_release_fcall_info_cache(&fcc);
        zend::warning("unable to register the signal [" ZEND_LONG_FMT
                      "]: it is how the server's supervisor is told to stop and to reload",
                      number);
        RETURN_FALSE;
    }
    if (fci.size != 0) {
        RETURN_BOOL(set_callback(static_cast<int>(number), fci, fcc));
    }
    SignalCallback* callback = callbacks.find(number);
    if (callback == nullptr) {
        zend::warning("unable to find the callback of signal [" ZEND_LONG_FMT "]", number);
        RETURN_FALSE;
    }
    drop(callback);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, wait) {
    bool blocking = true;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(blocking)
    ZEND_PARSE_PARAMETERS_END();
    Result<os::ChildExit> ended =
        os::wait_for_child(blocking ? os::Waiting::kBlock : os::Waiting::kLook);
    if (!ended || ended->pid == 0) {
        zend::set_last_error(ended ? 0 : static_cast<int>(ended.error().code()));
        RETURN_FALSE;
    }
    array_init(return_value);
    add_assoc_long(return_value, "pid", ended->pid);
    add_assoc_long(return_value, "code", ended->code);
    add_assoc_long(return_value, "signal", ended->signal);
}

ZEND_METHOD(Swoole_Process, kill) {
    zend_long pid, number = SIGTERM;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(pid)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(number)
    ZEND_PARSE_PARAMETERS_END();
    // Cut to 32 bits, a large number would name the own group, or all processes.
    bool is_pid = pid >= INT_MIN && pid <= INT_MAX;
    bool is_signal = number >= 0 && number <= INT_MAX;
    KilledRequests requests(is_pid && number == SIGKILL ? static_cast<pid_t>(pid) : 0);
    if (is_pid && is_signal && os::send_signal(static_cast<pid_t>(pid), static_cast<int>(number))) {
        requests.keep();
        RETURN_TRUE;
    }
    if (!is_pid || !is_signal) {
        errno = is_pid ? EINVAL : ESRCH;
    }
    zend::set_last_error(errno);
    if (errno != ESRCH) {
        zend::warning("kill(" ZEND_LONG_FMT ", " ZEND_LONG_FMT ") failed: %s", pid, number,
                      strerror(errno));
    }
    RETURN_FALSE;
}

ZEND_METHOD(Swoole_Process, alarm) {
    zend_long microseconds, type = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(microseconds)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();
    if (type < 0 || type > 2 || os::set_alarm(microseconds, static_cast<int>(type))) {
        zend::warning("the alarm cannot be set: %s",
                      strerror(type < 0 || type > 2 ? EINVAL : errno));
        RETURN_FALSE;
    }
    alarms_set = true;
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, daemon) {
    bool keep_directory = true, keep_streams = true;
    HashTable* pipes = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 3)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(keep_directory)
        Z_PARAM_BOOL(keep_streams)
        Z_PARAM_ARRAY_HT(pipes)
    ZEND_PARSE_PARAMETERS_END();
    os::DaemonOptions options;
    options.keep_directory = keep_directory;
    options.keep_streams = keep_streams;
    if (pipes != nullptr) {
        for (zend_ulong i = 0; i < 3; i++) {
            zval* stream = zend_hash_index_find(pipes, i);
            options.streams[i] = stream != nullptr ? descriptor_of(stream) : -1;
        }
    }
    Runtime* runtime = Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        zend::throw_error(zend::error_classes.error, EOPNOTSUPP,
                          "must be forked outside the coroutine");
        RETURN_THROWS();
    }
    if (Error error = os::become_daemon(options)) {
        zend::warning("going on in the background failed: %s",
                      strerror(static_cast<int>(error.code())));
        RETURN_FALSE;
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, setAffinity) {
    HashTable* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(settings)
    ZEND_PARSE_PARAMETERS_END();
    bool empty = zend_hash_num_elements(settings) == 0;
    int error = empty ? EINVAL : 0;
    if (!empty) {
        std::vector<int> processors;
        zval* value;
        ZEND_HASH_FOREACH_VAL(settings, value) {
            processors.push_back(Z_TYPE_P(value) == IS_LONG ? static_cast<int>(Z_LVAL_P(value))
                                                            : -1);
        }
        ZEND_HASH_FOREACH_END();
        error = static_cast<int>(os::set_affinity(processors).code());
    }
    if (error != 0) {
        zend::warning("the processors cannot be set: %s", strerror(error));
        RETURN_FALSE;
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, getAffinity) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Result<std::vector<int>> processors = os::affinity();
    array_init(return_value);
    if (processors) {
        for (int processor : *processors) {
            add_next_index_long(return_value, processor);
        }
    }
}

// Whose priority is meant: of this object's process, when no number is given. Nothing, with the
// last error, when the kind and the number do not go together: a number of a process would be taken
// for one of a user.
static std::optional<int> process_for_priority(zval* object, zend_long kind, zend_long who,
                                               bool is_null) {
    if (kind != PRIO_PROCESS && kind != PRIO_PGRP && kind != PRIO_USER) {
        zend::set_last_error(EINVAL);
        return std::nullopt;
    }
    if (!is_null) {
        return static_cast<int>(who);
    }
    if (kind != PRIO_PROCESS) {
        zend::set_last_error(api_error::kInvalidParams);
        zend::warning("the parameter $who is needed for another kind than PRIO_PROCESS");
        return std::nullopt;
    }
    zval* pid = OBJ_PROP_NUM(Z_OBJ_P(object), kPidSlot);
    return Z_TYPE_P(pid) == IS_LONG ? static_cast<int>(Z_LVAL_P(pid)) : 0;
}

ZEND_METHOD(Swoole_Process, setPriority) {
    zend_long which, priority, who = 0;
    bool is_null = true;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_LONG(which)
        Z_PARAM_LONG(priority)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG_OR_NULL(who, is_null)
    ZEND_PARSE_PARAMETERS_END();
    std::optional<int> process = process_for_priority(ZEND_THIS, which, who, is_null);
    if (!process) {
        RETURN_FALSE;
    }
    if (Error error =
            os::set_priority(static_cast<int>(which), *process, static_cast<int>(priority))) {
        zend::set_last_error(static_cast<int>(error.code()));
        zend::warning("setpriority() failed: %s", strerror(static_cast<int>(error.code())));
        RETURN_FALSE;
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, getPriority) {
    zend_long which, who = 0;
    bool is_null = true;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(which)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG_OR_NULL(who, is_null)
    ZEND_PARSE_PARAMETERS_END();
    std::optional<int> process = process_for_priority(ZEND_THIS, which, who, is_null);
    if (!process) {
        RETURN_FALSE;
    }
    Result<int> priority = os::priority(static_cast<int>(which), *process);
    if (!priority) {
        zend::set_last_error(static_cast<int>(priority.error().code()));
        zend::warning("getpriority() failed: %s",
                      strerror(static_cast<int>(priority.error().code())));
        RETURN_FALSE;
    }
    RETURN_LONG(*priority);
}

namespace stampede::ext {

zend_result process_signals_minit(int, int) {
    Runtime::on_fork(forget_all);
    return SUCCESS;
}

zend_result process_signals_rshutdown(int, int) {
    // An alarm that nobody has stopped would end the process by its signal as soon as the callback
    // for it is gone.
    for (int type = 0; alarms_set && type <= 2; type++) {
        (void)os::set_alarm(0, type);
    }
    alarms_set = false;
    for (int number = 1; number <= 64; number++) {
        SignalCallback* callback = callbacks.find(number);
        if (callback != nullptr && !CG(unclean_shutdown)) {
            drop(callback);
        }
    }
    callbacks.clear();
    return SUCCESS;
}

}  // namespace stampede::ext
