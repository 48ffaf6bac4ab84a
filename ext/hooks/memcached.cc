// Memcached objects in which a coroutine waits. libmemcached moves its list of servers when one is
// added and forgets a half-read reply when it is asked for another: another coroutine is refused
// before it comes to that. What only looks is not. PHP thread.
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hooks/object_use.h"
#include "hooks/hooks.h"
#include "zend/view.h"
#include "zend/wrapped_function.h"

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

// $this is held by the frame of the call. A fatal error in the method leaves the note, see
// object_use.cc.
void guarded(INTERNAL_FUNCTION_PARAMETERS) {
    const zend_string* name = EX(func)->common.function_name;
    const zend_object* object = Z_TYPE(EX(This)) == IS_OBJECT ? Z_OBJ(EX(This)) : nullptr;
    if (is_held(object, {"The connection of a Memcached object", "object"}, ZSTR_VAL(name))) {
        return;
    }
    bool notes = begin_object_use(object);
    originals()[std::string(zend::view(name))](INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (notes) {
        end_object_use(object);
    }
}

}  // namespace

// Only methods that the class declares itself: an inherited entry is another class's function, or a
// copy.
void guard_memcached() {
    zend::each_internal_function(zend::methods_of("memcached"), [](zend_internal_function& method) {
        std::string_view name = zend::view(method.function_name);
        if (std::string_view(ZSTR_VAL(method.scope->name)) == "Memcached" && !only_looks(name)) {
            originals().emplace(name, zend::displace(method, guarded));
        }
    });
}

}  // namespace stampede::hooks
