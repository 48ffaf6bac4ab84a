/* HTTP/1.1 load whose every response is checked, on one thread.
 * usage: load PORT CONNECTIONS SECONDS RATE SCRIPT
 * RATE 0: each connection sends its next request when the response has come. Otherwise so many requests a second in all, each due at a moment that is
 * fixed beforehand, and its latency counts from there: a server that stops for a while is charged for all that were due meanwhile.
 * SCRIPT is a file of entries, which the connections send in turn, each beginning at another one:
 *     REQUEST_BYTES EXPECTED_BYTES RESPONSES exact|contains|any STATUS,...\n  followed by the bytes of both; RESPONSES: how many requests it is, pipelined
 * Prints one line of JSON. A response that is not as expected is wrong; a connection that ends, or moves nothing for TIME_LIMIT, has failed. What was sent by
 * the end is waited for. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STATUSES = 4, FIRST_BUFFER = 4096, MAX_RESPONSE = 64 << 20, EVENTS = 512, SUB_BITS = 6, BUCKETS = 64 << SUB_BITS };
static const uint64_t SECOND = 1000000000, TIME_LIMIT = 30 * 1000000000ull, RETRY = 10 * 1000000;

enum check { EXACT, CONTAINS, ANY };
struct entry {
    char *request, *expected;
    size_t request_size, expected_size, responses;
    enum check check;
    int statuses[MAX_STATUSES];
};
enum state { CLOSED, CONNECTING, IDLE, BUSY };
struct connection {
    int fd;
    enum state state;
    uint64_t turn, owed, due, moved, retry_at; /* moved: when bytes last did */
    struct entry *entry;
    size_t outstanding; /* responses of the entry that have not come yet */
    size_t sent, size, capacity, scanned; /* scanned: where the next chunk's length begins */
    char *input;
    size_t body; /* where it begins; 0: the head is not complete */
    long long length; /* of the body; -1: chunked */
    size_t decoded;
    bool closes;
};

static struct entry *entries;
static size_t entry_count;
static struct connection *connections;
static size_t count;
static int poller, port;
static uint64_t start, end, interval;
static bool ending;
static uint64_t requests, late, wrong, failed, connects, bytes, buckets[BUCKETS], largest;
static double total_ns;
static char sample[400];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static void die(const char *what) {
    perror(what);
    exit(2);
}

static void read_script(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) die(path);
    size_t request, expected, responses;
    char check[16], statuses[64];
    while (fscanf(file, "%zu %zu %zu %15s %63s", &request, &expected, &responses, check, statuses) == 5 && fgetc(file) == '\n') {
        entries = realloc(entries, (entry_count + 1) * sizeof *entries);
        struct entry *entry = &entries[entry_count++];
        *entry = (struct entry){.request = malloc(request), .expected = malloc(expected + 1), .request_size = request, .expected_size = expected, .responses = responses};
        entry->check = *check == 'e' ? EXACT : *check == 'c' ? CONTAINS : ANY;
        int i = 0;
        for (char *text = strtok(statuses, ","); text && i < MAX_STATUSES; text = strtok(NULL, ",")) entry->statuses[i++] = atoi(text);
        if (fread(entry->request, 1, request, file) != request || fread(entry->expected, 1, expected, file) != expected) die("script");
    }
    fclose(file);
    if (!entry_count) die("an empty script");
}

static void record(uint64_t ns) {
    uint64_t value = ns / 100; /* tenths of microseconds */
    int shift = value < (2u << SUB_BITS) ? 0 : 63 - __builtin_clzll(value) - SUB_BITS;
    size_t index = ((size_t)shift << SUB_BITS) + (value >> shift);
    buckets[index < BUCKETS ? index : BUCKETS - 1]++;
    if (ns > largest) largest = ns;
    total_ns += (double)ns;
}

/* The upper end of a bucket in microseconds. */
static double upper(size_t index) {
    int shift = index < (2u << SUB_BITS) ? 0 : (int)(index >> SUB_BITS) - 1;
    return (double)((index - ((size_t)shift << SUB_BITS) + 1) << shift) / 10;
}

static void watch(struct connection *c, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    epoll_ctl(poller, operation, c->fd, &event);
}

static void drop(struct connection *c) {
    close(c->fd);
    c->fd = -1;
    c->state = CLOSED;
}

static void lose(struct connection *c) {
    failed += c->state == BUSY ? c->outstanding : 1;
    c->turn += c->state == BUSY; /* its request is not sent again */
    drop(c);
    c->retry_at = now() + RETRY;
}

static void write_request(struct connection *c) {
    while (c->sent < c->entry->request_size) {
        ssize_t wrote = send(c->fd, c->entry->request + c->sent, c->entry->request_size - c->sent, MSG_NOSIGNAL);
        if (wrote < 0 && errno == EAGAIN) {
            watch(c, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
            return;
        }
        if (wrote < 0) return; /* the reading side says what happened: a response may have come before */
        c->sent += (size_t)wrote;
        c->moved = now();
    }
}

static void begin(struct connection *c) {
    if (ending) return;
    size_t own = (size_t)(c - connections);
    c->entry = &entries[(own * 7 + c->turn) % entry_count];
    c->due = interval ? start + (own + c->turn * count) * interval : now();
    c->moved = now();
    c->outstanding = c->entry->responses;
    c->sent = c->size = c->body = c->scanned = c->decoded = 0;
    c->state = BUSY;
    if (interval) c->owed--;
    write_request(c);
}

static void connect_again(struct connection *c) {
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (c->fd < 0) die("socket");
    int one = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    connects++;
    c->state = CONNECTING;
    c->moved = now();
    if (connect(c->fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) {
        lose(c);
        return;
    }
    watch(c, EPOLLIN | EPOLLOUT, EPOLL_CTL_ADD);
}

/* Looks for a field of the head; its value or NULL. */
static const char *field(const char *head, size_t size, const char *name) {
    size_t length = strlen(name);
    for (const char *line = head; (line = memchr(line, '\n', size - (size_t)(line - head))); ) {
        line++;
        if ((size_t)(line - head) + length < size && strncasecmp(line, name, length) == 0) return line + length;
    }
    return NULL;
}

static bool parse_head(struct connection *c) {
    char *found = memmem(c->input, c->size, "\r\n\r\n", 4);
    if (!found) return false;
    c->body = (size_t)(found - c->input) + 4;
    const char *length = field(c->input, c->body, "content-length:"), *coding = field(c->input, c->body, "transfer-encoding:"), *connection = field(c->input, c->body, "connection:");
    c->length = coding ? -1 : length ? atoll(length) : 0;
    c->closes = strncmp(c->input, "HTTP/1.0", 8) == 0 || (connection && strncasecmp(connection + strspn(connection, " "), "close", 5) == 0);
    if (!coding && !length && c->closes) c->length = -2; /* until the end */
    c->scanned = c->body;
    return true;
}

/* Moves the chunks that are complete together; true after the last one. */
static bool decode_chunks(struct connection *c) {
    while (c->scanned < c->size) {
        char *line = c->input + c->scanned, *line_end = memchr(line, '\n', c->size - c->scanned);
        if (!line_end) return false;
        size_t length = strtoul(line, NULL, 16), data = (size_t)(line_end - c->input) + 1;
        if (data + length + 2 > c->size) return false;
        memmove(c->input + c->body + c->decoded, c->input + data, length);
        c->decoded += length;
        c->scanned = data + length + 2;
        if (!length) return true;
    }
    return false;
}

static bool is_complete(struct connection *c, bool ended) {
    if (!c->body && !parse_head(c)) return false;
    if (c->length == -2) {
        c->decoded = c->size - c->body;
        return ended;
    }
    if (c->length == -1) return decode_chunks(c);
    c->decoded = (size_t)c->length;
    return c->size - c->body >= (size_t)c->length;
}

static bool is_right(struct connection *c) {
    int status = c->size > 12 ? atoi(c->input + 9) : 0;
    bool known = false;
    for (int i = 0; i < MAX_STATUSES; i++) known |= c->entry->statuses[i] == status;
    const char *body = c->input + c->body;
    const struct entry *entry = c->entry;
    if (!known) return false;
    if (status != entry->statuses[0] || entry->check == ANY) return true; /* the body of the first status is known */
    if (entry->check == EXACT) return c->decoded == entry->expected_size && memcmp(body, entry->expected, c->decoded) == 0;
    return memmem(body, c->decoded, entry->expected, entry->expected_size) != NULL;
}

static void finish(struct connection *c) {
    uint64_t at = now();
    if (at <= end) {
        requests++;
        record(at > c->due ? at - c->due : 0);
    } else {
        late++;
    }
    size_t used = c->length == -1 ? c->scanned : c->body + c->decoded;
    bytes += used;
    if (!is_right(c)) {
        wrong++;
        if (!*sample) snprintf(sample, sizeof sample, "%.*s", (int)(c->size < sizeof sample ? c->size : sizeof sample - 1), c->input);
    }
    if (--c->outstanding && !c->closes) {
        memmove(c->input, c->input + used, c->size - used);
        c->size -= used;
        c->body = c->scanned = c->decoded = 0;
        return;
    }
    failed += c->outstanding; /* the connection ends without them */
    c->turn++;
    c->state = IDLE;
    if (c->closes) drop(c);
}

static void read_response(struct connection *c) {
    for (;;) {
        if (c->size == c->capacity) {
            if (c->capacity >= MAX_RESPONSE) return lose(c);
            c->capacity = c->capacity ? c->capacity * 2 : FIRST_BUFFER;
            c->input = realloc(c->input, c->capacity);
        }
        ssize_t got = recv(c->fd, c->input + c->size, c->capacity - c->size, 0);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) {
            if (c->state == BUSY && got == 0 && is_complete(c, true)) return finish(c);
            if (c->state == IDLE) return drop(c); /* the server may end a connection that is idle */
            return lose(c);
        }
        c->size += (size_t)got;
        if (c->state != BUSY) {
            wrong++; /* nobody asked for it */
            return drop(c);
        }
        while (c->state == BUSY && c->size && is_complete(c, false)) finish(c);
        if (c->state != BUSY) return;
        if (c->size < c->capacity) return;
    }
}

static void advance(struct connection *c) {
    if (c->state == CLOSED && !ending && c->retry_at <= now() && (!interval || c->owed)) connect_again(c);
    if (c->state == IDLE && (!interval || c->owed)) begin(c);
}

static void on_event(struct connection *c, uint32_t events) {
    if (c->state == CONNECTING && events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error) return lose(c);
        c->state = IDLE;
        watch(c, EPOLLIN, EPOLL_CTL_MOD);
        return advance(c);
    }
    if (c->state == BUSY && events & EPOLLOUT) {
        write_request(c);
        if (c->sent == c->entry->request_size) watch(c, EPOLLIN, EPOLL_CTL_MOD);
    }
    if (c->state != CLOSED && events & (EPOLLIN | EPOLLERR | EPOLLHUP)) read_response(c);
    advance(c);
}

/* What has waited for too long has failed; what was lost is connected again. */
static size_t look_after(uint64_t at) {
    size_t busy = 0;
    for (size_t i = 0; i < count; i++) {
        struct connection *c = &connections[i];
        if ((c->state == BUSY || c->state == CONNECTING) && at > c->moved + TIME_LIMIT) lose(c);
        if (c->state == CLOSED && !ending) advance(c);
        busy += c->state == BUSY;
    }
    return busy;
}

static void send_what_is_due(uint64_t at) {
    static uint64_t next;
    for (; start + next * interval <= at && start + next * interval < end; next++) {
        struct connection *c = &connections[next % count];
        c->owed++;
        advance(c);
    }
}

static void run(void) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[EVENTS];
    epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event);
    uint64_t tick = interval && interval < SECOND / 1000 ? (interval < 50000 ? 50000 : interval) : SECOND / 1000;
    struct itimerspec every = {.it_interval.tv_nsec = (long)tick, .it_value.tv_nsec = (long)tick};
    timerfd_settime(timer, 0, &every, NULL);
    uint64_t looked = 0, at = now();
    size_t busy = 1;
    while (at < end || busy) {
        int got = epoll_wait(poller, events, EVENTS, 100);
        for (int i = 0; i < got; i++) {
            uint64_t ticks;
            if (events[i].data.ptr) on_event(events[i].data.ptr, events[i].events);
            else if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN) die("timer");
        }
        at = now();
        ending = at >= end;
        if (interval && !ending) send_what_is_due(at);
        if (at - looked > RETRY) {
            busy = look_after(at);
            looked = at;
        }
    }
}

static double percentile(double part) {
    uint64_t wanted = (uint64_t)(part * (double)requests), seen = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        seen += buckets[i];
        if (seen > wanted || seen == requests) return upper(i) < (double)largest / 1000 ? upper(i) : (double)largest / 1000;
    }
    return 0;
}

static void print_sample(void) {
    for (const unsigned char *p = (unsigned char *)sample; *p; p++) {
        if (*p < 32 || *p > 126 || *p == '"' || *p == '\\') printf("\\u%04x", *p);
        else putchar(*p);
    }
}

static void report(void) {
    static const double parts[] = {0.5, 0.75, 0.9, 0.99, 0.999, 0.9999};
    printf("{\"requests\":%lu,\"late\":%lu,\"wrong\":%lu,\"failed\":%lu,\"connects\":%lu,\"bytes\":%lu,\"mean\":%.1f,\"max\":%.1f,\"percentiles\":{", requests, late, wrong, failed, connects, bytes,
           requests ? total_ns / (double)requests / 1000 : 0, (double)largest / 1000);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) printf("%s\"%g\":%.1f", i ? "," : "", parts[i] * 100, percentile(parts[i]));
    printf("},\"histogram\":[");
    bool first = true;
    for (size_t i = 0; i < BUCKETS; i++) {
        if (buckets[i]) printf("%s[%.1f,%lu]", first ? "" : ",", upper(i), buckets[i]), first = false;
    }
    printf("],\"sample\":\"");
    print_sample();
    printf("\"}\n");
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: load PORT CONNECTIONS SECONDS RATE SCRIPT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    port = atoi(argv[1]);
    count = (size_t)atol(argv[2]);
    double rate = atof(argv[4]);
    read_script(argv[5]);
    poller = epoll_create1(0);
    connections = calloc(count, sizeof *connections);
    interval = rate > 0 ? (uint64_t)(1e9 / rate) : 0;
    start = now();
    end = start + (uint64_t)(atof(argv[3]) * 1e9);
    for (size_t i = 0; i < count; i++) {
        connections[i].fd = -1;
        if (!interval) connect_again(&connections[i]);
    }
    run();
    report();
    return 0;
}
