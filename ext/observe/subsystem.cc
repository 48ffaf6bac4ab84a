// When the process starts, when a script ends, when the process ends.
#include "ext/observe/growth.h"
#include "ext/observe/profiler.h"
#include "subsystems.h"

namespace stampede::ext {

zend_result observe_minit(int, int) {
    observe::install_profiler();
    return SUCCESS;
}

zend_result observe_rshutdown(int, int) {
    observe::end_profile();
    observe::forget_growth_answer();
    return SUCCESS;
}

zend_result observe_mshutdown(int, int) {
    observe::remove_profiler();
    return SUCCESS;
}

}  // namespace stampede::ext
