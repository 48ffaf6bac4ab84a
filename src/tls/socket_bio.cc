#include "tls/socket_bio.h"

#include <openssl/bio.h>

#include <cerrno>
#include <cstdint>

#include "os/socket.h"

namespace stampede::tls {

namespace {

// The descriptor, and above it whether the last read took everything that was there.
constexpr intptr_t kDrained = intptr_t{1} << 32;

intptr_t state_of(BIO* bio) { return reinterpret_cast<intptr_t>(BIO_get_data(bio)); }

int descriptor_of(BIO* bio) { return static_cast<int>(state_of(bio) & (kDrained - 1)); }

void set_drained(BIO* bio, bool drained) {
    intptr_t state = descriptor_of(bio) | (drained ? kDrained : 0);
    BIO_set_data(bio, reinterpret_cast<void*>(state));
}

int read_bytes(BIO* bio, char* out, int capacity) {
    BIO_clear_retry_flags(bio);
    long count = os::receive(descriptor_of(bio), out, static_cast<size_t>(capacity));
    set_drained(bio, count < capacity);
    if (count < 0 && errno == EAGAIN) {
        BIO_set_retry_read(bio);
    } else if (count == 0) {
        BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    }
    return static_cast<int>(count);
}

int write_bytes(BIO* bio, const char* data, int size) {
    BIO_clear_retry_flags(bio);
    long count = os::send_bytes(descriptor_of(bio), data, static_cast<size_t>(size));
    if (count < 0 && errno == EAGAIN) {
        BIO_set_retry_write(bio);
    }
    return static_cast<int>(count);
}

long control(BIO* bio, int command, long, void*) {
    switch (command) {
        case BIO_CTRL_FLUSH:
            return 1;
        case BIO_CTRL_EOF:
            return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
        default:
            return 0;
    }
}

int initialize(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
}

BIO_METHOD* make_method() {
    BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (method != nullptr) {
        BIO_meth_set_read(method, read_bytes);
        BIO_meth_set_write(method, write_bytes);
        BIO_meth_set_ctrl(method, control);
        BIO_meth_set_create(method, initialize);
    }
    return method;
}

}  // namespace

BIO* new_socket_bio(int fd) {
    static BIO_METHOD* const method = make_method();
    BIO* bio = method != nullptr ? BIO_new(method) : nullptr;
    if (bio != nullptr) {
        BIO_set_data(bio, reinterpret_cast<void*>(static_cast<intptr_t>(fd)));
    }
    return bio;
}

bool socket_is_drained(BIO* bio) { return (state_of(bio) & kDrained) != 0; }

}  // namespace stampede::tls
