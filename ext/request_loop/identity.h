// Which web server's PHP this is to the code it runs: PHP_SAPI, php_sapi_name() and the functions
// that come with it. Module start.
#pragma once

namespace stampede::request_loop {

// Before PHP compiles any code, and before opcache starts: both look at the name once.
void take_identity(const char* name);

}  // namespace stampede::request_loop
