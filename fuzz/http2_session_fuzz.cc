// Bytes of a peer at either side of an HTTP/2 connection: nothing breaks, and what a message keeps
// is bounded.
#include <cstdlib>
#include <string>

#include "proto/http2/session.h"

using namespace stampede::proto;

namespace {

struct Seen {
    size_t fields = 0;
    size_t ended = 0;
};

void talk(http2::Role role, std::string_view data) {
    Seen seen;
    http2::Events events;
    events.self = &seen;
    events.on_field = [](void* self, int32_t, const http2::Field& field) {
        static_cast<Seen*>(self)->fields += field.name.size() + field.value.size();
    };
    events.on_body = [](void*, int32_t, std::string_view) {};
    events.on_end = [](void* self, int32_t, uint32_t) { static_cast<Seen*>(self)->ended++; };
    http2::Settings settings;
    settings.max_header_list_size = 1024;
    settings.max_concurrent_streams = 4;
    auto session = http2::Session::create(role, settings, events);
    if (role == http2::Role::kClient) {
        session->request(
            {{":method", "GET"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}},
            http2::BodyEnd::kLast);
    } else {
        session->feed("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }
    while (!data.empty()) {
        size_t piece = data.size() < 100 ? data.size() : 100;
        bool fine = session->feed(data.substr(0, piece));
        data.remove_prefix(piece);
        while (!session->pending().empty()) {
        }
        if (!fine) {
            break;
        }
    }
    if (session->stream_count() > 64) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    std::string_view data(reinterpret_cast<const char*>(bytes), size);
    talk(http2::Role::kClient, data);
    talk(http2::Role::kServer, data);
    return 0;
}
