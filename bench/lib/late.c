/* Connections whose clients say nothing at first. usage: late PORT CONNECTIONS DELAY_MICROSECONDS SECONDS
 * So many connections are open at a time. Each sends one request DELAY after it is connected, reads the response to its end and gives way to the next one. A connection's
 * time is from connect() to the end of the response, without the delay. DELAY -1: the connections are opened one after another, as many as CONNECTIONS, and say nothing.
 * Prints one line of JSON. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, MOST_TIMES = 1 << 22 };
static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

struct client {
    int fd;
    uint64_t began, speaks_at;
    struct client *next; /* that speaks after this one */
    uint64_t received;
};

static struct sockaddr_in address;
static int poller;
static uint64_t delay;
static struct client *first, *last; /* of those that are to speak: the delay is the same for all */
static uint32_t *times;             /* microseconds */
static size_t done, failed;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void begin(struct client *client) {
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    client->began = now();
    client->received = 0;
    if (connect(client->fd, (struct sockaddr *)&address, sizeof(address)) != 0 && errno != EINPROGRESS) {
        perror("connect");
        exit(1);
    }
    struct epoll_event event = {.events = EPOLLOUT, .data.ptr = client};
    epoll_ctl(poller, EPOLL_CTL_ADD, client->fd, &event);
}

static void connected(struct client *client) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    epoll_ctl(poller, EPOLL_CTL_MOD, client->fd, &event);
    client->speaks_at = now() + delay;
    client->next = NULL;
    if (last != NULL) {
        last->next = client;
    } else {
        first = client;
    }
    last = client;
}

static void speak(uint64_t time) {
    while (first != NULL && first->speaks_at <= time) {
        struct client *client = first;
        first = client->next;
        last = first == NULL ? NULL : last;
        client->speaks_at = 0;
        if (send(client->fd, request, sizeof(request) - 1, MSG_NOSIGNAL) != sizeof(request) - 1) {
            failed++;
        }
    }
}

static void ended(struct client *client) {
    uint64_t took = now() - client->began;
    close(client->fd);
    if (client->received == 0) {
        failed++;
    } else if (done < MOST_TIMES) {
        times[done++] = (uint32_t)((took > delay ? took - delay : 0) / 1000);
    }
    begin(client);
}

static void handle(struct client *client, uint32_t events) {
    static char bytes[65536];
    if (events & EPOLLOUT) {
        connected(client);
        return;
    }
    ssize_t got;
    while ((got = recv(client->fd, bytes, sizeof(bytes), 0)) > 0) {
        client->received += (uint64_t)got;
    }
    if (got == 0 || errno != EAGAIN) {
        if (client->speaks_at != 0) {
            fprintf(stderr, "the server closed a connection before its client spoke\n");
            exit(1);
        }
        ended(client);
    }
}

static int compare(const void *a, const void *b) { return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : *(const uint32_t *)a > *(const uint32_t *)b; }

static int silent(size_t count) {
    uint64_t start = now();
    for (size_t i = 0; i < count; i++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
            perror("connect");
            return 1;
        }
    }
    double seconds = (double)(now() - start) / 1e9;
    printf("{\"connections\":%zu,\"rate\":%.1f,\"p50\":0,\"p99\":0,\"failed\":0}\n", count, (double)count / seconds);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: late PORT CONNECTIONS DELAY_MICROSECONDS SECONDS\n");
        return 2;
    }
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    size_t count = strtoul(argv[2], NULL, 10);
    if (atoi(argv[3]) < 0) {
        return silent(count);
    }
    delay = strtoull(argv[3], NULL, 10) * 1000;
    poller = epoll_create1(EPOLL_CLOEXEC);
    times = malloc(sizeof(*times) * MOST_TIMES);
    struct client *clients = calloc(count, sizeof(*clients));
    uint64_t start = now(), end = start + (uint64_t)(atof(argv[4]) * 1e9), time;
    for (size_t i = 0; i < count; i++) {
        begin(&clients[i]);
    }
    while ((time = now()) < end) {
        speak(time);
        struct timespec wait = {0, 1000000};
        if (first != NULL) {
            uint64_t left = first->speaks_at > time ? first->speaks_at - time : 0;
            wait.tv_nsec = (long)(left < 1000000 ? left : 1000000);
        }
        struct epoll_event events[EVENTS];
        int found = epoll_pwait2(poller, events, EVENTS, &wait, NULL);
        for (int i = 0; i < found; i++) {
            handle(events[i].data.ptr, events[i].events);
        }
    }
    double seconds = (double)(now() - start) / 1e9;
    qsort(times, done, sizeof(*times), compare);
    printf("{\"connections\":%zu,\"rate\":%.1f,\"p50\":%u,\"p99\":%u,\"failed\":%zu}\n", done, (double)done / seconds, done > 0 ? times[done / 2] : 0, done > 0 ? times[done * 99 / 100] : 0, failed);
    return 0;
}
