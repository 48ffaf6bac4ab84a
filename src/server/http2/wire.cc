#include "server/http2/wire.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <iterator>

#include "server/http2/callbacks.h"
#include "server/http2/memory.h"
#include "server/service.h"

namespace stampede::server {

namespace {

// NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which older headers have no name for.
constexpr ssize_t kTooManyContinuations = -905;

// Puts the true limit of streams into the settings frame.
void correct_settings(const char* frame, size_t size, const Http2Settings& settings) {
    constexpr size_t kHeader = 9;
    constexpr size_t kEntry = 6;
    auto* bytes = reinterpret_cast<uint8_t*>(const_cast<char*>(frame));
    for (size_t at = kHeader; at + kEntry <= size; at += kEntry) {
        if (bytes[at] == 0 && bytes[at + 1] == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS) {
            uint32_t limit = settings.max_concurrent_streams;
            for (size_t i = 0; i < 4; i++) {
                bytes[at + 2 + i] = static_cast<uint8_t>(limit >> (24 - 8 * i));
            }
        }
    }
}

}  // namespace

Http2Wire::Http2Wire(Service& service, net::Connection& connection)
    : service_(service), connection_(connection) {
    connection.write_from_session();
}

Http2Wire::~Http2Wire() { nghttp2_session_del(native_); }

const Http2Settings& Http2Wire::settings() const { return service_.settings().http2; }
const HttpLimits& Http2Wire::limits() const { return service_.limits(connection_); }
const net::ConnectionTimes& Http2Wire::times() const { return service_.settings().times; }
Nanos Http2Wire::now() const { return service_.loop().iteration_time(); }

// ---- the beginning -----------------------------------------------------------------------------

bool Http2Wire::start(void* user) { return make_native(user) && submit_settings(); }

bool Http2Wire::start_upgraded(void* user, const Exchange& exchange,
                               std::string_view settings_payload, Http2Stream& stream) {
    auto* payload = reinterpret_cast<const uint8_t*>(settings_payload.data());
    // The library wants to hear of the upgrade before it makes its own settings.
    return make_native(user) &&
           nghttp2_session_upgrade2(native_, payload, settings_payload.size(),
                                    exchange.is_head_request() ? 1 : 0, nullptr) == 0 &&
           nghttp2_session_set_stream_user_data(native_, 1, &stream) == 0 && submit_settings();
}

bool Http2Wire::make_native(void* user) {
    nghttp2_option* options = nullptr;
    if (nghttp2_option_new(&options) != 0) {
        return false;
    }
    nghttp2_option_set_no_closed_streams(options, 1);
    nghttp2_option_set_no_auto_window_update(options, 1);
    nghttp2_option_set_builtin_recv_extension_type(options, NGHTTP2_PRIORITY_UPDATE);
    int result =
        nghttp2_session_server_new3(&native_, Http2Callbacks::get(), user, options, http2_memory());
    nghttp2_option_del(options);
    return result == 0;
}

bool Http2Wire::submit_settings() {
    const Http2Settings& own = settings();
    // The library ends the connection when the peer opens a stream too many. It is told of no
    // limit, the streams are counted here, and the frame is corrected on its way out: see fill().
    const nghttp2_settings_entry entries[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, NGHTTP2_INITIAL_MAX_CONCURRENT_STREAMS},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, own.initial_window_size},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, own.max_header_list_size},
        {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
        {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, own.header_table_size},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, own.max_frame_size},
        {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
    };
    size_t count = std::size(entries) - (own.websocket ? 0 : 1);
    auto window = static_cast<int32_t>(
        std::clamp<uint64_t>(uint64_t{own.initial_window_size} * 4, 65535, INT32_MAX));
    return nghttp2_submit_settings(native_, NGHTTP2_FLAG_NONE, entries, count) == 0 &&
           nghttp2_session_set_local_window_size(native_, NGHTTP2_FLAG_NONE, 0, window) == 0;
}

// ---- bytes -------------------------------------------------------------------------------------

// What counts as an attack (too many frames without use, too large a head) ends with
// ENHANCE_YOUR_CALM, so that the log of the peer says what it did.
bool Http2Wire::take(std::string_view bytes) {
    ssize_t used = nghttp2_session_mem_recv(native_, reinterpret_cast<const uint8_t*>(bytes.data()),
                                            bytes.size());
    if (used < 0) {
        bool excess = used == NGHTTP2_ERR_FLOODED || used == kTooManyContinuations ||
                      used == NGHTTP2_ERR_TOO_MANY_SETTINGS || used == NGHTTP2_ERR_CALLBACK_FAILURE;
        end(excess ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR);
    }
    return used >= 0;
}

// Not all frames at once: a peer that does not read must not make the buffer grow. The connection
// asks again when the buffer has left.
bool Http2Wire::fill() {
    stale_ = false;
    uint64_t before = connection_.pending();
    while (!full()) {
        const uint8_t* bytes = nullptr;
        ssize_t size = nghttp2_session_mem_send(native_, &bytes);
        if (size <= 0) {
            break;
        }
        connection_.cork().append(
            {reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)});
        if (!greeted_) {
            greeted_ = true;
            correct_settings(connection_.cork().data() + connection_.cork().size() - size,
                             static_cast<size_t>(size), settings());
        }
    }
    stale_ = stale_ || full();
    return connection_.pending() > before;
}

bool Http2Wire::spent() const {
    return nghttp2_session_want_read(native_) == 0 && nghttp2_session_want_write(native_) == 0;
}

void Http2Wire::end(uint32_t error) {
    nghttp2_session_terminate_session(native_, error);
    touch();
}

// ---- streams -----------------------------------------------------------------------------------

bool Http2Wire::knows(int32_t id) const {
    return nghttp2_session_find_stream(native_, id) != nullptr;
}

void Http2Wire::forget(const Http2Stream& stream) {
    nghttp2_session_set_stream_user_data(native_, stream.id, nullptr);
}

void Http2Wire::reset(int32_t id, uint32_t error) {
    nghttp2_submit_rst_stream(native_, NGHTTP2_FLAG_NONE, id, error);
}

void Http2Wire::reset(Http2Stream& stream, uint32_t error) {
    if (!stream.closed) {
        reset(stream.id, error);
        stream.response.body.clear();
        more_to_send(stream);
    }
}

void Http2Wire::more_to_send(Http2Stream& stream) {
    if (stream.response.deferred) {
        stream.response.deferred = false;
        nghttp2_session_resume_data(native_, stream.id);
    }
    touch();
}

bool Http2Wire::waits_for_window(const Http2Stream& stream) const {
    return nghttp2_session_get_stream_remote_window_size(native_, stream.id) <= 0 ||
           nghttp2_session_get_remote_window_size(native_) <= 0;
}

void Http2Wire::give_window(const Http2Stream& stream, uint64_t bytes) {
    nghttp2_session_consume_stream(native_, stream.id, bytes);
}

void Http2Wire::give_window(uint64_t bytes) { nghttp2_session_consume_connection(native_, bytes); }

// ---- frames of the connection ------------------------------------------------------------------

void Http2Wire::announce_goaway() {
    nghttp2_submit_shutdown_notice(native_);
    touch();
}

bool Http2Wire::goaway(uint32_t error, std::string_view text) {
    int result = nghttp2_submit_goaway(native_, NGHTTP2_FLAG_NONE,
                                       nghttp2_session_get_last_proc_stream_id(native_), error,
                                       reinterpret_cast<const uint8_t*>(text.data()), text.size());
    touch();
    return result == 0;
}

bool Http2Wire::ping(std::string_view payload) {
    uint8_t bytes[kPingBytes] = {};
    std::copy(payload.begin(), payload.end(), bytes);
    int result = nghttp2_submit_ping(native_, NGHTTP2_FLAG_NONE, bytes);
    touch();
    return result == 0;
}

}  // namespace stampede::server
