// Two connected sockets that keep the bounds of what is sent through them, and may be written by
// several processes. Thin calls, errno left set. Any thread, never wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/error.h"
#include "os/fd.h"

namespace stampede::os {

Error packet_pair(int ends[2]);
bool send_packet(int fd, std::string_view packet);
// Its size, 0 or less when there is none.
int64_t receive_packet(int fd, char* out, size_t capacity);
// The beginning of the one that would be received, which stays.
int64_t peek_packet(int fd, char* out, size_t capacity);

// A packet of several parts, and a descriptor that its receiver gets a copy of (-1: none).
bool send_packet(int fd, std::initializer_list<std::string_view> parts, int attached);
// The same with what is attached; empty when that is nothing, or when this process may open no more
// descriptors.
int64_t receive_packet(int fd, char* out, size_t capacity, Fd& attached);

}  // namespace stampede::os
