// swoole_exec() and swoole_shell_exec(): they are written in PHP (ext/library/stampede/shell.php),
// where a function cannot be loaded when it is first called. PHP thread; they park.
#include "subsystems.h"
#include "zend/php.h"

#include "stubs/shell_functions_arginfo.h"

namespace {

// The same arguments, references as such, to a static method of Stampede\Library\Shell.
void forward(INTERNAL_FUNCTION_PARAMETERS, const char* method) {
    uint32_t count = ZEND_NUM_ARGS();
    zval* arguments = count > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    zend_string* name = zend_string_init(ZEND_STRL("Stampede\\Library\\Shell"), 0);
    zend_class_entry* ce = zend_lookup_class(name);
    zend_string_release(name);
    zend_function* function = ce == nullptr ? nullptr
                                            : static_cast<zend_function*>(zend_hash_str_find_ptr(
                                                  &ce->function_table, method, strlen(method)));
    if (function == nullptr) {
        RETURN_THROWS();
    }
    zend_call_known_function(function, nullptr, ce, return_value, count, arguments, nullptr);
}

}  // namespace

ZEND_FUNCTION(swoole_exec) { forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "exec"); }

ZEND_FUNCTION(swoole_shell_exec) { forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "shellexec"); }

namespace stampede::ext {

zend_result shell_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
