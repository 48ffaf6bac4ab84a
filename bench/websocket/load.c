/* The load: CONNECTIONS WebSockets. Mode "echo": each sends a text of SIZE bytes, waits until it is back, and sends again, for SECONDS.
 * Mode "broadcast": the first one does, and everybody gets what it sent. Mode "idle": all are opened and kept until the input ends.
 * Prints the number of messages that came; exit status 1 when one was wrong or a connection ended.
 * usage: load MODE PORT CONNECTIONS SIZE SECONDS [EXTENSIONS] */
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

enum { kMost = 20000, kBatch = 1024 };

struct connection {
    int fd;
    size_t missing; /* of the frame that is on its way */
};

static unsigned char message[1 << 20], expected[1 << 20], answer[1 << 20];
static size_t message_size, expected_size;
static int compressed;
static const char *extensions = "";

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t put_head(unsigned char *to, size_t size, unsigned char masked) {
    size_t head = size < 126 ? 2 : size < 65536 ? 4 : 10;
    to[0] = 0x81;
    to[1] = (unsigned char)(masked | (size < 126 ? size : head == 4 ? 126 : 127));
    for (size_t i = 2; i < head; i++) {
        to[i] = (unsigned char)(size >> (8 * (head - 1 - i)));
    }
    return head;
}

static void make_message(size_t size) {
    static const unsigned char mask[4] = {0x11, 0x22, 0x33, 0x44};
    size_t head = put_head(message, size, 0x80);
    memcpy(message + head, mask, 4);
    expected_size = put_head(expected, size, 0);
    for (size_t i = 0; i < size; i++) {
        expected[expected_size + i] = (unsigned char)('a' + i % 26);
        message[head + 4 + i] = (unsigned char)(expected[expected_size + i] ^ mask[i & 3]);
    }
    message_size = head + 4 + size;
    expected_size += size;
}

static void send_message(struct connection *connection) {
    if (send(connection->fd, message, message_size, MSG_NOSIGNAL) != (ssize_t)message_size) {
        fail("send");
    }
}

static void dial(struct connection *connection, int port, int number) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = 10};
    char text[1024];
    int on = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)number / 10000);
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection->fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fail("connect");
    }
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(connection->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    int size = snprintf(text, sizeof(text),
                        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s%s%s\r\n",
                        *extensions ? "Sec-WebSocket-Extensions: " : "", extensions, *extensions ? "\r\n" : "");
    if (send(connection->fd, text, (size_t)size, MSG_NOSIGNAL) != size) {
        fail("send");
    }
    size_t have = 0;
    while (have < 4 || memcmp(text + have - 4, "\r\n\r\n", 4) != 0) {
        if (have == sizeof(text) || recv(connection->fd, text + have, 1, 0) != 1) {
            fail("handshake");
        }
        have++;
    }
    if (memcmp(text, "HTTP/1.1 101", 12) != 0) {
        errno = EBADMSG;
        fail("handshake");
    }
    connection->missing = expected_size;
}

/* 1 when the frame is whole; of compressed ones the size of the first tells that of the others. */
static int receive(struct connection *connection) {
    ssize_t count = recv(connection->fd, answer, compressed ? sizeof(answer) : connection->missing, 0);
    if (count <= 0) {
        fail("recv");
    }
    if (compressed) {
        if (answer[0] != 0xc1 || answer[1] > 125 || count != answer[1] + 2) {
            errno = EBADMSG;
            fail("compressed answer");
        }
        return 1;
    }
    if (memcmp(answer, expected + expected_size - connection->missing, (size_t)count) != 0) {
        errno = EBADMSG;
        fail("answer");
    }
    connection->missing -= (size_t)count;
    if (connection->missing > 0) {
        return 0;
    }
    connection->missing = expected_size;
    return 1;
}

int main(int words, char **word) {
    static struct connection connections[kMost];
    static struct epoll_event events[kBatch];
    if (words < 6) {
        fprintf(stderr, "usage: load MODE PORT CONNECTIONS SIZE SECONDS [EXTENSIONS]\n");
        return 2;
    }
    int broadcast = word[1][0] == 'b', idle = word[1][0] == 'i';
    int count = atoi(word[3]) < kMost ? atoi(word[3]) : kMost;
    int epoll = epoll_create1(0);
    extensions = words > 6 ? word[6] : "";
    compressed = *extensions != 0;
    make_message((size_t)atoi(word[4]));
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
        dial(&connections[i], atoi(word[2]), i);
        epoll_ctl(epoll, EPOLL_CTL_ADD, connections[i].fd, &event);
    }
    if (idle) {
        printf("%d\n", count);
        fflush(stdout);
        return getchar() == EOF ? 0 : 0;
    }
    long messages = 0, round = 0;
    double end = now() + atof(word[5]);
    for (int i = 0; i < (broadcast ? 1 : count); i++) {
        send_message(&connections[i]);
    }
    while (now() < end) {
        int ready = epoll_wait(epoll, events, kBatch, 5000);
        if (ready == 0) {
            errno = ETIMEDOUT;
            fail("no answer");
        }
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!receive(connection)) {
                continue;
            }
            messages++;
            round = (round + 1) % count;
            if (!broadcast) {
                send_message(connection);
            } else if (round == 0) {
                send_message(&connections[0]);
            }
        }
    }
    printf("%ld\n", messages);
    return 0;
}
