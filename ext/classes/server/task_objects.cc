#include "classes/server/task_objects.h"

#include "ext/server/inbox.h"
#include "ext/server/packing.h"
#include "os/process.h"
#include "stubs/server_task_arginfo.h"
#include "subsystems.h"
#include "zend/throw.h"

namespace stampede::classes {

zend_class_entry* server_task_class;

namespace {

zend_class_entry* task_result_class;
zend_class_entry* pipe_message_class;
zend_class_entry* status_info_class;
zend_object_handlers task_handlers;

zend_object* create_task(zend_class_entry* ce) {
    return zend::create_object<TaskObject>(ce, &task_handlers);
}

// Nobody can finish it any more: the caller that waits need not wait for its time, and the function
// for its result can go.
void free_task(zend_object* object) {
    auto& self = zend::from_object<TaskObject>(object);
    ServerState* state = running_server();
    if (self.open && (self.head.flags & (kTaskWaited | kTaskCallback)) != 0 && state != nullptr) {
        send_loss(*state, self.head);
    }
    zend_object_std_dtor(object);
}

void set_long(zval* object, std::string_view name, zend_long value) {
    zend_update_property_long(Z_OBJCE_P(object), Z_OBJ_P(object), name.data(), name.size(), value);
}

void set_double(zval* object, std::string_view name, double value) {
    zend_update_property_double(Z_OBJCE_P(object), Z_OBJ_P(object), name.data(), name.size(),
                                value);
}

void set_value(zval* object, std::string_view name, zval* value) {
    zend_update_property(Z_OBJCE_P(object), Z_OBJ_P(object), name.data(), name.size(), value);
}

// What Task::pack() makes: a mark, and whether the value is serialized.
constexpr std::string_view kPackMark = "stampede-task:";
constexpr char kPackedText = 't';
constexpr char kPackedValue = 'v';

}  // namespace

// The references to the data are the object's from now on.
void make_task_object(const TaskHead& head, zval* data, zval* out) {
    object_init_ex(out, server_task_class);
    auto& self = zend::from_object<TaskObject>(Z_OBJ_P(out));
    self.head = head;
    self.open = (head.flags & kTaskNoReply) == 0;
    set_value(out, "data", data);
    set_double(out, "dispatch_time", head.dispatched_at);
    set_long(out, "id", head.id);
    set_long(out, "worker_id", head.worker);
    set_long(out, "flags", head.flags & kShownTaskFlags);
    zval_ptr_dtor(data);
}

void make_task_result(const TaskResultHead& head, zval* data, zval* out) {
    object_init_ex(out, task_result_class);
    set_long(out, "task_id", head.id);
    set_long(out, "task_worker_id", head.task_worker);
    set_double(out, "dispatch_time", head.dispatched_at);
    set_value(out, "data", data);
    zval_ptr_dtor(data);
}

void make_pipe_message(zend_long source, double dispatched_at, zval* data, zval* out) {
    object_init_ex(out, pipe_message_class);
    set_long(out, "source_worker_id", source);
    set_long(out, "worker_id", source);
    set_double(out, "dispatch_time", dispatched_at);
    set_value(out, "data", data);
    zval_ptr_dtor(data);
}

void make_status_info(zend_long worker, const os::ChildExit& how, zval* out) {
    object_init_ex(out, status_info_class);
    set_long(out, "worker_id", worker);
    set_long(out, "worker_pid", how.pid);
    set_long(out, "status", how.signal != 0 ? how.signal : how.code << 8);
    set_long(out, "exit_code", how.code);
    set_long(out, "signal", how.signal);
}

zend_result server_tasks_minit(int, int) {
    server_task_class = register_class_Swoole_Server_Task();
    server_task_class->create_object = create_task;
    server_task_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<TaskObject>(task_handlers, free_task);
    task_result_class = register_class_Swoole_Server_TaskResult();
    pipe_message_class = register_class_Swoole_Server_PipeMessage();
    status_info_class = register_class_Swoole_Server_StatusInfo();
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Server_Task, finish) {
    zval* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(data)
    ZEND_PARSE_PARAMETERS_END();

    auto& self = zend::from_this<TaskObject>(ZEND_THIS);
    ServerState* state = running_server();
    if (state == nullptr || self.head.pid == 0) {
        zend::warning("this task was not given by a server");
        RETURN_FALSE;
    }
    bool sent = send_result(*state, self.head, data);
    self.open = self.open && !sent;
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Server_Task, pack) {
    zval* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(data)
    ZEND_PARSE_PARAMETERS_END();

    PackedValue packed;
    if (!pack_value(data, packed)) {
        if (!zend::exception_pending()) {
            RETURN_FALSE;
        }
        RETURN_THROWS();
    }
    char kind = packed.serialized ? kPackedValue : kPackedText;
    RETURN_STR(zend_string_concat3(kPackMark.data(), kPackMark.size(), &kind, 1,
                                   ZSTR_VAL(packed.bytes), ZSTR_LEN(packed.bytes)));
}

ZEND_METHOD(Swoole_Server_Task, unpack) {
    zend_string* text;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(text)
    ZEND_PARSE_PARAMETERS_END();

    std::string_view bytes(ZSTR_VAL(text), ZSTR_LEN(text));
    char kind = bytes.size() > kPackMark.size() ? bytes[kPackMark.size()] : '\0';
    if (!bytes.starts_with(kPackMark) || (kind != kPackedText && kind != kPackedValue)) {
        zend::warning("this is not what Swoole\\Server\\Task::pack() has made");
        RETURN_FALSE;
    }
    bytes.remove_prefix(kPackMark.size() + 1);
    if (!unpack_value(bytes, kind == kPackedValue, return_value) && !zend::exception_pending()) {
        zval_ptr_dtor(return_value);
        RETURN_FALSE;
    }
}
