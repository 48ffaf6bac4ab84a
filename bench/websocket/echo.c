/* The reference: a bare epoll WebSocket echo, one thread, edge-triggered: it reads, unmasks each frame, and sends it back in a frame of
 * its own. The handshake is answered without a look at the key.
 * usage: echo PORT */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kBatch = 512, kRead = 65536, kFiles = 4096 };

static unsigned char in[kRead + 1], out[kRead];
static char upgraded[kFiles];

static int listen_on(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 1024) != 0) {
        perror("listen");
        exit(1);
    }
    return fd;
}

static void take_connections(int epoll, int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        int on = 1;
        struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = fd};
        if (fd >= kFiles) {
            close(fd);
            continue;
        }
        upgraded[fd] = 0;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

static size_t answer_handshake(int fd) {
    static const char answer[] =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    upgraded[fd] = 1;
    memcpy(out, answer, sizeof(answer) - 1);
    return sizeof(answer) - 1;
}

/* Frames of less than 126 bytes, whole. */
static size_t echo_frames(size_t count) {
    size_t at = 0, used = 0;
    while (count - at >= 6 && count - at >= 6u + (in[at + 1] & 127u)) {
        size_t length = in[at + 1] & 127u;
        const unsigned char *mask = in + at + 2;
        out[used++] = in[at];
        out[used++] = (unsigned char)length;
        for (size_t i = 0; i < length; i++) {
            out[used++] = in[at + 6 + i] ^ mask[i & 3];
        }
        at += 6 + length;
    }
    return used;
}

/* A short read has emptied the socket. */
static void serve(int fd) {
    ssize_t count;
    do {
        count = recv(fd, in, kRead, 0);
        if (count > 0) {
            size_t size = upgraded[fd] ? echo_frames((size_t)count) : answer_handshake(fd);
            if (send(fd, out, size, MSG_NOSIGNAL) != (ssize_t)size) {
                count = 0;
            }
        }
    } while (count == kRead);
    if (count == 0 || (count < 0 && errno != EAGAIN)) {
        close(fd);
    }
}

int main(int count, char **words) {
    static struct epoll_event events[kBatch];
    int epoll = epoll_create1(0);
    int listener = listen_on(count > 1 ? atoi(words[1]) : 9000);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(epoll, events, kBatch, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd == listener) {
                take_connections(epoll, listener);
            } else {
                serve(events[i].data.fd);
            }
        }
    }
}
