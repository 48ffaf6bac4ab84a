// Swoole\Constant: names of events and settings, nothing else.
#include "module.h"
#include "stubs/constant_arginfo.h"
#include "subsystems.h"

namespace stampede::ext {

zend_result constant_class_minit(int, int) {
    register_class_Swoole_Constant();
    return SUCCESS;
}

}  // namespace stampede::ext
