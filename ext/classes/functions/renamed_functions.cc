// Functions of the API that are PHP's own under another name. PHP thread; they park where what they
// call does.
#include "subsystems.h"
#include "zend/forward.h"

#include "stubs/renamed_functions_arginfo.h"

#define OWN(function)                                                                     \
    ZEND_FUNCTION(swoole_##function) {                                                    \
        stampede::zend::forward_to_function(INTERNAL_FUNCTION_PARAM_PASSTHRU, #function); \
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
