// swoole_exec() and swoole_shell_exec(): they are written in PHP (ext/library/stampede/shell.php),
// where a function cannot be loaded when it is first called. PHP thread; they park.
#include "subsystems.h"
#include "zend/forward.h"

#include "stubs/shell_functions_arginfo.h"

namespace {

void forward(INTERNAL_FUNCTION_PARAMETERS, const char* method) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU, "Stampede\\Library\\Shell",
                                      method);
}

}  // namespace

ZEND_FUNCTION(swoole_exec) { forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "exec"); }

ZEND_FUNCTION(swoole_shell_exec) { forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "shellexec"); }

namespace stampede::ext {

zend_result shell_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
