// The exception that is under way, for code that may not look into the engine's globals. PHP
// thread, never parks.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// Null when there is none.
zend_object* pending_exception();
void drop_exception();
// Takes it away and returns its report (class, message, trace); the caller owns the string.
zend_string* take_exception_report();

}  // namespace stampede::zend
