#include "os/packet_pair.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

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

int64_t peek_packet(int fd, char* out, size_t capacity) {
    return ::recv(fd, out, capacity, MSG_DONTWAIT | MSG_PEEK);
}

bool send_packet(int fd, std::initializer_list<std::string_view> parts, int attached) {
    iovec pieces[4];
    size_t count = 0;
    for (std::string_view part : parts) {
        pieces[count++] = {const_cast<char*>(part.data()), part.size()};
        if (count == 4) {
            break;
        }
    }
    msghdr message{};
    message.msg_iov = pieces;
    message.msg_iovlen = count;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    if (attached >= 0) {
        std::memset(control, 0, sizeof(control));
        message.msg_control = control;
        message.msg_controllen = sizeof(control);
        cmsghdr* head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(head), &attached, sizeof(int));
    }
    return ::sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

int64_t receive_packet(int fd, char* out, size_t capacity, Fd& attached) {
    iovec piece{out, capacity};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    ssize_t size = ::recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size < 0) {
        return size;
    }
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
         head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(head), sizeof(int));
            attached = Fd(number);
        }
    }
    return size;
}

}  // namespace stampede::os
