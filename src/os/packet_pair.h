// Two connected sockets that keep the bounds of what is sent through them, and may be written by
// several processes. Thin calls, errno left set. Any thread, never wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace stampede::os {

Error packet_pair(int ends[2]);
bool send_packet(int fd, std::string_view packet);
// Its size, 0 or less when there is none.
int64_t receive_packet(int fd, char* out, size_t capacity);

}  // namespace stampede::os
