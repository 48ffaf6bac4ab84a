// Connections of clients with SWOOLE_KEEP, between one client and the next of the same name. One
// pool a process, PHP thread, never parks.
#pragma once

#include <string_view>

namespace stampede::classes {

struct KeptConnection {
    int fd = -1;
    long uses = 0;
};

// One that was kept under the name and has not ended since; fd is -1 when there is none.
KeptConnection take_kept_connection(std::string_view name);
// Closes it when too many are there already.
void keep_connection(std::string_view name, KeptConnection connection);
void close_kept_connections();

}  // namespace stampede::classes
