// Reading the arrays of settings that the API takes: a key that is missing or null leaves the value
// as it is. PHP thread; reading a text or number may warn, and so end the script: `out` must not be
// a local with a destructor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zend/php.h"

namespace stampede::io {

inline zval* find_option(HashTable* settings, std::string_view key) {
    zval* value = zend_hash_str_find(settings, key.data(), key.size());
    if (value != nullptr) {
        ZVAL_DEREF(value);
    }
    return value != nullptr && Z_TYPE_P(value) != IS_NULL ? value : nullptr;
}

inline void read_text(HashTable* settings, std::string_view key, std::string& out) {
    if (zval* value = find_option(settings, key)) {
        zend_string* text = zval_get_string(value);
        out.assign(ZSTR_VAL(text), ZSTR_LEN(text));
        zend_string_release(text);
    }
}

inline void read_flag(HashTable* settings, std::string_view key, bool& out) {
    if (zval* value = find_option(settings, key)) {
        out = zend_is_true(value);
    }
}

inline void read_number(HashTable* settings, std::string_view key, zend_long& out) {
    if (zval* value = find_option(settings, key)) {
        out = zval_get_long(value);
    }
}

inline void read_seconds(HashTable* settings, std::string_view key, double& out) {
    if (zval* value = find_option(settings, key)) {
        out = zval_get_double(value);
    }
}

// Bytes: a number, or a text such as "2097152", "64K", "8M", "1GB". False for anything else.
bool parse_size(zval* value, int64_t& out);
// The same for a text.
bool parse_size(std::string_view text, int64_t& out);
void read_size(HashTable* settings, std::string_view key, size_t& out);

}  // namespace stampede::io
