// A look at the engine's list of live objects, for the debugging functions of the API.
// State of the engine, PHP thread, never parks.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// Appends every live object to the array.
void append_live_objects(zval* array);
// Adds 1 to the entry of its class for every live object.
void count_live_objects(zval* by_class);
// nullptr when no live object has that handle.
zend_object* find_object(uint32_t handle);
uint32_t live_object_count();
uint32_t live_resource_count();

}  // namespace stampede::zend
