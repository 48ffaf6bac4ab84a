/* The load: CONNECTIONS that each send SIZE bytes, wait until they are back, and send again, for SECONDS. Prints the number of
 * messages that came back; exit status 1 when one came back wrong or a connection ended.
 * usage: load PORT CONNECTIONS SIZE SECONDS */
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
#include <time.h>
#include <unistd.h>

enum { kMost = 1024 };

struct connection {
    int fd;
    size_t missing; /* of the message that is on its way */
};

static char message[65536], answer[65536];
static size_t size;

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void send_message(struct connection *connection) {
    if (send(connection->fd, message, size, MSG_NOSIGNAL) != (ssize_t)size) {
        fail("send");
    }
    connection->missing = size;
}

static void dial(struct connection *connection, int port, int epoll) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    int on = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection->fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fail("connect");
    }
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    epoll_ctl(epoll, EPOLL_CTL_ADD, connection->fd, &event);
}

/* 1 when the message is whole. */
static int receive(struct connection *connection) {
    ssize_t count = recv(connection->fd, answer, connection->missing, 0);
    if (count <= 0) {
        fail("recv");
    }
    if (memcmp(answer, message + size - connection->missing, (size_t)count) != 0) {
        errno = EBADMSG;
        fail("answer");
    }
    connection->missing -= (size_t)count;
    return connection->missing == 0;
}

int main(int words, char **word) {
    static struct connection connections[kMost];
    static struct epoll_event events[kMost];
    if (words != 5) {
        fprintf(stderr, "usage: load PORT CONNECTIONS SIZE SECONDS\n");
        return 2;
    }
    int count = atoi(word[2]);
    int epoll = epoll_create1(0);
    long messages = 0;
    size = (size_t)atoi(word[3]);
    for (size_t i = 0; i < size; i++) {
        message[i] = (char)('a' + i % 26);
    }
    for (int i = 0; i < count; i++) {
        dial(&connections[i], atoi(word[1]), epoll);
    }
    double end = now() + atof(word[4]);
    for (int i = 0; i < count; i++) {
        send_message(&connections[i]);
    }
    while (now() < end) {
        int ready = epoll_wait(epoll, events, kMost, 1000);
        if (ready == 0) {
            errno = ETIMEDOUT;
            fail("no answer");
        }
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (receive(connection)) {
                messages++;
                send_message(connection);
            }
        }
    }
    printf("%ld\n", messages);
    return 0;
}
