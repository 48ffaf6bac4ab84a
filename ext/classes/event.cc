#include "classes/event.h"

#include "classes/coroutine/coroutine.h"
#include "hooks/connection_use.h"
#include "hooks/readiness.h"
#include "io/descriptor_state.h"
#include "os/fd.h"
#include "runtime/pending_work.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/event_arginfo.h"
#define ext_functions event_functions
#include "stubs/event_functions_arginfo.h"
#undef ext_functions

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr zend_long kRead = 512;
constexpr zend_long kWrite = 1024;

List<EventWatch> watches;

struct Deferred : loop::Task {
    zend::Callable callable;
};

struct Cycle : loop::IterationHook {
    zend::Callable callable;
};
Cycle cycles[2];  // after and before the events

uint32_t interest_of(const EventWatch& watch) {
    return watch.user_interest | (watch.pending.empty() ? 0 : loop::kWritable);
}

uint32_t interest_from(zend_long events) {
    return ((events & kRead) != 0 ? loop::kReadable : 0) |
           ((events & kWrite) != 0 ? loop::kWritable : 0);
}

void start(const zend::Callable& callable, zval* argument) {
    zend_fcall_info fci = callable.fci;
    zend_fcall_info_cache fcc = callable.fcc;
    fci.param_count = argument != nullptr ? 1 : 0;
    fci.params = argument;
    start_callback(fci, fcc);
}

void destroy(EventWatch* watch) {
    if (watch->on_read) {
        watch->on_read.release();
    }
    if (watch->on_write) {
        watch->on_write.release();
    }
    zval_ptr_dtor(&watch->handle);
    delete watch;
}

void remove(EventWatch* watch) {
    watch->removed = true;
    watch->readable.unlink();
    watch->writable.unlink();
    Runtime::get().loop().unwatch(*watch);
    io::state_of(watch->fd).event = nullptr;
    watch->ListNode::unlink();
    runtime::pending_work.watches--;
    if (watch->starting == 0) {
        destroy(watch);
    }
}

void start_callback(EventWatch* watch, const zend::Callable& callable) {
    if (!callable || Runtime::get().ending()) {
        return;
    }
    watch->starting++;
    zval handle;
    ZVAL_COPY(&handle, &watch->handle);
    start(callable, &handle);
    zval_ptr_dtor(&handle);
    if (--watch->starting == 0 && watch->removed) {
        destroy(watch);
    }
}

void on_readable(loop::Task& task) {
    EventWatch* watch = static_cast<EventWatch::Call&>(task).owner;
    start_callback(watch, watch->on_read);
}

void on_writable(loop::Task& task) {
    EventWatch* watch = static_cast<EventWatch::Call&>(task).owner;
    start_callback(watch, watch->on_write);
}

// Event::write()'s bytes. A watch that exists for them only ends with them.
void flush(EventWatch* watch) {
    while (!watch->pending.empty()) {
        long written = os::write_some(watch->fd, watch->pending.data(), watch->pending.size());
        if (written < 0 && errno == EAGAIN) {
            return;
        }
        if (written < 0) {
            watch->pending.clear();
            break;
        }
        watch->pending.consume(static_cast<size_t>(written));
    }
    if (watch->user_interest == 0) {
        remove(watch);
    } else {
        static_cast<void>(Runtime::get().loop().set_interest(*watch, interest_of(*watch)));
    }
}

void on_ready(loop::Watch& base, uint32_t events) {
    auto& watch = static_cast<EventWatch&>(base);
    loop::Loop& loop = Runtime::peek()->loop();
    bool hangup = (events & loop::kHangup) != 0;
    if (watch.on_read && (hangup || (events & loop::kReadable) != 0) && !watch.readable.linked() &&
        (watch.user_interest & loop::kReadable) != 0) {
        loop.enqueue(watch.readable);
    }
    if (watch.on_write && (hangup || (events & loop::kWritable) != 0) && !watch.writable.linked() &&
        (watch.user_interest & loop::kWritable) != 0) {
        loop.enqueue(watch.writable);
    }
    if (!watch.pending.empty() && (hangup || (events & loop::kWritable) != 0)) {
        flush(&watch);
    }
}

EventWatch* make_watch(int fd, zval* handle) {
    auto* watch = new EventWatch();
    watch->fd = fd;
    watch->on_ready = on_ready;
    watch->readable.owner = watch->writable.owner = watch;
    watch->readable.run = on_readable;
    watch->writable.run = on_writable;
    watch->on_read = watch->on_write = zend::Callable::none();
    ZVAL_COPY(&watch->handle, handle);
    return watch;
}

bool insert(EventWatch* watch) {
    watch->interest = interest_of(*watch);
    bool is_free = !hooks::is_used_by_another(watch->fd) && hooks::stop_watching(watch->fd);
    Error error = is_free ? Runtime::get().loop().watch(*watch) : Error::system(EEXIST);
    if (error) {
        zend::warning("failed to watch fd#%d: %s [%u]", watch->fd,
                      strerror(static_cast<int>(error.code())), error.code());
        destroy(watch);
        return false;
    }
    io::state_of(watch->fd).event = watch;
    watches.push_back(*watch);
    runtime::pending_work.watches++;
    return true;
}

bool is_closed(const zval& handle) {
    return Z_TYPE(handle) == IS_RESOURCE && Z_RES(handle)->type < 0;
}

// A stream that was closed while it was watched: the kernel has forgotten its descriptor, whose
// number may be another's by now.
EventWatch* find_closed(zval* handle) {
    EventWatch* found = nullptr;
    if (is_closed(*handle)) {
        for (EventWatch* watch = watches.front(); watch != nullptr; watch = watches.after(*watch)) {
            if (Z_TYPE(watch->handle) == IS_RESOURCE && Z_RES(watch->handle) == Z_RES_P(handle)) {
                found = watch;
            }
        }
    }
    return found;
}

EventWatch* find_watch(int fd) {
    const io::DescriptorState* state = io::find_state(fd);
    auto* watch = state != nullptr ? static_cast<EventWatch*>(state->event) : nullptr;
    if (watch != nullptr && is_closed(watch->handle)) {
        remove(watch);
        return nullptr;
    }
    return watch;
}

void replace(zend::Callable& held, zend_fcall_info& fci, zend_fcall_info_cache& fcc) {
    if (fci.size == 0) {
        return;
    }
    zend::Callable before = held;
    held = zend::Callable::hold(fci, fcc);
    if (before) {
        before.release();
    }
}

void run_deferred(loop::Task& task) {
    auto* deferred = static_cast<Deferred*>(&task);
    zend::Callable callable = deferred->callable;
    delete deferred;
    if (!Runtime::get().ending()) {
        start(callable, nullptr);
    }
    callable.release();
}

void run_cycle(loop::IterationHook& hook) {
    if (!Runtime::get().ending()) {
        zend::Callable callable = static_cast<Cycle&>(hook).callable;
        start(callable, nullptr);
    }
}

void remove_all() {
    while (EventWatch* watch = watches.front()) {
        remove(watch);
    }
}

bool exit_asked;

}  // namespace

void drop_events_after_exit() {
    if (std::exchange(exit_asked, false)) {
        clear_timers();
        remove_all();
    }
}

int descriptor_of(zval* value) {
    if (Z_TYPE_P(value) == IS_LONG) {
        return static_cast<int>(Z_LVAL_P(value));
    }
    if (Z_TYPE_P(value) == IS_RESOURCE) {
        php_stream* stream = static_cast<php_stream*>(
            zend_fetch_resource2_ex(value, nullptr, php_file_le_stream(), php_file_le_pstream()));
        int fd = -1;
        if (stream != nullptr &&
            php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL,
                            reinterpret_cast<void**>(&fd), 1) == SUCCESS) {
            return fd;
        }
    }
    if (Z_TYPE_P(value) == IS_OBJECT) {
        zend_object* object = Z_OBJ_P(value);
        if (zend_string_equals_literal(object->ce->name, "Socket")) {
            // ext/sockets keeps the descriptor first in its object.
            return *reinterpret_cast<int*>(reinterpret_cast<char*>(object) -
                                           object->handlers->offset);
        }
        zval place;
        zval* fd = zend_read_property(object->ce, object, ZEND_STRL("fd"), 1, &place);
        if (Z_TYPE_P(fd) == IS_LONG) {
            return static_cast<int>(Z_LVAL_P(fd));
        }
    }
    zend::warning("unknown type, a descriptor, stream or socket is needed");
    return -1;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_FUNCTION(swoole_event_add) {
    zval* handle;
    zend_fcall_info read_fci = empty_fcall_info, write_fci = empty_fcall_info;
    zend_fcall_info_cache read_fcc = empty_fcall_info_cache, write_fcc = empty_fcall_info_cache;
    zend_long events = kRead;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_ZVAL(handle)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(read_fci, read_fcc)
        Z_PARAM_FUNC_OR_NULL(write_fci, write_fcc)
        Z_PARAM_LONG(events)
    ZEND_PARSE_PARAMETERS_END();
    if (read_fci.size == 0 && write_fci.size == 0) {
        zend::warning("both read and write callbacks are empty");
        RETURN_FALSE;
    }
    int fd = descriptor_of(handle);
    if (fd < 0) {
        RETURN_FALSE;
    }
    if (((events & kRead) != 0 && read_fci.size == 0) ||
        ((events & kWrite) != 0 && write_fci.size == 0)) {
        zend::warning("a callback is missing for the events asked for");
        RETURN_FALSE;
    }
    if (find_watch(fd) != nullptr) {
        zend::warning("already exist");
        RETURN_FALSE;
    }
    static_cast<void>(os::set_nonblocking(fd));
    EventWatch* watch = make_watch(fd, handle);
    replace(watch->on_read, read_fci, read_fcc);
    replace(watch->on_write, write_fci, write_fcc);
    watch->user_interest = interest_from(events);
    if (!insert(watch)) {
        RETURN_FALSE;
    }
    RETURN_LONG(fd);
}

ZEND_FUNCTION(swoole_event_set) {
    zval* handle;
    zend_fcall_info read_fci = empty_fcall_info, write_fci = empty_fcall_info;
    zend_fcall_info_cache read_fcc = empty_fcall_info_cache, write_fcc = empty_fcall_info_cache;
    zend_long events = 0;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_ZVAL(handle)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(read_fci, read_fcc)
        Z_PARAM_FUNC_OR_NULL(write_fci, write_fcc)
        Z_PARAM_LONG(events)
    ZEND_PARSE_PARAMETERS_END();
    int fd = descriptor_of(handle);
    EventWatch* watch = fd >= 0 ? find_watch(fd) : nullptr;
    if (watch == nullptr) {
        if (fd >= 0) {
            zend::warning("socket[%d] is not found in the reactor", fd);
        }
        RETURN_FALSE;
    }
    replace(watch->on_read, read_fci, read_fcc);
    replace(watch->on_write, write_fci, write_fcc);
    if (((events & kRead) != 0 && !watch->on_read) ||
        ((events & kWrite) != 0 && !watch->on_write)) {
        zend::warning("a callback is missing for the events asked for");
        RETURN_FALSE;
    }
    if (interest_from(events) != 0) {
        watch->user_interest = interest_from(events);
    }
    RETURN_BOOL(!Runtime::get().loop().set_interest(*watch, interest_of(*watch)));
}

ZEND_FUNCTION(swoole_event_del) {
    zval* handle;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(handle)
    ZEND_PARSE_PARAMETERS_END();
    EventWatch* watch = find_closed(handle);
    int fd = watch == nullptr ? descriptor_of(handle) : -1;
    if (watch == nullptr && fd >= 0) {
        watch = find_watch(fd);
    }
    if (watch == nullptr) {
        RETURN_FALSE;
    }
    remove(watch);
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_event_isset) {
    zval* handle;
    zend_long events = kRead | kWrite;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ZVAL(handle)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(events)
    ZEND_PARSE_PARAMETERS_END();
    int fd = descriptor_of(handle);
    EventWatch* watch = fd >= 0 ? find_watch(fd) : nullptr;
    RETURN_BOOL(watch != nullptr && (watch->user_interest & interest_from(events)) != 0);
}

ZEND_FUNCTION(swoole_event_write) {
    zval* handle;
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_ZVAL(handle)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    if (ZSTR_LEN(data) == 0) {
        zend::warning("data empty");
        RETURN_FALSE;
    }
    int fd = descriptor_of(handle);
    if (fd < 0) {
        RETURN_FALSE;
    }
    static_cast<void>(os::set_nonblocking(fd));
    EventWatch* watch = find_watch(fd);
    size_t done = 0;
    if (watch == nullptr || watch->pending.empty()) {
        long written = os::write_some(fd, ZSTR_VAL(data), ZSTR_LEN(data));
        if (written < 0 && errno != EAGAIN) {
            RETURN_FALSE;
        }
        done = written > 0 ? static_cast<size_t>(written) : 0;
    }
    if (done == ZSTR_LEN(data)) {
        RETURN_TRUE;
    }
    EventWatch* owner = watch != nullptr ? watch : make_watch(fd, handle);
    owner->pending.append({ZSTR_VAL(data) + done, ZSTR_LEN(data) - done});
    if (watch == nullptr) {
        RETURN_BOOL(insert(owner));
    }
    RETURN_BOOL(!Runtime::get().loop().set_interest(*watch, interest_of(*watch)));
}

ZEND_FUNCTION(swoole_event_defer) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    auto* deferred = new Deferred();
    deferred->run = run_deferred;
    deferred->callable = zend::Callable::hold(fci, fcc);
    Runtime::get().loop().enqueue(*deferred);
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_event_cycle) {
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc = empty_fcall_info_cache;
    bool before = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(before)
    ZEND_PARSE_PARAMETERS_END();
    Cycle& cycle = cycles[before ? 1 : 0];
    bool was_set = cycle.linked();
    if (fci.size == 0 && !was_set) {
        RETURN_FALSE;
    }
    cycle.unlink();
    if (was_set) {
        cycle.callable.release();
    }
    if (fci.size != 0) {
        cycle.run = run_cycle;
        cycle.callable = zend::Callable::hold(fci, fcc);
        Runtime::get().loop().add_end_of_iteration(cycle);
    }
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_event_dispatch) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Runtime& runtime = Runtime::get();
    if (runtime.current() != nullptr || runtime.running()) {
        RETURN_FALSE;
    }
    runtime.run_iteration();
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_event_wait) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Runtime* runtime = Runtime::peek();
    if (runtime != nullptr && may_run_loop(*runtime)) {
        // In the last event of a process: what that event has started.
        run_made_after(*runtime, runtime->last_cid_before_last_event());
    }
}

ZEND_FUNCTION(swoole_event_exit) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (Runtime* runtime = Runtime::peek()) {
        if (runtime->server_role() == stampede::runtime::ServerRole::kServer) {
            // The loop of a server is not the script's to end: requests are under way on it.
            clear_timers();
            remove_all();
            return;
        }
        runtime->stop();
        exit_asked = runtime->running() || runtime->current() != nullptr;
    }
}

ZEND_FUNCTION(swoole_event_rshutdown) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr || !runtime->script_is_open() || runtime->current() != nullptr ||
        CG(unclean_shutdown)) {
        return;
    }
    // What a server leaves behind (timers, waiting coroutines) ends with it.
    bool was_server = runtime->server_role() == runtime::ServerRole::kServer;
    bool has_condition = find_coroutine_option("exit_condition") != nullptr;
    if (!was_server && !runtime::script_failed() &&
        (runtime->loop().has_work() || runtime->coroutine_count() > 0 || has_condition)) {
        if (runtime->loop().has_work()) {
            zend::deprecated("Event::wait() in shutdown function is deprecated");
        }
        run_loop(*runtime);
    }
    runtime->end_of_script();
}

namespace stampede::ext {

zend_result event_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Event();
    zend::refuse_new(ce);
    zend::alias_class(ce, "swoole_event");
    Runtime::on_fork(remove_all);
    return zend_register_functions(nullptr, event_functions, nullptr, MODULE_PERSISTENT);
}

zend_result event_rshutdown(int, int) {
    if (!CG(unclean_shutdown)) {
        remove_all();
    }
    exit_asked = false;
    for (Cycle& cycle : cycles) {
        if (cycle.linked()) {
            cycle.unlink();
            cycle.callable.release();
        }
    }
    return SUCCESS;
}

}  // namespace stampede::ext
