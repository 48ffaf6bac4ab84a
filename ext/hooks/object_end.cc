#include "hooks/object_end.h"

#include <cstring>

#include "zend/caller.h"
#include "zend/collection.h"

namespace stampede::hooks {

// The innermost frame says it: drivers are called by methods of their own, and the engine frees
// objects with the frame of whatever made it do so.
bool in_end_of_object() {
    const zend_module_entry* module = zend::calling_module();
    if (module == nullptr || zend::in_collection()) {
        return true;  // PHP code, or none: neither calls a driver by itself
    }
    for (const char* driver : {"PDO", "pdo_mysql", "mysqli", "pdo_pgsql", "pgsql"}) {
        if (std::strcmp(module->name, driver) == 0) {
            return false;
        }
    }
    return true;
}

}  // namespace stampede::hooks
