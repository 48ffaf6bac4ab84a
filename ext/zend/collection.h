// The engine's collections of cycles, which may begin in the middle of any function: what they free
// is no work of that function. Threads: PHP thread; never parks by itself.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// When the module starts and when it goes.
void watch_collections();
void leave_collections();

// Whether a collection is what the C code is in. Not so in a destructor of the script that one
// calls.
bool in_collection();
// The same for code that waits in this frame.
bool in_collection(const zend_execute_data* frame);

}  // namespace stampede::zend
