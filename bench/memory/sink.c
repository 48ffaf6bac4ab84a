/* The least that a server of uploads must do: receives requests with a length, reads their bodies into one buffer, answers each.
 * One thread, epoll, nothing parsed but the length. usage: sink PORT */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 65536, EVENTS = 256, DESCRIPTORS = 65536 };

static char bytes[ROOM + 1];
static struct {
    char head[4096];
    size_t have; /* of the head */
    long left;   /* of the body; -1: the head is not complete */
} connections[DESCRIPTORS];

static const char kResponse[] = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Type: text/html\r\n\r\n102400";

static int respond(int fd) {
    connections[fd].have = 0;
    connections[fd].left = -1;
    return send(fd, kResponse, sizeof(kResponse) - 1, MSG_NOSIGNAL) > 0 ? 0 : -1;
}

/* Takes what has come; -1 when the connection is of no use any more. */
static int take(int fd, char* data, size_t size) {
    while (size > 0) {
        if (connections[fd].left < 0) {
            size_t before = connections[fd].have;
            size_t taken = size < sizeof(connections[fd].head) - 1 - before ? size : sizeof(connections[fd].head) - 1 - before;
            memcpy(connections[fd].head + before, data, taken);
            connections[fd].head[before + taken] = 0;
            char* end = strstr(connections[fd].head, "\r\n\r\n");
            if (end == NULL) {
                connections[fd].have = before + taken;
                return taken == size ? 0 : -1;
            }
            char* length = strcasestr(connections[fd].head, "content-length:");
            connections[fd].left = length != NULL ? atol(length + 15) : 0;
            size_t used = (size_t)(end + 4 - connections[fd].head) - before;
            data += used;
            size -= used;
        }
        long body = (long)size < connections[fd].left ? (long)size : connections[fd].left;
        connections[fd].left -= body;
        data += body;
        size -= (size_t)body;
        if (connections[fd].left == 0 && respond(fd) < 0) {
            return -1;
        }
    }
    return 0;
}

int main(int argc, char** argv) {
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argc > 1 ? argv[1] : "0")), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int door = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(door, (struct sockaddr*)&address, sizeof(address)) != 0 || listen(door, 4096) != 0) {
        perror("listen");
        return 1;
    }
    int poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = door}}, events[EVENTS];
    epoll_ctl(poller, EPOLL_CTL_ADD, door, &event);
    for (;;) {
        int count = epoll_wait(poller, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == door) {
                while ((fd = accept4(door, NULL, NULL, SOCK_NONBLOCK)) >= 0 && fd < DESCRIPTORS) {
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
                    connections[fd].have = 0;
                    connections[fd].left = -1;
                    event = (struct epoll_event){.events = EPOLLIN | EPOLLET, .data = {.fd = fd}};
                    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
                }
                continue;
            }
            ssize_t got;
            do {
                got = recv(fd, bytes, ROOM, 0);
                if (got == 0 || (got > 0 && take(fd, bytes, (size_t)got) < 0)) {
                    close(fd);
                    break;
                }
            } while (got == ROOM);
        }
    }
}
