// Calls of databases, Redis and HTTP clients that PHP code is told of, for traces. The functions in
// the table stand behind one of ours for the life of the process; as long as nobody observes, that
// costs the test of a flag. PHP thread; parks where the calls themselves do, and where the observer
// does.
#pragma once

#include "zend/php.h"

namespace stampede::hooks {

// When the module starts, once.
void stand_before_observed_calls();

// Closures, see Stampede\observe_calls(). Null: nothing is observed any more.
void observe_calls(zval* begin, zval* end);

// Calls the closure as if it were an observed function of this name.
void call_observed(zend_string* name, zend_object* object, zval* closure, zval* return_value);

}  // namespace stampede::hooks
