// popen() for functions of ours that PHP code calls in place of PHP's. PHP thread; parks.
#pragma once

#include <cstdio>

namespace stampede::hooks {

// As PHP's own functions call it; their pclose() closes it.
FILE* popen_in_coroutine(const char* command, const char* mode);

}  // namespace stampede::hooks
