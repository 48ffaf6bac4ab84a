// Stampede\LoopControl: what other event loops' drivers need of ours.
#include <utility>
#include <vector>

#include "classes/coroutine/coroutine.h"
#include "io/signals.h"
#include "runtime/pending_work.h"
#include "subsystems.h"

#include "stubs/loop_control_arginfo.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

// Owned by the table until it is taken off; while its callback is being started it outlives that by
// a moment.
struct SignalCall : io::SignalListener {
    struct Start : loop::Task {
        SignalCall* owner;
    };
    Start start;
    zend::Callable callable;
    bool starting = false;
    bool removed = false;
};

runtime::IdMap<SignalCall> calls;
int64_t last_id = 0;
int64_t ignored = 0;

void destroy(SignalCall* call) {
    call->callable.release();
    delete call;
}

void remove(int64_t id, SignalCall* call) {
    io::stop_listening(*call);
    call->start.unlink();
    calls.erase(id);
    call->removed = true;
    if (!call->starting) {
        destroy(call);
    }
}

void start(loop::Task& task) {
    SignalCall* call = static_cast<SignalCall::Start&>(task).owner;
    if (Runtime::get().ending()) {
        return;
    }
    zval number;
    ZVAL_LONG(&number, call->number);
    zend_fcall_info fci = call->callable.fci;
    zend_fcall_info_cache fcc = call->callable.fcc;
    fci.param_count = 1;
    fci.params = &number;
    call->starting = true;
    start_callback(fci, fcc);
    call->starting = false;
    if (call->removed) {
        destroy(call);
    }
}

void on_signal(io::SignalListener& listener) {
    auto& call = static_cast<SignalCall&>(listener);
    if (!call.start.linked()) {
        Runtime::peek()->loop().enqueue(call.start);
    }
}

// What was announced was of the loop that this process no longer has.
void forget_ignored() {
    runtime::pending_work.ignored_watches = runtime::pending_work.ignored_timers = 0;
}

void remove_all() {
    std::vector<std::pair<int64_t, SignalCall*>> all;
    calls.each([&](int64_t id, SignalCall& call) { all.emplace_back(id, &call); });
    for (auto& [id, call] : all) {
        remove(id, call);
    }
}

}  // namespace

bool drivers_have_work() { return ignored > 0; }

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Stampede_LoopControl, ignore) {
    zend_long watches, timers;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(watches)
        Z_PARAM_LONG(timers)
    ZEND_PARSE_PARAMETERS_END();
    ignored += watches + timers;
    runtime::pending_work.ignored_watches += static_cast<int32_t>(watches);
    runtime::pending_work.ignored_timers += static_cast<int32_t>(timers);
    Runtime::get().loop().ignore_for_liveness(static_cast<int>(watches), static_cast<int>(timers));
}

ZEND_METHOD(Stampede_LoopControl, hold) {
    zend_long more;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(more)
    ZEND_PARSE_PARAMETERS_END();
    Runtime::get().loop().announce_jobs(static_cast<int>(more));
}

ZEND_METHOD(Stampede_LoopControl, hasWork) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(Runtime::get().loop().has_work());
}

ZEND_METHOD(Stampede_LoopControl, onSignal) {
    zend_long number;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(number)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    auto* call = new SignalCall();
    call->on_signal = on_signal;
    call->start.owner = call;
    call->start.run = start;
    bool possible = number > 0 && number <= 64;
    if (!possible || io::listen_to_signal(static_cast<int>(number), *call)) {
        delete call;
        RETURN_FALSE;
    }
    call->callable = zend::Callable::hold(fci, fcc);
    calls.insert(++last_id, call);
    RETURN_LONG(last_id);
}

ZEND_METHOD(Stampede_LoopControl, offSignal) {
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    SignalCall* call = calls.find(id);
    if (call == nullptr) {
        RETURN_FALSE;
    }
    remove(id, call);
    RETURN_TRUE;
}

ZEND_METHOD(Stampede_LoopControl, keepForSignal) {
    zend_long id;
    bool keep;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(id)
        Z_PARAM_BOOL(keep)
    ZEND_PARSE_PARAMETERS_END();
    SignalCall* call = calls.find(id);
    if (call == nullptr) {
        RETURN_FALSE;
    }
    io::keep_loop(*call, keep);
    RETURN_TRUE;
}

namespace stampede::ext {

zend_result loop_control_minit(int, int) {
    register_class_Stampede_LoopControl();
    Runtime::on_fork(remove_all);
    Runtime::on_fork(forget_ignored);
    return SUCCESS;
}

zend_result loop_control_rshutdown(int, int) {
    if (!CG(unclean_shutdown)) {
        remove_all();
    }
    calls.clear();
    ignored = 0;
    forget_ignored();
    return SUCCESS;
}

}  // namespace stampede::ext
