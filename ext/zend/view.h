// Strings of PHP as the core takes them. PHP thread, never parks.
#pragma once

#include <string_view>

#include "zend/php.h"

namespace stampede::zend {

inline std::string_view view(const zend_string* text) { return {ZSTR_VAL(text), ZSTR_LEN(text)}; }

}  // namespace stampede::zend
