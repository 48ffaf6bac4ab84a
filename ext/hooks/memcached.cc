// Memcached objects in which a coroutine waits. libmemcached moves its list of servers when one is
// added and forgets a half-read reply when it is asked for another: another coroutine is refused
// before it comes to that. What only looks is not. PHP thread.
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hooks/object_use.h"
#include "hooks/hooks.h"

namespace stampede::hooks {

namespace {

// By the name of the method. A closure of one has a copy of its function.
std::unordered_map<std::string, zif_handler>& originals() {
    static auto* all = new std::unordered_map<std::string, zif_handler>();
    return *all;
}

bool only_looks(std::string_view name) {
    for (std::string_view start : {"__", "getOption", "getResult", "getServer", "getLast", "is"}) {
        if (name.starts_with(start)) {
            return true;
        }
    }
    return false;
}

std::string_view name_of(const zend_string* name) { return {ZSTR_VAL(name), ZSTR_LEN(name)}; }

zif_handler original_of(const zend_string* name) {
    auto found = originals().find(std::string(name_of(name)));
    return found->second;
}

// $this is held by the frame of the call. A fatal error in the method leaves the note, see
// object_use.cc.
void guarded(INTERNAL_FUNCTION_PARAMETERS) {
    const zend_string* name = EX(func)->common.function_name;
    const zend_object* object = Z_TYPE(EX(This)) == IS_OBJECT ? Z_OBJ(EX(This)) : nullptr;
    if (is_held(object, {"The connection of a Memcached object", "object"}, ZSTR_VAL(name))) {
        return;
    }
    bool notes = begin_object_use(object);
    original_of(name)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (notes) {
        end_object_use(object);
    }
}

// Only methods that the class declares itself: an inherited entry is another class's function, or a
// copy.
template <typename Visit>
void each_method(Visit visit) {
    auto* ce = static_cast<zend_class_entry*>(
        zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("memcached")));
    if (ce == nullptr) {
        return;
    }
    zval* each;
    ZEND_HASH_FOREACH_VAL(&ce->function_table, each) {
        auto* function = static_cast<zend_function*>(Z_PTR_P(each));
        if (function->type == ZEND_INTERNAL_FUNCTION && function->common.scope == ce &&
            !only_looks(name_of(function->common.function_name))) {
            visit(function->internal_function);
        }
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace

void guard_memcached() {
    each_method([](zend_internal_function& method) {
        originals().emplace(name_of(method.function_name), method.handler);
        method.handler = guarded;
    });
}

void leave_memcached() {
    each_method([](zend_internal_function& method) {
        if (method.handler == guarded) {
            method.handler = original_of(method.function_name);
        }
    });
}

}  // namespace stampede::hooks
