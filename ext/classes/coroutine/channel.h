// A channel's inside, for the classes that are made of one. Owned by its PHP object, PHP thread;
// push and pop may park.
#pragma once

#include "runtime/runtime.h"
#include "zend/php.h"

namespace stampede::classes {

extern zend_class_entry* channel_class;

}  // namespace stampede::classes
