/* The reference and the load for datagrams.
 * usage: datagrams echo PORT                          one thread: epoll, then recvfrom and sendto until nothing is left; the same
 *                                                     port of TCP says that it is ready
 *        datagrams load PORT SOCKETS SIZE SECONDS     each socket sends a datagram, waits for its echo, and sends again; prints how
 *                                                     many came back; what is lost is sent again after a tenth of a second */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { kMost = 1024, kLargest = 65536 };

static char bytes[kLargest], sent[kLargest];

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct sockaddr_in address_of(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int bound(int type, int port) {
    struct sockaddr_in address = address_of(port);
    int fd = socket(AF_INET, type | SOCK_NONBLOCK, 0);
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fail("bind");
    }
    return fd;
}

static int echo(int port) {
    int epoll = epoll_create1(0);
    int fd = bound(SOCK_DGRAM, port);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    if (listen(bound(SOCK_STREAM, port), 1) != 0) {
        fail("listen");
    }
    for (;;) {
        struct sockaddr_in peer;
        socklen_t size = sizeof(peer);
        ssize_t count;
        epoll_wait(epoll, &event, 1, -1);
        while ((count = recvfrom(fd, bytes, sizeof(bytes), 0, (struct sockaddr *)&peer, &size)) >= 0) {
            sendto(fd, bytes, (size_t)count, 0, (struct sockaddr *)&peer, size);
        }
    }
}

static void send_again(int fd, size_t size) {
    if (send(fd, sent, size, 0) != (ssize_t)size) {
        fail("send");
    }
}

static int load(int port, int count, size_t size, double seconds) {
    static int fds[kMost];
    static struct epoll_event events[kMost];
    struct sockaddr_in address = address_of(port);
    int epoll = epoll_create1(0);
    long messages = 0;
    for (size_t i = 0; i < size; i++) {
        sent[i] = (char)('a' + i % 26);
    }
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        fds[i] = socket(AF_INET, SOCK_DGRAM, 0);
        event.data.fd = fds[i];
        if (connect(fds[i], (struct sockaddr *)&address, sizeof(address)) != 0) {
            fail("connect");
        }
        epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event);
        send_again(fds[i], size);
    }
    double end = now() + seconds;
    int silent = 0;
    while (now() < end) {
        int ready = epoll_wait(epoll, events, kMost, 100);
        silent = ready == 0 ? silent + 1 : 0;
        if (silent > 20) {
            errno = ETIMEDOUT;
            fail("no echo");
        }
        for (int i = 0; ready == 0 && i < count; i++) {
            send_again(fds[i], size);
        }
        for (int i = 0; i < ready; i++) {
            ssize_t got = recv(events[i].data.fd, bytes, sizeof(bytes), 0);
            if (got != (ssize_t)size || memcmp(bytes, sent, size) != 0) {
                errno = EBADMSG;
                fail("echo");
            }
            messages++;
            send_again(events[i].data.fd, size);
        }
    }
    printf("%ld\n", messages);
    return 0;
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "echo") == 0) {
        return echo(atoi(words[2]));
    }
    if (count == 6 && strcmp(words[1], "load") == 0) {
        return load(atoi(words[2]), atoi(words[3]), (size_t)atoi(words[4]), atof(words[5]));
    }
    fprintf(stderr, "usage: datagrams echo PORT | load PORT SOCKETS SIZE SECONDS\n");
    return 2;
}
