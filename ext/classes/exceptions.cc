#include "subsystems.h"
#include "zend/php.h"
#include "zend/throw.h"

#include "stubs/exceptions_arginfo.h"

using namespace stampede;

ZEND_METHOD(Swoole_ExitException, getFlags) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval place;
    zval* flags = zend_read_property(zend::error_classes.exit_exception, Z_OBJ_P(ZEND_THIS),
                                     ZEND_STRL("flags"), 1, &place);
    RETURN_COPY_DEREF(flags);
}

ZEND_METHOD(Swoole_ExitException, getStatus) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval place;
    zval* status = zend_read_property(zend::error_classes.exit_exception, Z_OBJ_P(ZEND_THIS),
                                      ZEND_STRL("status"), 1, &place);
    RETURN_COPY_DEREF(status);
}

namespace stampede::ext {

zend_result exceptions_minit(int, int) {
    zend::error_classes.exception = register_class_Swoole_Exception(zend_ce_exception);
    zend::error_classes.error = register_class_Swoole_Error(zend_ce_error);
    zend::error_classes.exit_exception =
        register_class_Swoole_ExitException(zend::error_classes.exception);
    return SUCCESS;
}

}  // namespace stampede::ext
