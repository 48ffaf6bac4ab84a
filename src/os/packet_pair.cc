#include "os/packet_pair.h"

#include <sys/socket.h>

namespace stampede::os {

Error packet_pair(int ends[2]) {
    int type = SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC;
    return ::socketpair(AF_UNIX, type, 0, ends) == 0 ? Error() : Error::last_errno();
}

bool send_packet(int fd, std::string_view packet) {
    return ::send(fd, packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

int64_t receive_packet(int fd, char* out, size_t capacity) {
    return ::recv(fd, out, capacity, MSG_DONTWAIT);
}

}  // namespace stampede::os
