// Swoole\Process: the child's life.
#include <csignal>

#include <cerrno>
#include <utility>

#include "classes/coroutine/coroutine.h"
#include "classes/process/process_object.h"
#include "hooks/hooks.h"
#include "os/child_process.h"
#include "os/fd.h"
#include "runtime/task_end.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/object_guards.h"
#include "zend/process_end.h"
#include "zend/process_state.h"
#include "zend/throw.h"

#include "stubs/process_arginfo.h"

namespace stampede::classes {

using runtime::Runtime;

zend_class_entry* process_class;

namespace {

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) {
    zend_object* object = zend::create_object<ProcessObject>(ce, &handlers);
    auto& self = zend::from_object<ProcessObject>(object);
    self.callback = zend::Callable::none();
    ZVAL_UNDEF(&self.socket);
    return object;
}

void destroy(zend_object* object) {
    auto& self = zend::from_object<ProcessObject>(object);
    zval_ptr_dtor(&self.socket);
    if (self.callback) {
        self.callback.release();
    }
    for (int fd : self.pipes) {
        os::close_fd(fd);
    }
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    auto& self = zend::from_object<ProcessObject>(object);
    zend::GcRoots roots;
    roots.add(&self.socket);
    roots.add(self.callback);
    return roots.with_properties(object, table, count);
}

bool open_pipes(ProcessObject& self, zend_long type) {
    if (type == 0) {
        return true;
    }
    if (Error error = os::open_unix_pair(static_cast<int>(type), self.pipes)) {
        zend::throw_error(zend::error_classes.exception, error.code(),
                          "the pipe of the process cannot be made: %s",
                          strerror(static_cast<int>(error.code())));
        return false;
    }
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kPipeSlot), self.pipes[0]);
    return true;
}

// Whether what the function has left on the loop is waited for: not after exit() or an exception
// that nobody caught, nor in a worker of a server that the function has started, which is on its
// way out.
bool call_in_child(ProcessObject& self, zval* object) {
    zend::Callable callable = self.callback;
    if (self.in_coroutine) {
        callable.fci.param_count = 1;
        callable.fci.params = object;
        spawn_call(callable.fci, callable.fcc);
        return true;
    }
    return runtime::settle(zend::call(callable, 1, object, nullptr)) == runtime::Outcome::kReturned;
}

}  // namespace

void run_process(ProcessObject& self) {
    zend::reseed();
    zend::leave_after_request();
    self.is_child = true;
    self.side = 1;
    os::close_fd(self.pipes[0]);
    self.pipes[0] = -1;
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kPidSlot), os::own_pid());
    if (self.pipe() >= 0) {
        ZVAL_LONG(OBJ_PROP_NUM(&self.std, kPipeSlot), self.pipe());
    }
    if (self.redirect && os::replace_standard_streams(self.pipe())) {
        zend::warning("the standard streams cannot be replaced by the pipe");
    }
    zval object;
    ZVAL_OBJ_COPY(&object, &self.std);
    bool loops = call_in_child(self, &object);
    Runtime* runtime = Runtime::peek();
    if (loops && runtime != nullptr && !zend::exception_pending()) {
        run_loop(*runtime);
    }
    zval_ptr_dtor(&object);
    if (!zend::exception_pending()) {
        zend::leave_script(zend::exit_status());
    }
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Process, __construct) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    bool redirect = false;
    zend_long pipe_type = 2;
    bool in_coroutine = false;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(redirect)
        Z_PARAM_LONG(pipe_type)
        Z_PARAM_BOOL(in_coroutine)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ProcessObject>(ZEND_THIS);
    if (self.callback) {
        zend_release_fcall_info_cache(&fcc);
        zend::throw_error(zend::error_classes.error, 0,
                          "the constructor of a process can be called once only");
        RETURN_THROWS();
    }
    self.callback = zend::Callable::hold(fci, fcc);
    ZVAL_COPY(OBJ_PROP_NUM(&self.std, kCallbackSlot), &self.callback.fci.function_name);
    static zend_long made;
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kIdSlot), ++made);
    self.redirect = redirect;
    self.in_coroutine = in_coroutine;
    if (pipe_type < 0 || pipe_type > 2) {
        zend_argument_value_error(3, "must be 0, SOCK_STREAM or SOCK_DGRAM");
        RETURN_THROWS();
    }
    open_pipes(self, redirect ? 1 : pipe_type);
}

ZEND_METHOD(Swoole_Process, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Process, set) {
    HashTable* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(settings)
    ZEND_PARSE_PARAMETERS_END();
    if (zval* value = zend_hash_str_find(settings, ZEND_STRL("enable_coroutine"))) {
        zend::from_this<ProcessObject>(ZEND_THIS).in_coroutine = zend_is_true(value);
    }
}

ZEND_METHOD(Swoole_Process, start) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ProcessObject>(ZEND_THIS);
    if (!self.callback) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        RETURN_THROWS();
    }
    if (self.started) {
        zend::warning("process has already been started");
        RETURN_FALSE;
    }
    Runtime* runtime = Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        zend::throw_error(zend::error_classes.error, EOPNOTSUPP,
                          "must be forked outside the coroutine");
        RETURN_THROWS();
    }
    self.started = true;
    // One child alone is better off without: it may never run a coroutine.
    static bool has_forked;
    if (std::exchange(has_forked, true)) {
        hooks::redirect_for_children(hooks::kAll);
    }
    Result<pid_t> child = os::fork_process();
    if (!child) {
        self.started = false;
        zend::warning("fork() failed: %s", strerror(static_cast<int>(child.error().code())));
        RETURN_FALSE;
    }
    if (*child == 0) {
        run_process(self);
        RETURN_THROWS();
    }
    os::close_fd(self.pipes[1]);
    self.pipes[1] = -1;
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kPidSlot), *child);
    RETURN_LONG(*child);
}

ZEND_METHOD(Swoole_Process, exit) {
    zend_long code = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
    ZEND_PARSE_PARAMETERS_END();
    if (!zend::from_this<ProcessObject>(ZEND_THIS).is_child) {
        zend::warning("not current process");
        return;
    }
    if (code < 0 || code >= 256) {
        zend::warning("exit code should be between 0 and 255");
        code = 1;
    }
    if (Runtime* runtime = Runtime::peek()) {
        runtime->stop();
    }
    zend::leave_script(static_cast<int>(code));
}

ZEND_METHOD(Swoole_Process, exec) {
    zend_string* file;
    HashTable* arguments;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_PATH_STR(file)
        Z_PARAM_ARRAY_HT(arguments)
    ZEND_PARSE_PARAMETERS_END();
    uint32_t count = zend_hash_num_elements(arguments);
    auto** texts = static_cast<char**>(safe_emalloc(count + 2, sizeof(char*), 0));
    uint32_t used = 0;
    texts[used++] = ZSTR_VAL(file);
    zval* value;
    ZEND_HASH_FOREACH_VAL(arguments, value) {
        if (!try_convert_to_string(value)) {
            efree(texts);
            RETURN_THROWS();
        }
        texts[used++] = Z_STRVAL_P(value);
    }
    ZEND_HASH_FOREACH_END();
    texts[used] = nullptr;
    Error error = os::replace_program(ZSTR_VAL(file), texts);
    efree(texts);
    zend::warning("execv(%s) failed: %s", ZSTR_VAL(file), strerror(static_cast<int>(error.code())));
    RETURN_FALSE;
}

ZEND_METHOD(Swoole_Process, name) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    zend::set_process_title(name, return_value);
}

namespace stampede::ext {

zend_result process_minit(int, int) {
    process_class = register_class_Swoole_Process();
    process_class->create_object = create;
    process_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<ProcessObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    zend::alias_class(process_class, "swoole_process");
    return SUCCESS;
}

}  // namespace stampede::ext
