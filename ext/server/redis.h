// What speaks the protocol of Redis: requests become calls of the function of their command, and
// what that returns is sent. PHP thread.
#pragma once

#include <string>
#include <string_view>

#include "ext/server/event_job.h"
#include "ext/server/state.h"

namespace stampede::classes {

inline constexpr size_t kLongestRedisCommand = 64;

// What the client sent as it is shown back to it: cut, and without what would end the line.
std::string shown_redis_text(std::string_view command);
// As functions are kept by it.
std::string redis_command_name(std::string_view text);
zend::Callable* redis_function(ServerState& state, std::string_view command);

// The function of the request's command, and its arguments (the connection, the other strings);
// null when there is none, and the client has been told so.
zend::Callable* fill_redis_call(zend_long fd, const zend_string* request,
                                EventArguments& arguments);
void send_redis_response(zend_long fd, zval* value);

}  // namespace stampede::classes
