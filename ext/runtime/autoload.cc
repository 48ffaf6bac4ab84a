// The engine marks a class as being loaded and takes a second request for it as a recursion, which
// finds nothing: "class not found" in the second of two coroutines that need it while its file is
// being read. So the second coroutine waits here until the first one's autoloaders have returned.
//
//   first coroutine      Load in `loads`, autoloaders run (and may park)
//   other coroutines     wait in its list; afterwards they look into the class table
//   the first is killed  forget_loads_of() wakes them: the class is not there for them
#include "runtime/autoload.h"

#include "runtime/runtime.h"

namespace stampede::runtime {

// While it is not 0 every switch puts the engine's list of names aside (see side.h): each coroutine
// has to itself which classes it is loading. A fatal error inside of an autoloader leaves it too
// high, and the name of the class in the list. The switches that then put the list aside for ever
// keep that name with the main side, where it ended up, and away from the coroutines that go on: to
// them the class is not being loaded.
uintptr_t classes_under_way = 0;

namespace {

using Autoload = zend_class_entry* (*)(zend_string* name, zend_string* lc_name);

// One class that is being loaded; on the heap, since a fatal error may leave it behind.
struct Load : ListNode {
    zend_string* lc_name;
    int64_t cid;
    List<Fiber::WaitNode> waiters;
};

Autoload previous;
List<Load> loads;

Load* find_load(zend_string* lc_name) {
    for (Load* load = loads.front(); load != nullptr; load = loads.after(*load)) {
        if (zend_string_equals(load->lc_name, lc_name)) {
            return load;
        }
    }
    return nullptr;
}

void finish(Load* load) {
    load->unlink();
    while (Fiber::WaitNode* node = load->waiters.pop_front()) {
        Runtime::get().wake(*node->fiber, WakeReason::kReady);
    }
    zend_string_release(load->lc_name);
    delete load;
}

// Without a time limit: the load ends with its coroutine at the latest. Two classes that load each
// other in two coroutines would wait for ever; the deadlock report names them.
// `load` is gone when the wait has ended, whatever has ended it: its coroutine has gone on. lc_name
// is the caller's. Null, without an exception, is what the engine takes for "there is no such
// class".
zend_class_entry* wait_for(Load& load, zend_string* lc_name) {
    Runtime& runtime = Runtime::get();
    load.waiters.push_back(runtime.current()->wait);
    runtime.park_for(kNever);
    return static_cast<zend_class_entry*>(zend_hash_find_ptr(EG(class_table), lc_name));
}

zend_class_entry* call_autoloaders(zend_string* name, zend_string* lc_name) {
    classes_under_way++;
    zend_class_entry* ce = previous(name, lc_name);
    classes_under_way--;
    return ce;
}

// `load` is found again by its address after the autoloaders have run, possibly in many turns of
// the loop: only its own coroutine, and forget_loads_of() for that one, end it.
zend_class_entry* load_class(zend_string* name, zend_string* lc_name) {
    Runtime* runtime = Runtime::peek();
    Fiber* self = runtime != nullptr ? runtime->current() : nullptr;
    if (self == nullptr) {
        return call_autoloaders(name, lc_name);
    }
    Load* under_way = find_load(lc_name);
    if (under_way != nullptr && runtime->can_park()) {
        return wait_for(*under_way, lc_name);
    }
    auto* load = new Load();
    load->lc_name = zend_string_copy(lc_name);
    load->cid = self->cid;
    loads.push_back(*load);
    zend_class_entry* ce = call_autoloaders(name, lc_name);
    finish(load);
    return ce;
}

}  // namespace

void install_autoload_hook() {
    previous = zend_autoload;
    if (previous != nullptr) {
        zend_autoload = load_class;
    }
}

void remove_autoload_hook() {
    if (zend_autoload == load_class) {
        zend_autoload = previous;
    }
}

void forget_loads_of(int64_t cid) {
    for (Load* load = loads.front(); load != nullptr;) {
        Load* next = loads.after(*load);
        if (load->cid == cid) {
            finish(load);
        }
        load = next;
    }
}

}  // namespace stampede::runtime
