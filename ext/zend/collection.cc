#include "zend/collection.h"

#include <utility>

namespace stampede::zend {

namespace {

// gc_collect_cycles is a variable of the engine through which it and gc_collect_cycles() of PHP
// start each collection. A collection does not change EG(current_execute_data): a frame that frees
// objects in one is the same that was there before, and so tells nothing of it. That is why the
// place is kept here.
int (*collect)();  // the engine's; null while ours is not there

// Where the collection began. A destructor may park, and others run meanwhile, in frames of their
// own: the frame is what keeps them apart, since the flag is one for the process. One that ended by
// a fatal error leaves this as it is; until the next collection a frame at the same address then
// counts as one that collects, and an end in it is deferred for nothing. Collections do not nest:
// the engine refuses a second one while GC_G(gc_active) is set.
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

CollectionCounts collection_counts() {
    zend_gc_status status;
    zend_gc_get_status(&status);
    return {status.runs, status.collected};
}

}  // namespace stampede::zend
