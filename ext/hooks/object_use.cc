#include "hooks/object_use.h"

#include <unordered_map>

namespace stampede::hooks {

namespace {

using runtime::Fiber;
using runtime::Runtime;

// The coroutine that is inside of each object, by number. A fatal error inside of a call leaves its
// entry here; that coroutine is not found any more. The address of an object that was freed since
// may be another's: its entry then names a coroutine that has ended, or is the one that began with
// the new object.
std::unordered_map<const zend_object*, int64_t> uses;

Fiber* holder_of(const zend_object* object) {
    Runtime* runtime = Runtime::peek();
    auto use = uses.find(object);
    return use != uses.end() && runtime != nullptr ? runtime->find(use->second) : nullptr;
}

}  // namespace

bool is_held(const zend_object* object, io::Bound what, const char* wanting) {
    if (EXPECTED(uses.empty()) || object == nullptr) {
        return false;
    }
    Fiber* holder = holder_of(object);
    if (holder == nullptr || holder == Runtime::peek()->current()) {
        return false;
    }
    io::throw_bound(what, *holder, "waiting for a reply", wanting);
    return true;
}

bool begin_object_use(const zend_object* object) {
    Runtime* runtime = Runtime::peek();
    if (object == nullptr || runtime == nullptr || runtime->current() == nullptr ||
        holder_of(object) != nullptr) {
        return false;
    }
    uses[object] = runtime->current_cid();
    return true;
}

void end_object_use(const zend_object* object) { uses.erase(object); }

void forget_object_uses() { uses.clear(); }

}  // namespace stampede::hooks
