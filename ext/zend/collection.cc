#include "zend/collection.h"

#include <utility>

namespace stampede::zend {

namespace {

int (*collect)();  // the engine's; null while ours is not there

// Where the collection began. A destructor may park, and others run meanwhile, in frames of their
// own. One that ended by a fatal error leaves this as it is.
bool collecting;
const zend_execute_data* place;

int collect_watched() {
    bool was_collecting = std::exchange(collecting, true);
    const zend_execute_data* before = std::exchange(place, EG(current_execute_data));
    int count = collect();
    collecting = was_collecting;
    place = before;
    return count;
}

}  // namespace

void watch_collections() {
    if (gc_collect_cycles != collect_watched) {
        collect = gc_collect_cycles;
        gc_collect_cycles = collect_watched;
    }
}

void leave_collections() {
    if (gc_collect_cycles == collect_watched) {
        gc_collect_cycles = collect;
    }
}

bool in_collection() { return in_collection(EG(current_execute_data)); }

bool in_collection(const zend_execute_data* frame) { return collecting && place == frame; }

}  // namespace stampede::zend
