// The rest of what a program does with sockets: making, naming and connecting them, datagrams,
// vectors, options. Thin calls over descriptors of any kind; -1 with errno otherwise, EINTR is
// repeated, SIGPIPE never raised. Any thread, never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "os/socket.h"

namespace stampede::os {

struct SocketKind {
    int domain;
    int type;
    int protocol;
};
// Non-blocking, close-on-exec.
Result<int> open_socket(int domain, int type, int protocol);
Error bind_socket(int fd, const Address& address);
Error listen_socket(int fd, int backlog);
// kSystem EINPROGRESS (EAGAIN for unix sockets) while it goes on.
Error connect_socket(int fd, const Address& address);
Error open_socket_pair(const SocketKind& kind, int (&ends)[2]);
// A stream socket that blocks, connected; close-on-exec. For processes without an event loop.
Result<int> connect_blocking(const Address& address);
// What became of a connect that went on: 0 or an errno value. Resets it.
int take_socket_error(int fd);
Error shutdown_socket(int fd, int how);

// Of a socket that somebody else made.
Result<SocketKind> socket_kind(int fd);

long receive_with(int fd, char* out, size_t capacity, int flags);
long send_with(int fd, const char* data, size_t size, int flags);
long receive_from(int fd, char* out, size_t capacity, Address& peer);
long send_to(int fd, const char* data, size_t size, const Address& peer);
long receive_vector(int fd, const iovec* parts, int count);
// The size of the datagram that comes next, without taking it.
long next_datagram_size(int fd);
// From a file at an offset, whatever the descriptor's position.
long read_at(int file, char* out, size_t capacity, uint64_t offset);

Error set_option(int fd, int level, int name, const void* value, size_t size);
Result<socklen_t> get_option(int fd, int level, int name, void* value, size_t capacity);

// Blocks the thread until it is readable (or writable) or the absolute time has come: 1, 0, -1 with
// errno.
enum class PollFor : uint8_t { kReading, kWriting };
int poll_one(int fd, PollFor what, Nanos deadline);

// The first address of a name, by the system's resolver. Blocks the thread.
Result<Address> resolve_blocking(const char* host, int family);

// The number of a network interface, 0 = there is none of that name.
unsigned interface_index(const char* name);
// Its first IPv4 address; false when it has none.
bool interface_address(unsigned index, in_addr& out);
// 0 when no interface has it.
unsigned interface_with(const in_addr& address);

}  // namespace stampede::os
