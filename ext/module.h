// The table of subsystems that make up the extension: each row's functions are called at the usual
// four points of a PHP module's life. Owned by the process, used on the PHP thread, never parks.
#pragma once

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

// As in zend/php.h: the C++ library before PHP's macros.
#include <cstdio>
#include <string>

#include "php.h"

#define STAMPEDE_VERSION "0.1.0"
#define STAMPEDE_API_VERSION "6.2.1"
#define STAMPEDE_API_VERSION_ID 60201

namespace stampede::ext {

// `module_number` is that of the module `swoole`, which owns all constants, ini entries, functions
// and classes of that API.
using LifecycleStep = zend_result (*)(int type, int module_number);

struct Subsystem {
    const char* name;
    LifecycleStep minit;      // once per process: classes, constants, handlers
    LifecycleStep rinit;      // before each script
    LifecycleStep rshutdown;  // after each script, in reverse order
    LifecycleStep mshutdown;  // end of the process, in reverse order
};

// Servers run where a script owns its process (cli, phpdbg, embed, micro); elsewhere their
// constructors refuse.
bool sapi_allowed();

}  // namespace stampede::ext
