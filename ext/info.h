// What `php --ri` and phpinfo() print for the two modules. PHP thread, never parks.
#pragma once

#include "module.h"

namespace stampede::ext {

void print_info(zend_module_entry* module);
void print_api_info(zend_module_entry* module);

}  // namespace stampede::ext
