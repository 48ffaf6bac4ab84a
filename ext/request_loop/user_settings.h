// Settings of php.ini that hold for a folder or a host, and those of .user.ini: PHP leaves them to
// its web servers. PHP thread, while a request starts.
#pragma once

#include "request_loop/request.h"

namespace stampede::request_loop {

void activate_user_settings(const Request& request);

}  // namespace stampede::request_loop
