// What the server needs of the classes above it: their objects, and what only they can do. The one
// place where it calls upwards; ext/classes fills the table when the module starts. PHP thread.
#pragma once

#include <string_view>

#include "ext/server/request_options.h"
#include "ext/server/tasks.h"
#include "os/socket.h"
#include "proto/ws/reader.h"
#include "server/exchange.h"

namespace stampede::classes {

struct ObjectFunctions {
    // Swoole\Http\Request and Response of an exchange. The caller owns the reference.
    zend_object* (*make_request)(server::Exchange& exchange, const RequestOptions& options);
    zend_object* (*make_response)(server::Exchange& exchange);
    void (*plan_body)(server::Exchange& exchange, const RequestOptions& options);
    // The handler left by exit(): what its Response has is sent.
    void (*end_response)(zend_object* response);
    // Of a Response that is given to the event beforeHandshakeResponse.
    bool (*has_exchange)(zend_object* response);
    server::FieldList (*handshake_fields)(zend_object* response);
    void (*let_go)(zend_object* response);
    // The numbers of the ports by index, for `server_port`.
    void (*set_request_ports)(const RequestPort* ports, uint32_t count);

    // New objects of events, into out; the references to data are theirs from now on.
    void (*make_frame)(const proto::ws::ReadEvent& event, zend_long fd, zval* out);
    void (*make_event)(zend_long fd, zend_long reactor, zend_string* data, zval* out);
    void (*fill_packet)(ServerState& state, uint32_t port_index, const os::Address& peer,
                        zend_string* data, zval* out);
    void (*make_task_object)(const TaskHead& head, zval* data, zval* out);
    // It has its result, so that none is lost when the object goes.
    void (*close_task)(zend_object* task);
    void (*make_task_result)(const TaskResultHead& head, zval* data, zval* out);
    void (*make_pipe_message)(zend_long source, double dispatched_at, zval* data, zval* out);
    void (*make_status_info)(zend_long worker, const os::ChildExit& how, zval* out);

    // The port's state is about to go: methods of its object warn and return from now on.
    void (*detach_port)(zend_object* port);
    // Swoole\Process objects of addProcess(). run_process() ends the script.
    void (*show_process_id)(zend_object* process, pid_t pid);
    void (*run_process)(zend_object* process);

    // Coroutine::set(), and what timers the script has.
    void (*set_coroutine_options)(zend_array* options);
    void (*clear_timers)();
};

extern ObjectFunctions objects;

}  // namespace stampede::classes
