// Sockets: addresses, listening, accepting, moving bytes. Thin calls, errno -> Error. Any thread,
// never parks.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <cstdint>
#include <string>

#include "base/error.h"
#include "os/fd.h"

namespace stampede::os {

// An IPv4, IPv6 or unix address.
struct Address {
    sockaddr_storage storage{};
    socklen_t length = 0;

    int family() const { return storage.ss_family; }
    uint16_t port() const;
    // Numeric host, or the path of a unix socket.
    std::string host() const;
    // Of this machine, where handshakes take no time.
    bool is_local() const;
    // Writes the numeric host into out (at least 108 bytes) and returns its length.
    size_t format_host(char* out) const;
};

Result<Address> parse_ipv4(const char* host, uint16_t port);
Result<Address> parse_ipv6(const char* host, uint16_t port);
Result<Address> parse_unix(const char* path);

struct ListenOptions {
    int backlog = 512;
    bool reuse_port = false;
    int defer_accept = 0;  // seconds, 0 = off
    bool fast_open = false;
    int send_buffer = 0;  // bytes, 0 = the kernel's choice
    int receive_buffer = 0;
    unsigned unix_mode = 0;  // of the file of a unix socket, 0 = by the umask
};

// A non-blocking, close-on-exec listening stream socket. A stale unix socket file is removed first.
// Its TCP connections have TCP_NODELAY: they inherit it, which saves a call for each.
Result<int> listen_stream(const Address& address, const ListenOptions& options);
// Changes the options of one that listens already: those who wait to be accepted stay.
Error listen_again(int fd, const ListenOptions& options);
// The same of a datagram socket, bound.
Result<int> open_datagram_port(const Address& address, const ListenOptions& options);
Result<int> accept_stream(int listen_fd, Address& peer);
// Of length 0, with errno, when there is none.
Address local_address(int fd);
Address peer_address(int fd);

void set_nodelay(int fd, bool on = true);
bool has_nodelay(int fd);
bool is_listening(int fd);
struct KeepaliveOptions {
    int idle_seconds = 0;
    int interval_seconds = 0;
    int count = 0;
};
void set_keepalive(int fd, const KeepaliveOptions& options);
void set_user_timeout(int fd, int millis);
// Bytes of the peer wait to be read.
bool has_unread(int fd);
// Something that was sent has not been acknowledged by the peer's system yet.
bool awaits_acknowledgement(int fd);
// For all processes that have this listener: clients that begin to connect are left waiting (of a
// unix socket: refused), those whose connections are there or about to be can still be accepted.
void stop_new_connections(int fd);
// Refuses everybody from now on, and resets those that have not been accepted.
void stop_listening(int fd);
// The peer has ended its side of the connection; what it sent before may still be unread.
bool peer_has_ended(int fd);
// close() then sends a reset instead of a FIN.
void set_reset_on_close(int fd);
void shutdown_write(int fd);
// The kernel can encrypt what is sent on TCP connections (kTLS). Asking loads its module, where
// that is allowed.
bool kernel_has_tls();

// -1 with errno otherwise; EINTR is repeated. Never raises SIGPIPE. The first two also take what is
// no socket (where a broken pipe raises it).
long receive(int fd, char* out, size_t capacity);
// What is there stays there. 0: the peer has ended.
long peek(int fd, char* out, size_t capacity);
long send_bytes(int fd, const char* data, size_t size);
long send_vector(int fd, const iovec* parts, int count);
// What does not fill a packet waits for the next call, which must come at once.
long send_held(int fd, const iovec* parts, int count);
long send_file(int socket, int file, off_t& offset, size_t count);

}  // namespace stampede::os
