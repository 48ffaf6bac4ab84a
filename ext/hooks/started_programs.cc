#include "hooks/started_programs.h"

#include <poll.h>

#include <vector>

#include "hooks/descriptors.h"
#include "hooks/readiness.h"
#include "os/children.h"
#include "os/fd.h"
#include "runtime/runtime.h"
#include "zend/wrapped_function.h"

#include "ext/standard/proc_open.h"

namespace stampede::hooks {
namespace {

struct Program {
    int64_t coroutine;
    pid_t pid;
    int end;  // tells whether the number is still the program's

    bool runs() const {
        pollfd one{end, POLLIN, 0};
        return ::poll(&one, 1, 0) == 0;
    }
};

std::vector<Program> programs;

void note(pid_t pid, int64_t coroutine) {
    if (Result<int> end = os::open_pidfd(pid)) {
        note_opened(*end);
        programs.push_back({coroutine, pid, *end});
    }
}

bool forget(const Program& program) {
    int end = program.end;
    note_closed(end);
    os::close_fd(end);
    return true;
}

void starting(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    runtime::Runtime* runtime = runtime::Runtime::peek();
    const runtime::Fiber* self = runtime != nullptr ? runtime->current() : nullptr;
    if (self != nullptr && self->compute_until != 0 && Z_TYPE_P(return_value) == IS_RESOURCE) {
        note(static_cast<php_process_handle*>(Z_RES_P(return_value)->ptr)->child, self->cid);
    }
}

}  // namespace

void note_started_programs() { zend::WrappedFunction<starting>::wrap("proc_open"); }

void end_programs_of(int64_t coroutine) {
    for (const Program& program : programs) {
        if (program.coroutine == coroutine && program.runs()) {
            os::kill_family(program.pid);
        }
    }
    forget_programs_of(coroutine);
}

void forget_programs_of(int64_t coroutine) {
    std::erase_if(programs, [coroutine](const Program& program) {
        return program.coroutine == coroutine && forget(program);
    });
}

void forget_started_programs() { std::erase_if(programs, forget); }

}  // namespace stampede::hooks
