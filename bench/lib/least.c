/* The least that a server of one page can do: it receives until a request's head has ended and sends the bytes of a file, the response's head included. One thread, nothing
 * parsed. usage: least PORT FILE one|many
 *
 * "one": one connection after another, without epoll. "many": connections side by side; a client that asks for it is closed after its response. */
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

enum { ROOM = 65536, END = 4, EVENTS = 256, WAITING = 1024 };

static char response[ROOM];
static size_t size;
static char received[ROOM];

static void read_response(const char* path) {
    FILE* file = fopen(path, "rb");
    size = file != NULL ? fread(response, 1, sizeof(response), file) : 0;
    if (size == 0 || size == sizeof(response)) {
        fprintf(stderr, "%s has no response of less than %d bytes.\n", path, ROOM);
        exit(1);
    }
    fclose(file);
}

static int is_complete(size_t have) { return have >= END && memcmp(received + have - END, "\r\n\r\n", END) == 0; }

static int respond(int fd) { return send(fd, response, size, MSG_NOSIGNAL) == (ssize_t)size; }

/* One request after another until the client closes: a client that does not pipeline sends nothing after a head's end. */
static void serve_one(int fd) {
    size_t have = 0;
    ssize_t got;
    while (have < sizeof(received) && (got = recv(fd, received + have, sizeof(received) - have, 0)) > 0) {
        have += (size_t)got;
        if (is_complete(have)) {
            have = 0;
            if (!respond(fd)) {
                return;
            }
        }
    }
}

/* A part of a head is dropped: its end comes with the rest. */
static int serve_next(int fd) {
    ssize_t got = recv(fd, received, sizeof(received), 0);
    return got > 0 && (!is_complete((size_t)got) || (respond(fd) && memmem(received, (size_t)got, "Connection: close", 17) == NULL));
}

static int accepted(int door) {
    int on = 1;
    int fd = accept(door, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

static void watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static void serve_many(int door) {
    static struct epoll_event events[EVENTS];
    int epoll = epoll_create1(0);
    watch(epoll, door);
    for (int count; (count = epoll_wait(epoll, events, EVENTS, -1)) > 0;) {
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == door) {
                watch(epoll, accepted(door));
            } else if (!serve_next(fd)) {
                close(fd);
            }
        }
    }
    perror("epoll_wait");
}

static void serve_in_turn(int door) {
    for (int fd; (fd = accepted(door)) >= 0; close(fd)) {
        serve_one(fd);
    }
    perror("accept");
}

int main(int argc, char** argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s PORT FILE one|many\n", argv[0]);
        return 1;
    }
    read_response(argv[2]);
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1])), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int door = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(door, (struct sockaddr*)&address, sizeof(address)) != 0 || listen(door, WAITING) != 0) {
        perror("listen");
        return 1;
    }
    if (strcmp(argv[3], "many") == 0) {
        serve_many(door);
    } else {
        serve_in_turn(door);
    }
    return 1;
}
