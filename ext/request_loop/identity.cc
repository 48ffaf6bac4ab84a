// The name of the SAPI, in all its places.
#include "request_loop/identity.h"

#include "SAPI.h"
#include "request_loop/sapi.h"
#include "zend/php.h"

namespace stampede::request_loop {
namespace {

void name_constant(zend_string* name) {
    zval* constant = zend_get_constant_str(ZEND_STRL("PHP_SAPI"));
    if (constant != nullptr) {
        ZVAL_INTERNED_STR(constant, name);
    }
}

}  // namespace

void take_identity(const char* name) {
    zend_string* lasting = zend_new_interned_string(zend_string_init(name, strlen(name), true));
    sapi_module.name = ZSTR_VAL(lasting);
    name_constant(lasting);
}

}  // namespace stampede::request_loop
