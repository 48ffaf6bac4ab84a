// HTTP/2 (RFC 9113) over bytes, by nghttp2: what came goes in, events and what to send come out.
// One for clients and servers. Owned by the code that has the connection; any one thread; never
// parks. Events are called inside feed() and must not call back into the session.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/buffer.h"

struct nghttp2_session;

namespace stampede::proto::http2 {

enum class Role : uint8_t { kClient, kServer };

struct Settings {
    uint32_t header_table_size = 4096;
    uint32_t max_concurrent_streams = 128;
    uint32_t initial_window_size = 1u << 20;
    uint32_t max_frame_size = 16384;
    uint32_t max_header_list_size = 64 * 1024;  // counted while decoding
    uint32_t max_header_fields = 200;
};

struct Field {
    std::string_view name;
    std::string_view value;
};

// What happened; every function may be null but the first three.
struct Events {
    void* self = nullptr;
    // In order: fields (":status" first), the end of the head, body bytes, the end of the stream.
    void (*on_field)(void* self, int32_t stream, const Field& field) = nullptr;
    void (*on_body)(void* self, int32_t stream, std::string_view bytes) = nullptr;
    // error: 0 when both sides ended it, else an HTTP/2 error code (RST_STREAM, GOAWAY).
    void (*on_end)(void* self, int32_t stream, uint32_t error) = nullptr;
    void (*on_head)(void* self, int32_t stream) = nullptr;
    // The peer sends no more on a stream which this side has not ended yet.
    void (*on_peer_end)(void* self, int32_t stream) = nullptr;
    void (*on_goaway)(void* self, uint32_t error, int32_t last_stream) = nullptr;
    void (*on_ping_response)(void* self) = nullptr;
};

enum class BodyEnd : uint8_t { kMore, kLast };

class Session {
public:
    // Null when memory is short. The preface and SETTINGS are pending then.
    static std::unique_ptr<Session> create(Role role, const Settings& settings,
                                           const Events& events);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // False when the peer broke the protocol: what is pending says so, then close.
    bool feed(std::string_view bytes);
    // The next bytes to send, valid until the next call; empty when there are none.
    std::string_view pending();
    bool wants_write() const;
    // Nothing will happen any more: both sides have said goodbye.
    bool finished() const;

    // A request's head; its body follows by write() unless it is complete. The number of the
    // stream, or negative.
    int32_t request(const std::vector<Field>& fields, BodyEnd end);
    // False when there is no such stream to write to.
    bool write(int32_t stream, std::string_view bytes, BodyEnd end);
    void reset(int32_t stream, uint32_t error);
    void ping();
    void goaway(uint32_t error, std::string_view text);

    bool exists(int32_t stream) const;
    // This side may send on it.
    bool is_writable(int32_t stream) const;
    // Bytes given to write() that are not on their way yet.
    size_t unsent(int32_t stream) const;
    size_t stream_count() const { return streams_.size(); }
    int32_t last_stream() const;
    // By nghttp2's numbers: NGHTTP2_SETTINGS_*.
    uint32_t local_setting(int id) const;
    uint32_t remote_setting(int id) const;

private:
    struct Stream {
        Buffer out;
        BodyEnd end = BodyEnd::kMore;
        bool deferred = false;
        uint32_t field_bytes = 0;
        uint32_t field_count = 0;
    };
    friend struct Callbacks;

    explicit Session(const Settings& settings, const Events& events)
        : settings_(settings), events_(events) {}
    bool start(Role role);

    Settings settings_;
    Events events_;
    nghttp2_session* session_ = nullptr;
    std::unordered_map<int32_t, std::unique_ptr<Stream>> streams_;
};

// "NO_ERROR", "PROTOCOL_ERROR", ... of RFC 9113 7.
std::string_view error_name(uint32_t error);

}  // namespace stampede::proto::http2
