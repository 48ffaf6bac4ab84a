// What the log says of a connection whose peer takes nothing more. Loop thread, never parks.
#pragma once

#include "net/connection.h"

namespace stampede::server {

// It is about to be closed with bytes that are lost.
void log_stall(const net::Connection& connection);
// So is one whose response has room neither in memory nor on the disk.
void log_no_room(const net::Connection& connection);

}  // namespace stampede::server
