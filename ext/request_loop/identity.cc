// The name of the SAPI, in all its places.
#include "request_loop/identity.h"

#include "request_loop/sapi.h"
#include "zend/php.h"

#include "SAPI.h"
#include "ext/pcre/php_pcre.h"

namespace stampede::request_loop {
namespace {

void name_constant(zend_string* name) {
    zval* constant = zend_get_constant_str(ZEND_STRL("PHP_SAPI"));
    if (constant != nullptr) {
        ZVAL_INTERNED_STR(constant, name);
    }
}

// On the command line PHP before 8.4 forgets compiled patterns after each request. Its constructor
// has decided that by the name before us, so it decides again. What php.ini has set since stays.
void keep_patterns(auto& globals) {
    if constexpr (requires { globals.per_request_cache; }) {
        auto* pcre = static_cast<zend_module_entry*>(
            zend_hash_str_find_ptr(&module_registry, ZEND_STRL("pcre")));
        if (pcre == nullptr || pcre->globals_ctor == nullptr) {
            return;
        }
        auto before = globals;
        pcre->globals_ctor(&globals);
        auto renewed = globals;
        globals = before;
        globals.pcre_cache = renewed.pcre_cache;
        globals.per_request_cache = renewed.per_request_cache;
    }
}

}  // namespace

void take_identity(const char* name) {
    zend_string* lasting = zend_new_interned_string(zend_string_init(name, strlen(name), true));
    sapi_module.name = ZSTR_VAL(lasting);
    name_constant(lasting);
    keep_patterns(pcre_globals);
}

}  // namespace stampede::request_loop
