// Values of PHP on their way to another process: a string as it is, everything else serialized. PHP
// thread, outside of dispatches: both ways run code of the application's classes.
#pragma once

#include <string_view>

#include "zend/php.h"

namespace stampede::classes {

struct PackedValue {
    zend_string* bytes = nullptr;
    bool serialized = false;

    PackedValue() = default;
    ~PackedValue();
    PackedValue(const PackedValue&) = delete;
    PackedValue& operator=(const PackedValue&) = delete;
    std::string_view view() const { return {ZSTR_VAL(bytes), ZSTR_LEN(bytes)}; }
};

// The most that one message carries.
inline constexpr size_t kMostPacked = 64u << 20;

// False with an exception under way, or with a warning when it is too large.
bool pack_value(zval* value, PackedValue& out);
// False when the bytes are no serialized value; out is null then.
bool unpack_value(std::string_view bytes, bool serialized, zval* out);

}  // namespace stampede::classes
