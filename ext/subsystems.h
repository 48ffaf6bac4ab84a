// The steps named in the table of ext/module.cc, one line per subsystem. PHP thread, never parks.
#pragma once

#include "module.h"

namespace stampede::ext {

zend_result ini_minit(int type, int module_number);
zend_result ini_mshutdown(int type, int module_number);

}  // namespace stampede::ext
