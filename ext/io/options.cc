#include "io/options.h"

namespace stampede::io {

void read_size(HashTable* settings, std::string_view key, size_t& out) {
    zval* value = find_option(settings, key);
    if (value == nullptr) {
        return;
    }
    zend_long number;
    if (Z_TYPE_P(value) == IS_STRING) {
        zend_string* complaint = nullptr;
        number = zend_ini_parse_quantity(Z_STR_P(value), &complaint);
        if (complaint != nullptr) {
            zend_string_release(complaint);
        }
    } else {
        number = zval_get_long(value);
    }
    out = number > 0 ? static_cast<size_t>(number) : 0;
}

}  // namespace stampede::io
