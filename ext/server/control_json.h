// JSON of the control socket's responses. PHP thread, never parks.
#pragma once

#include <string>
#include <string_view>

#include "zend/php.h"

namespace stampede::classes {

// Of arrays of plain values: no object's own code may run here. Frees the value.
std::string to_json(zval* value);
void add_text(zval* array, const char* name, std::string_view text);
std::string error_json(const std::string& text);
// {"name": VALUE}
std::string wrap(const char* name, zval* value);

}  // namespace stampede::classes
