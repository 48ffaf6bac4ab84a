/* The reference: a bare epoll echo server, one thread, edge-triggered, a recv and a send for each message.
 * usage: echo PORT */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kBatch = 512, kRead = 65536 };

static char bytes[kRead];

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
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

/* A short read has emptied the socket. */
static void echo(int fd) {
    ssize_t count;
    do {
        count = recv(fd, bytes, sizeof(bytes), 0);
        if (count > 0 && send(fd, bytes, (size_t)count, MSG_NOSIGNAL) != count) {
            count = 0;
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
                echo(events[i].data.fd);
            }
        }
    }
}
