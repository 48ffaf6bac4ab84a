// System's commands, children, signals and descriptors.
#include <cerrno>
#include <climits>

#include "base/buffer.h"
#include "classes/event.h"
#include "classes/system/system.h"
#include "io/children.h"
#include "io/descriptor.h"
#include "io/group_wait.h"
#include "io/signals.h"
#include "os/fd.h"
#include "zend/throw.h"

namespace stampede::classes::system {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr size_t kPiece = 64 * 1024;
constexpr size_t kMostOutput = size_t{1} << 30;
constexpr zend_long kEventRead = 512;
constexpr zend_long kEventWrite = 1024;

// Room for the copy that becomes the string.
size_t output_limit() {
    return PG(memory_limit) > 0 ? static_cast<size_t>(PG(memory_limit)) / 2 : kMostOutput;
}

// A command under way: the loop sees its pipe.
struct Run {
    io::Descriptor pipe;
    Buffer output;
    os::ChildExit end;

    ~Run() { os::close_fd(pipe.forget()); }
};

// 0 at the end of the output, or an errno value.
int collect_output(Run& run, size_t limit) {
    for (;;) {
        char* room = run.output.reserve(kPiece);
        long count = os::read_some(run.pipe.fd(), room, kPiece);
        if (count == 0) {
            return 0;
        }
        if (count > 0) {
            run.output.commit(static_cast<size_t>(count));
            if (run.output.size() > limit) {
                return EFBIG;
            }
            continue;
        }
        if (errno != EAGAIN) {
            return errno;
        }
        run.pipe.blocked(io::Direction::kRead);
        if (run.pipe.wait(io::Direction::kRead, kNever) != WakeReason::kReady) {
            return ECANCELED;
        }
    }
}

int run_to_end(Run& run, const os::Command& command) {
    run.pipe.adopt(command.output);
    int error = collect_output(run, output_limit());
    if (error == 0) {
        error = io::wait_child(command.pid, kNever, run.end);
    }
    if (error == ECHILD) {  // SIGCHLD is ignored: nobody can know
        run.end.code = -1;
        return 0;
    }
    if (error != 0) {
        (void)io::kill_when_out_of_time(command.pid);
        io::reap_later(command.pid);
    }
    return error;
}

void return_end(const os::ChildExit& end, zval* return_value) {
    array_init_size(return_value, 3);
    add_assoc_long(return_value, "pid", end.pid);
    add_assoc_long(return_value, "code", end.code);
    add_assoc_long(return_value, "signal", end.signal);
}

void wait_for_child(zend_long pid, double timeout, zval* return_value) {
    if (!may_wait()) {
        RETURN_FALSE;
    }
    if (pid < -INT_MAX || pid > INT_MAX) {  // cut to 32 bits it would name others
        failed(ECHILD);
        RETURN_FALSE;
    }
    os::ChildExit end;
    Nanos deadline = deadline_of(timeout);
    int error = pid > 0 ? io::wait_child(static_cast<pid_t>(pid), deadline, end)
                        : io::wait_forked(pid == -1  ? 0
                                          : pid == 0 ? os::group_of(0)
                                                     : static_cast<pid_t>(-pid),
                                          deadline, end);
    if (error != 0) {
        failed(error);
        RETURN_FALSE;
    }
    return_end(end, return_value);
}

// A coroutine that waits for signals.
struct SignalWait {
    struct One : io::SignalListener {
        SignalWait* owner;
    };
    Fiber* fiber;
    int arrived;
    int count;
    One ones[1];  // as many as wanted
};

void on_signal(io::SignalListener& listener) {
    SignalWait& wait = *static_cast<SignalWait::One&>(listener).owner;
    if (wait.arrived == 0) {
        wait.arrived = listener.number;
        Runtime::peek()->wake(*wait.fiber, WakeReason::kReady);
    }
}

SignalWait* make_signal_wait(int most) {
    auto* wait = static_cast<SignalWait*>(
        safe_emalloc(static_cast<size_t>(most), sizeof(SignalWait::One), sizeof(SignalWait)));
    wait->fiber = Runtime::get().current();
    wait->arrived = wait->count = 0;
    return wait;
}

int add_signal(SignalWait& wait, zend_long number) {
    auto* one = new (&wait.ones[wait.count]) SignalWait::One();
    one->owner = &wait;
    one->on_signal = on_signal;
    int wanted = number > 0 && number <= INT_MAX ? static_cast<int>(number) : -1;
    Error error = io::listen_to_signal(wanted, *one);
    wait.count += error ? 0 : 1;
    return static_cast<int>(error.code());
}

// The number of the signal, or 0 with an errno value in error.
int wait_for_signal(SignalWait& wait, double timeout, int& error) {
    if (error == 0) {
        WakeReason reason = Runtime::get().park_for(timeout_of(timeout));
        error = reason == WakeReason::kReady     ? 0
                : reason == WakeReason::kTimeout ? ETIMEDOUT
                                                 : ECANCELED;
    }
    for (int i = 0; i < wait.count; i++) {
        io::stop_listening(wait.ones[i]);
    }
    return error == 0 ? wait.arrived : 0;
}

int add_signals(SignalWait& wait, zend_array* list, zend_long single) {
    if (list == nullptr) {
        return add_signal(wait, single);
    }
    int error = zend_hash_num_elements(list) > 0 ? 0 : EINVAL;
    zval* value;
    ZEND_HASH_FOREACH_VAL(list, value) {
        if (error == 0) {
            error = add_signal(wait, zval_get_long(value));
        }
    }
    ZEND_HASH_FOREACH_END();
    return error;
}

zend_long api_events(uint32_t events, zend_long wanted) {
    bool ended = (events & loop::kHangup) != 0;
    zend_long result = 0;
    if (ended || (events & loop::kReadable) != 0) {
        result |= wanted & kEventRead;
    }
    if (ended || (events & loop::kWritable) != 0) {
        result |= wanted & kEventWrite;
    }
    return result;
}

}  // namespace

}  // namespace stampede::classes::system

using namespace stampede;
using namespace stampede::classes;
using namespace stampede::classes::system;

ZEND_METHOD(Swoole_Coroutine_System, exec) {
    char* command;
    size_t length;
    bool with_errors = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_PATH(command, length)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(with_errors)
    ZEND_PARSE_PARAMETERS_END();
    if (!may_wait()) {
        RETURN_FALSE;
    }
    if (length == 0) {
        failed(EINVAL);
        RETURN_FALSE;
    }
    Result<os::Command> started =
        os::run_shell(command, with_errors ? os::Capture::kOutputAndErrors : os::Capture::kOutput);
    if (!started) {
        failed(static_cast<int>(started.error().code()));
        RETURN_FALSE;
    }
    auto* run = new Run();
    int error = run_to_end(*run, *started);
    if (error != 0) {
        delete run;
        failed(error);
        RETURN_FALSE;
    }
    os::close_fd(run->pipe.forget());
    array_init_size(return_value, 3);
    add_assoc_long(return_value, "code", run->end.code);
    add_assoc_long(return_value, "signal", run->end.signal);
    add_assoc_stringl(return_value, "output", run->output.data(), run->output.size());
    delete run;
}

ZEND_METHOD(Swoole_Coroutine_System, wait) {
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    wait_for_child(-1, timeout, return_value);
}

ZEND_METHOD(Swoole_Coroutine_System, waitPid) {
    zend_long pid;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(pid)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    wait_for_child(pid, timeout, return_value);
}

ZEND_METHOD(Swoole_Coroutine_System, waitSignal) {
    zend_array* list = nullptr;
    zend_long single = 0;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT_OR_LONG(list, single)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (!may_wait()) {
        RETURN_FALSE;
    }
    int most = list != nullptr ? static_cast<int>(zend_hash_num_elements(list)) : 1;
    SignalWait* wait = make_signal_wait(most);
    int error = add_signals(*wait, list, single);
    int number = wait_for_signal(*wait, timeout, error);
    efree(wait);
    if (number == 0) {
        failed(error);
        RETURN_FALSE;
    }
    RETURN_LONG(number);
}

ZEND_METHOD(Swoole_Coroutine_System, waitEvent) {
    zval* socket;
    zend_long events = kEventRead;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_ZVAL(socket)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(events)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (!may_wait()) {
        RETURN_FALSE;
    }
    uint32_t interest = ((events & kEventRead) != 0 ? loop::kReadable : 0) |
                        ((events & kEventWrite) != 0 ? loop::kWritable : 0);
    int fd = interest != 0 ? descriptor_of(socket) : -1;
    if (fd < 0) {
        failed(interest != 0 ? EBADF : EINVAL);
        RETURN_FALSE;
    }
    io::Readiness ready = io::wait_for_events(fd, interest, deadline_of(timeout));
    if (ready.events == 0) {
        bool late = ready.reason == WakeReason::kTimeout;
        failed(ready.error != 0 ? ready.error : late ? ETIMEDOUT : ECANCELED);
        RETURN_FALSE;
    }
    RETURN_LONG(api_events(ready.events, events));
}
