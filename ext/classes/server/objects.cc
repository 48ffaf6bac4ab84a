// Fills the table of what the server needs of the classes.
#include "ext/server/objects.h"

#include "classes/coroutine/coroutine.h"
#include "classes/event.h"
#include "classes/http/request.h"
#include "classes/http/response.h"
#include "classes/process/process_object.h"
#include "classes/server/event_objects.h"
#include "classes/server/server_object.h"
#include "classes/server/task_objects.h"
#include "classes/websocket/frame.h"

namespace stampede::classes {

namespace {

void end_exited_response(zend_object* object) {
    ResponseObject& response = *response_of(object);
    if (response.exchange != nullptr) {
        finish_response(response, 200);
    }
}

bool has_exchange(zend_object* response) { return response_of(response)->exchange != nullptr; }

server::FieldList fields_of(zend_object* response) {
    return handshake_fields(*response_of(response));
}

void let_go_of(zend_object* response) { let_go(*response_of(response)); }

void close_task(zend_object* task) { zend::from_object<TaskObject>(task).open = false; }

void show_process_id(zend_object* process, pid_t pid) {
    ZVAL_LONG(OBJ_PROP_NUM(process, kPidSlot), pid);
}

void run_process_object(zend_object* object) {
    auto& process = zend::from_object<ProcessObject>(object);
    process.started = true;
    run_process(process);
}

}  // namespace

void fill_objects() {
    objects = {
        .make_request = make_request,
        .make_response = make_response,
        .plan_body = plan_body,
        .end_response = end_exited_response,
        .has_exchange = has_exchange,
        .handshake_fields = fields_of,
        .let_go = let_go_of,
        .set_request_ports = set_request_ports,
        .make_frame = make_frame,
        .make_event = make_event,
        .fill_packet = fill_packet,
        .make_task_object = make_task_object,
        .close_task = close_task,
        .make_task_result = make_task_result,
        .make_pipe_message = make_pipe_message,
        .make_status_info = make_status_info,
        .detach_port = detach_port,
        .show_process_id = show_process_id,
        .run_process = run_process_object,
        .set_coroutine_options = set_coroutine_options,
        .clear_timers = clear_timers,
    };
}

}  // namespace stampede::classes
