// Two processes that send each other messages over a pair of unix sockets, one at a time.
// usage: ping_pong ROUNDS SIZE    prints the CPU microseconds of both per round trip
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static double cpu_of(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return (double)usage.ru_utime.tv_sec * 1e6 + (double)usage.ru_utime.tv_usec +
           (double)usage.ru_stime.tv_sec * 1e6 + (double)usage.ru_stime.tv_usec;
}

int main(int argc, char** argv) {
    if (argc != 3) {
        return 2;
    }
    long rounds = atol(argv[1]);
    size_t size = (size_t)atol(argv[2]);
    char* buffer = calloc(1, size + 1);
    int ends[2];
    if (buffer == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
        return 1;
    }
    pid_t child = fork();
    int fd = child == 0 ? ends[1] : ends[0];
    close(child == 0 ? ends[0] : ends[1]);
    if (child == 0) {
        ssize_t count;
        while ((count = recv(fd, buffer, size, 0)) > 0) {
            if (send(fd, buffer, (size_t)count, 0) != count) {
                return 1;
            }
        }
        return 0;
    }
    double before = cpu_of(RUSAGE_SELF);
    for (long i = 0; i < rounds; i++) {
        if (send(fd, buffer, size, 0) != (ssize_t)size ||
            recv(fd, buffer, size, 0) != (ssize_t)size) {
            return 1;
        }
    }
    double spent = cpu_of(RUSAGE_SELF) - before;
    close(fd);
    waitpid(child, NULL, 0);
    printf("%.4f\n", (spent + cpu_of(RUSAGE_CHILDREN)) / (double)rounds);
    return 0;
}
