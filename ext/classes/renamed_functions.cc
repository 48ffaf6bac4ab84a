// Functions of the API that are PHP's own under another name. PHP thread; they park where what they
// call does.
#include <string_view>

#include "subsystems.h"
#include "zend/php.h"

#include "stubs/renamed_functions_arginfo.h"

namespace {

// The same arguments, references as such.
void forward(INTERNAL_FUNCTION_PARAMETERS, zend_function* function, zend_class_entry* ce) {
    uint32_t count = ZEND_NUM_ARGS();
    zval* arguments = count > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    HashTable* named = (ZEND_CALL_INFO(execute_data) & ZEND_CALL_HAS_EXTRA_NAMED_PARAMS) != 0
                           ? execute_data->extra_named_params
                           : nullptr;
    zend_call_known_function(function, nullptr, ce, return_value, count, arguments, named);
}

// disable_functions may have taken PHP's own away.
void forward_to_function(INTERNAL_FUNCTION_PARAMETERS, std::string_view name) {
    void* function = zend_hash_str_find_ptr(CG(function_table), name.data(), name.size());
    if (function == nullptr) {
        zend_throw_error(nullptr, "Call to undefined function %s()", name.data());
        RETURN_THROWS();
    }
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, static_cast<zend_function*>(function), nullptr);
}

}  // namespace

#define OWN(function)                                                     \
    ZEND_FUNCTION(swoole_##function) {                                    \
        forward_to_function(INTERNAL_FUNCTION_PARAM_PASSTHRU, #function); \
    }

OWN(checkdnsrr)
OWN(dns_check_record)
OWN(dns_get_mx)
OWN(getmxrr)
OWN(dns_get_record)
OWN(gethostbyaddr)
OWN(gethostbynamel)
OWN(mail)

namespace stampede::ext {

zend_result renamed_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
