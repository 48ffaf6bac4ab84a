// The exception that is under way, for code that may not look into the engine's globals. PHP
// thread, never parks.
#pragma once

#include <string>

#include "zend/php.h"

namespace stampede::zend {

// Null when there is none.
zend_object* pending_exception();
void drop_exception();
// Takes it away and returns its report (class, message, trace); the caller owns the string.
zend_string* take_exception_report();

// "Class: message in file:line".
std::string describe_exception(zend_object* exception);
// "message in file:line" of the last error, such as a fatal one.
std::string describe_last_error();

// To where error_log() writes, when PHP's errors are logged at all.
void write_error_log(const std::string& text);

}  // namespace stampede::zend
