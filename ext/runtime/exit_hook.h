// exit() and die() in a coroutine or a server become Swoole\ExitException; elsewhere they stay
// PHP's own. Installed once per process, PHP thread, never parks.
#pragma once

namespace stampede::runtime {

void install_exit_hook();
void remove_exit_hook();

}  // namespace stampede::runtime
