// What `php --ri` and phpinfo() print for the two modules. PHP thread, never parks.
#pragma once

#include "module.h"

namespace stampede::ext {

void print_info(zend_module_entry* module);
// What a subsystem adds to print_info(), below the first table.
void set_info_of_hooks(void (*print)());
void set_info_of_options(void (*print)());
void print_api_info(zend_module_entry* module);

}  // namespace stampede::ext
