// The API's "last error" of this process: a number that swoole_last_error() shows until the next
// one or a clear. One per process, PHP thread, never parks. Only ext/classes and ext/runtime set
// it: the core has no such thing.
#pragma once

namespace stampede::zend {

int last_error();
void set_last_error(int code);

// Codes that swoole_ignore_error() took out of the log.
bool is_ignored_error(int code);
void ignore_error(int code);

// The text of one of the API's own codes (SWOOLE_ERROR_*), nullptr when the code is none of them.
const char* api_error_text(int code);

}  // namespace stampede::zend
