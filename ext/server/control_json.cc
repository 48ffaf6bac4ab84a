#include "ext/server/control_json.h"

extern "C" {  // this header does not say so itself
#include "ext/json/php_json.h"
}
#include "zend_smart_str.h"

namespace stampede::classes {

std::string to_json(zval* value) {
    smart_str text = {};
    (void)php_json_encode(&text, value,
                          PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE |
                              PHP_JSON_INVALID_UTF8_SUBSTITUTE | PHP_JSON_PARTIAL_OUTPUT_ON_ERROR);
    zval_ptr_dtor(value);
    zend_string* encoded = smart_str_extract(&text);
    std::string out(ZSTR_VAL(encoded), ZSTR_LEN(encoded));
    zend_string_release(encoded);
    return out;
}

void add_text(zval* array, const char* name, std::string_view text) {
    add_assoc_stringl(array, name, text.data(), text.size());
}

std::string error_json(const std::string& text) {
    zval error;
    array_init(&error);
    add_text(&error, "error", text);
    return to_json(&error);
}

std::string wrap(const char* name, zval* value) {
    zval out;
    array_init(&out);
    add_assoc_zval(&out, name, value);
    return to_json(&out);
}

}  // namespace stampede::classes
