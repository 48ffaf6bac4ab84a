// Swoole\Server\Task, and the objects that events are given instead of their values. make_* gives a
// new one to out. PHP thread, never parks.
#pragma once

#include "ext/server/tasks.h"
#include "zend/object.h"

namespace stampede::classes {

struct TaskObject {
    TaskHead head{};
    bool open = false;  // it may still be finished
    zend_object std;
};
extern zend_class_entry* server_task_class;
void make_task_object(const TaskHead& head, zval* data, zval* out);
void make_task_result(const TaskResultHead& head, zval* data, zval* out);
void make_pipe_message(zend_long source, double dispatched_at, zval* data, zval* out);
void make_status_info(zend_long worker, const os::ChildExit& how, zval* out);

}  // namespace stampede::classes
