// The engine's collections of cycles, which may begin in the middle of any function: what they free
// is no work of that function. Threads: PHP thread; never parks by itself.
#pragma once

#include <cstdint>

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

// Of the process so far.
struct CollectionCounts {
    uint64_t runs = 0;
    uint64_t collected = 0;
};
CollectionCounts collection_counts();

}  // namespace stampede::zend
