#include "hooks/transports.h"

#include <string_view>
#include <vector>

#include "hooks/hooks.h"
#include "zend/caller.h"

namespace stampede::hooks {

namespace {

struct Transport {
    const char* name;
    uint32_t flag;
    php_stream_transport_factory original = nullptr;
};

Transport transports[] = {
    {"ssl", kSsl},     {"tls", kTls},     {"tlsv1.0", kTls},
    {"tlsv1.1", kTls}, {"tlsv1.2", kTls}, {"tlsv1.3", kTls},
};

// What is being opened, and by which call of the script: its sockets are made before that returns.
struct Opening {
    uint32_t flag = 0;
    zend::CurrentCall call{nullptr, nullptr};
};
Opening opening;

std::vector<uint8_t> flags_of_sockets;  // by descriptor

Transport* find(std::string_view name) {
    for (Transport& transport : transports) {
        if (transport.name == name) {
            return &transport;
        }
    }
    return nullptr;
}

php_stream* open_watched(const char* proto, size_t proto_size, const char* resource,
                         size_t resource_size, const char* persistent_id, int options, int flags,
                         timeval* timeout, php_stream_context* context STREAMS_DC) {
    const Transport* transport = find({proto, proto_size});
    if (transport == nullptr) {
        return nullptr;  // registered for the names of the table only
    }
    opening = {transport->flag, {}};
    return transport->original(proto, proto_size, resource, resource_size, persistent_id, options,
                               flags, timeout, context STREAMS_REL_CC);
}

bool is_opening() { return opening.flag != 0 && opening.call == zend::CurrentCall(); }

php_stream_transport_factory registered(const char* name) {
    return reinterpret_cast<php_stream_transport_factory>(
        zend_hash_str_find_ptr(php_stream_xport_get_hash(), name, strlen(name)));
}

void set(int fd, uint32_t flag) {
    auto index = static_cast<size_t>(fd);
    if (fd < 0 || (flag == 0 && index >= flags_of_sockets.size())) {
        return;
    }
    if (index >= flags_of_sockets.size()) {
        flags_of_sockets.resize(index + 64);
    }
    flags_of_sockets[index] = static_cast<uint8_t>(flag);
}

}  // namespace

void watch_transports() {
    for (Transport& transport : transports) {
        php_stream_transport_factory present = registered(transport.name);
        if (present != nullptr && present != open_watched) {
            transport.original = present;
            php_stream_xport_register(transport.name, open_watched);
        }
    }
}

void restore_transports() {
    for (Transport& transport : transports) {
        if (registered(transport.name) == open_watched) {
            php_stream_xport_register(transport.name, transport.original);
        }
    }
}

void note_transport(int fd) { set(fd, is_opening() ? opening.flag : 0); }

void inherit_transport(int listener, int fd) { set(fd, transport_of(listener)); }

void note_pair(int fd) { set(fd, kStreamSelect); }

void forget_transport(int fd) { set(fd, 0); }

uint32_t transport_of(int fd) {
    auto index = static_cast<size_t>(fd);
    return fd >= 0 && index < flags_of_sockets.size() ? flags_of_sockets[index] : 0;
}

}  // namespace stampede::hooks
