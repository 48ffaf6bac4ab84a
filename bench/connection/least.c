/* The least that a server of one page over one connection can do: it receives until a request's head has ended and sends the bytes of a file, the response's head included.
 * One thread, one connection after another, nothing parsed. usage: least PORT FILE */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 65536, END = 4 };

static char response[ROOM];
static char received[ROOM];

static size_t response_of(const char* path) {
    FILE* file = fopen(path, "rb");
    size_t size = file != NULL ? fread(response, 1, sizeof(response), file) : 0;
    if (size == 0 || size == sizeof(response)) {
        fprintf(stderr, "%s has no response of less than %d bytes.\n", path, ROOM);
        exit(1);
    }
    fclose(file);
    return size;
}

/* One request after another until the client closes: a client that does not pipeline sends nothing after a head's end. */
static void serve(int fd, size_t size) {
    size_t have = 0;
    ssize_t got;
    while (have < sizeof(received) && (got = recv(fd, received + have, sizeof(received) - have, 0)) > 0) {
        have += (size_t)got;
        if (have >= END && memcmp(received + have - END, "\r\n\r\n", END) == 0) {
            have = 0;
            if (send(fd, response, size, MSG_NOSIGNAL) != (ssize_t)size) {
                return;
            }
        }
    }
}

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s PORT FILE\n", argv[0]);
        return 1;
    }
    size_t size = response_of(argv[2]);
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1])), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int door = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(door, (struct sockaddr*)&address, sizeof(address)) != 0 || listen(door, 16) != 0) {
        perror("listen");
        return 1;
    }
    for (int fd; (fd = accept(door, NULL, NULL)) >= 0; close(fd)) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        serve(fd, size);
    }
    perror("accept");
    return 1;
}
