// Class loading by several coroutines at once: the first loads, the others wait for it, instead of
// declaring the class twice. Installed once per process around the engine's autoloader, PHP thread;
// loading may park.
#pragma once

#include <cstdint>

namespace stampede::runtime {

void install_autoload_hook();
void remove_autoload_hook();

// A coroutine ended without coming back from its autoloaders.
void forget_loads_of(int64_t cid);

}  // namespace stampede::runtime
