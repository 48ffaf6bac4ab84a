#include "tls/socket_bio.h"

#include <openssl/bio.h>

#include <cerrno>
#include <string_view>

#include "os/socket.h"

namespace stampede::tls {

namespace {

constexpr size_t kMostHeld = 256 * 1024;

struct Socket {
    int fd;
    bool drained = false;      // the last read took everything that was there
    Buffer* output = nullptr;  // where records go instead of the descriptor
};

Socket& socket_of(BIO* bio) { return *static_cast<Socket*>(BIO_get_data(bio)); }

int read_bytes(BIO* bio, char* out, int capacity) {
    BIO_clear_retry_flags(bio);
    Socket& socket = socket_of(bio);
    long count = os::receive(socket.fd, out, static_cast<size_t>(capacity));
    socket.drained = count < capacity;
    if (count < 0 && errno == EAGAIN) {
        BIO_set_retry_read(bio);
    } else if (count == 0) {
        BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    }
    return static_cast<int>(count);
}

int hold_bytes(BIO* bio, Buffer& output, std::string_view bytes) {
    if (output.size() + bytes.size() > kMostHeld) {
        BIO_set_retry_write(bio);
        return -1;
    }
    output.append(bytes);
    return static_cast<int>(bytes.size());
}

int write_bytes(BIO* bio, const char* data, int size) {
    BIO_clear_retry_flags(bio);
    Socket& socket = socket_of(bio);
    auto length = static_cast<size_t>(size);
    if (socket.output != nullptr) {
        return hold_bytes(bio, *socket.output, {data, length});
    }
    long count = os::send_bytes(socket.fd, data, length);
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

int destroy(BIO* bio) {
    delete static_cast<Socket*>(BIO_get_data(bio));
    return 1;
}

BIO_METHOD* make_method() {
    BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (method != nullptr) {
        BIO_meth_set_read(method, read_bytes);
        BIO_meth_set_write(method, write_bytes);
        BIO_meth_set_ctrl(method, control);
        BIO_meth_set_destroy(method, destroy);
    }
    return method;
}

}  // namespace

BIO* new_socket_bio(int fd) {
    static BIO_METHOD* const method = make_method();
    BIO* bio = method != nullptr ? BIO_new(method) : nullptr;
    if (bio != nullptr) {
        BIO_set_data(bio, new Socket{fd});
        BIO_set_init(bio, 1);
    }
    return bio;
}

bool socket_is_drained(BIO* bio) { return socket_of(bio).drained; }

void divert_output(BIO* bio, Buffer* output) { socket_of(bio).output = output; }

}  // namespace stampede::tls
