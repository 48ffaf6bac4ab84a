// Objects of other extensions inside of whose calls a coroutine waits, where a library below them
// would be changed under that call: another coroutine is refused. One table per process, PHP
// thread, never parks.
#pragma once

#include "io/bound.h"
#include "zend/php.h"

namespace stampede::hooks {

// True, with an exception, when another coroutine is inside of a call of this object.
bool is_held(const zend_object* object, io::Bound what, const char* wanting);
// The current coroutine is, until end_object_use(). False where there is none, or where it is
// inside already: then the end is not this call's to say. A fatal error in between needs no end.
bool begin_object_use(const zend_object* object);
void end_object_use(const zend_object* object);
void forget_object_uses();  // of a script

}  // namespace stampede::hooks
