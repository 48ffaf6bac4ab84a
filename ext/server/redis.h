// Swoole\Redis\Server: requests become calls of the function of their command, and what that
// returns is sent. PHP thread.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

extern zend_class_entry* redis_server_class;

// The function of the request's command, and its arguments (the connection, the other strings);
// null when there is none, and the client has been told so.
zend::Callable* fill_redis_call(zend_long fd, const zend_string* request, zval* arguments);
void send_redis_response(zend_long fd, zval* value);

zend_result redis_server_minit(int type, int module_number);

}  // namespace stampede::classes
