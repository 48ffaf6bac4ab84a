#include "hooks/transports.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "io/descriptor_state.h"
#include "hooks/hooks.h"
#include "runtime/runtime.h"
#include "zend/caller.h"

namespace stampede::hooks {

using io::DescriptorState;
using io::find_state;
using io::state_of;

namespace {

struct Transport {
    std::string_view name;  // ends with a zero byte
    uint32_t flag;
    php_stream_transport_factory original = nullptr;
};

// Those without a flag of their own end what was opened before.
Transport transports[] = {
    {"ssl", kSsl},     {"tls", kTls}, {"tlsv1.0", kTls}, {"tlsv1.1", kTls}, {"tlsv1.2", kTls},
    {"tlsv1.3", kTls}, {"tcp", 0},    {"udp", 0},        {"unix", 0},       {"udg", 0},
};

// What is being opened, and by which call of the script: its sockets are made before that returns.
struct Opening {
    uint32_t flag = 0;
    zend::CurrentCall call{nullptr, nullptr};
};

// By coroutine: names are waited for before there is a socket.
// An entry is good for one call of the script (CurrentCall compares frame and function) and is left
// behind when that returns: the next opening of the coroutine replaces it, and those of coroutines
// that have ended are dropped when many have gathered.
std::unordered_map<int64_t, Opening> openings;
size_t look_over_at = 256;

Transport* find(std::string_view name) {
    for (Transport& transport : transports) {
        if (transport.name == name) {
            return &transport;
        }
    }
    return nullptr;
}

int64_t current_cid() {
    const runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr ? runtime->current_cid() : -1;
}

// Numbers of coroutines are never used again, so an entry of one that has ended is only memory.
void forget_ended() {
    std::erase_if(openings, [](const auto& entry) {
        const runtime::Runtime* runtime = runtime::Runtime::peek();
        return runtime == nullptr || runtime->find(entry.first) == nullptr;
    });
    look_over_at = std::max<size_t>(256, 2 * openings.size());
}

void begin_opening(uint32_t flag) {
    if (flag == 0) {
        openings.erase(current_cid());
        return;
    }
    if (openings.size() >= look_over_at) {
        forget_ended();
    }
    openings[current_cid()] = {flag, {}};
}

// Sockets are made further down, by libc's socket(), in the same call of the script:
// note_transport() finds the entry there. What is in between may wait (a name), which is why it is
// kept by coroutine.
php_stream* open_watched(const char* proto, size_t proto_size, const char* resource,
                         size_t resource_size, const char* persistent_id, int options, int flags,
                         timeval* timeout, php_stream_context* context STREAMS_DC) {
    const Transport* transport = find({proto, proto_size});
    if (transport == nullptr) {
        return nullptr;  // registered for the names of the table only
    }
    begin_opening(transport->flag);
    return transport->original(proto, proto_size, resource, resource_size, persistent_id, options,
                               flags, timeout, context STREAMS_REL_CC);
}

uint32_t flag_of_opening() {
    auto found = openings.empty() ? openings.end() : openings.find(current_cid());
    return found != openings.end() && found->second.call == zend::CurrentCall() ? found->second.flag
                                                                                : 0;
}

php_stream_transport_factory registered(std::string_view name) {
    return reinterpret_cast<php_stream_transport_factory>(
        zend_hash_str_find_ptr(php_stream_xport_get_hash(), name.data(), name.size()));
}

void set(int fd, uint32_t flag) {
    if (fd >= 0 && (flag != 0 || find_state(fd) != nullptr)) {
        state_of(fd).transport = static_cast<uint8_t>(flag);
    }
}

}  // namespace

void watch_transports() {
    for (Transport& transport : transports) {
        php_stream_transport_factory present = registered(transport.name);
        if (present != nullptr && present != open_watched) {
            transport.original = present;
            php_stream_xport_register(transport.name.data(), open_watched);
        }
    }
}

// PHP's table of transports belongs to the process and keeps the pointers beyond the module's end.
void restore_transports() {
    for (Transport& transport : transports) {
        if (registered(transport.name) == open_watched) {
            php_stream_xport_register(transport.name.data(), transport.original);
        }
    }
}

void note_transport(int fd) { set(fd, flag_of_opening()); }

void inherit_transport(int listener, int fd) { set(fd, transport_of(listener)); }

void note_pair(int fd) { set(fd, kStreamSelect); }

uint32_t transport_of(int fd) {
    const DescriptorState* state = find_state(fd);
    return state != nullptr ? state->transport : 0;
}

}  // namespace stampede::hooks
