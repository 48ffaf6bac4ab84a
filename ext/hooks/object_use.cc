#include "hooks/object_use.h"

#include <vector>

namespace stampede::hooks {

namespace {

using runtime::Fiber;
using runtime::Runtime;

struct ObjectUse {
    const zend_object* object;
    int64_t cid;
};

// A fatal error inside of a call leaves its line here; its coroutine is not found any more.
std::vector<ObjectUse> uses;

Fiber* holder_of(const zend_object* object) {
    Runtime* runtime = Runtime::peek();
    for (const ObjectUse& use : uses) {
        if (use.object == object) {
            return runtime != nullptr ? runtime->find(use.cid) : nullptr;
        }
    }
    return nullptr;
}

}  // namespace

bool is_held(const zend_object* object, Bound what, const char* wanting) {
    if (EXPECTED(uses.empty()) || object == nullptr) {
        return false;
    }
    Fiber* holder = holder_of(object);
    if (holder == nullptr || holder == Runtime::peek()->current()) {
        return false;
    }
    throw_bound(what, *holder, "waiting for an answer", wanting);
    return true;
}

bool begin_object_use(const zend_object* object) {
    Runtime* runtime = Runtime::peek();
    if (object == nullptr || runtime == nullptr || runtime->current() == nullptr ||
        holder_of(object) != nullptr) {
        return false;
    }
    end_object_use(object);  // of what a fatal error has left
    uses.push_back({object, runtime->current_cid()});
    return true;
}

void end_object_use(const zend_object* object) {
    std::erase_if(uses, [=](const ObjectUse& use) { return use.object == object; });
}

void forget_object_uses() { uses.clear(); }

}  // namespace stampede::hooks
