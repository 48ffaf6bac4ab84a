// The name of the SAPI, in all its places.
#include "request_loop/identity.h"

#include "SAPI.h"
#include "ext/pcre/php_pcre.h"
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

// On the command line PHP forgets compiled patterns after each request. Its constructor has decided
// that by the name before us, so it decides again. What php.ini has set since stays.
void keep_patterns() {
    auto* pcre = static_cast<zend_module_entry*>(
        zend_hash_str_find_ptr(&module_registry, ZEND_STRL("pcre")));
    if (pcre == nullptr || pcre->globals_ctor == nullptr) {
        return;
    }
    zend_pcre_globals before = pcre_globals;
    pcre->globals_ctor(&pcre_globals);
    HashTable kept = pcre_globals.pcre_cache;
    bool per_request = pcre_globals.per_request_cache;
    pcre_globals = before;
    pcre_globals.pcre_cache = kept;
    pcre_globals.per_request_cache = per_request;
}

}  // namespace

void take_identity(const char* name) {
    zend_string* lasting = zend_new_interned_string(zend_string_init(name, strlen(name), true));
    sapi_module.name = ZSTR_VAL(lasting);
    name_constant(lasting);
    keep_patterns();
}

}  // namespace stampede::request_loop
