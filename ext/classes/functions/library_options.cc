// swoole_library_*_option(s): a plain array of settings that lives as long as the script, and two
// small array helpers.
#include "module.h"
#include "subsystems.h"
#include "zend/php.h"

namespace {

// Null until the first option of this script is set.
zval options;

zval* options_for_writing() {
    if (Z_TYPE(options) != IS_ARRAY) {
        array_init(&options);
    }
    SEPARATE_ARRAY(&options);
    return &options;
}

zval* array_offset(HashTable* array, zval* key) {
    switch (Z_TYPE_P(key)) {
        case IS_STRING:
            return zend_symtable_find(array, Z_STR_P(key));
        case IS_LONG:
            return zend_hash_index_find(array, Z_LVAL_P(key));
        case IS_NULL:
            return zend_hash_find(array, ZSTR_EMPTY_ALLOC());
        default:
            return zend_hash_index_find(array, zval_get_long(key));
    }
}

}  // namespace

ZEND_FUNCTION(swoole_library_set_options) {
    zval* array;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(array)
    ZEND_PARSE_PARAMETERS_END();

    zval old;
    ZVAL_COPY_VALUE(&old, &options);
    ZVAL_COPY(&options, array);
    zval_ptr_dtor(&old);
}

ZEND_FUNCTION(swoole_library_get_options) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (Z_TYPE(options) == IS_ARRAY) {
        RETURN_COPY(&options);
    }
    RETURN_EMPTY_ARRAY();
}

ZEND_FUNCTION(swoole_library_set_option) {
    zend_string* key;
    zval* value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(key)
        Z_PARAM_ZVAL(value)
    ZEND_PARSE_PARAMETERS_END();

    Z_TRY_ADDREF_P(value);
    zend_symtable_update(Z_ARRVAL_P(options_for_writing()), key, value);
}

ZEND_FUNCTION(swoole_library_get_option) {
    zend_string* key;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(key)
    ZEND_PARSE_PARAMETERS_END();

    zval* value =
        Z_TYPE(options) == IS_ARRAY ? zend_symtable_find(Z_ARRVAL(options), key) : nullptr;
    if (value) {
        RETURN_COPY_DEREF(value);
    }
}

ZEND_FUNCTION(swoole_array_default_value) {
    zval *array, *key, *fallback = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_ARRAY(array)
        Z_PARAM_ZVAL(key)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(fallback)
    ZEND_PARSE_PARAMETERS_END();

    zval* value = array_offset(Z_ARRVAL_P(array), key);
    if (value) {
        RETURN_COPY_DEREF(value);
    }
    if (fallback) {
        RETURN_COPY(fallback);
    }
}

namespace stampede::ext {

zend_result library_options_rinit(int, int) {
    ZVAL_NULL(&options);
    return SUCCESS;
}

zend_result library_options_rshutdown(int, int) {
    zval_ptr_dtor(&options);
    ZVAL_NULL(&options);
    return SUCCESS;
}

}  // namespace stampede::ext
