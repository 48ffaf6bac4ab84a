// Stampede\object_counts().
#include "subsystems.h"
#include "zend/object_store.h"

#include "stubs/object_counts_arginfo.h"

using namespace stampede;

ZEND_FUNCTION(Stampede_object_counts) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    zend::count_live_objects(return_value);
}

namespace stampede::ext {

zend_result object_counts_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
