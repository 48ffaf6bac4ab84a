#include "proto/http2/session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>

#include "proto/http2/callbacks.h"
#include "proto/http2/memory.h"
#include "proto/http2/native_field.h"

namespace stampede::proto::http2 {

namespace {

// NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which older headers have no name for.
constexpr ssize_t kTooManyContinuations = -905;

const uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const uint8_t*>(text.data());
}

// nghttp2 ends a connection whose peer opens a stream too many, also when the peer cannot know the
// limit yet. A session whose user counts the streams tells it of no limit, and puts the true one
// into the SETTINGS frame on its way out. `frames` is nghttp2's own buffer: nothing reads it after
// it is sent.
void put_stream_limit(std::string_view frames, uint32_t limit) {
    constexpr size_t kEntry = 6;
    auto* bytes = reinterpret_cast<uint8_t*>(const_cast<char*>(frames.data()));
    for (size_t at = FrameHead::kBytes; at + kEntry <= frames.size(); at += kEntry) {
        if (bytes[at] == 0 && bytes[at + 1] == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS) {
            for (size_t i = 0; i < 4; i++) {
                bytes[at + 2 + i] = static_cast<uint8_t>(limit >> (24 - 8 * i));
            }
        }
    }
}

// nghttp2 is not reentrant: see events.h.
class Working {
public:
    explicit Working(bool& working) : working_(working) {
        assert(!working_);
        working_ = true;
    }
    ~Working() { working_ = false; }

private:
    bool& working_;
};

}  // namespace

// ---- the beginning -----------------------------------------------------------------------------

std::unique_ptr<Session> Session::create(Role role, const Options& options, Events& events) {
    std::unique_ptr<Session> session(new Session(events));
    bool begun = session->make(role, options) && session->begin(role, options);
    return begun ? std::move(session) : nullptr;
}

std::unique_ptr<Session> Session::create_upgraded(const Upgrade& upgrade, const Options& options,
                                                  Events& events) {
    std::unique_ptr<Session> session(new Session(events));
    // nghttp2 wants to hear of the upgrade before it makes its own settings.
    bool begun = session->make(Role::kServer, options) &&
                 nghttp2_session_upgrade2(
                     session->native_, bytes_of(upgrade.settings), upgrade.settings.size(),
                     upgrade.method == Upgrade::Method::kHead ? 1 : 0, nullptr) == 0 &&
                 session->begin(Role::kServer, options);
    if (!begun) {
        return nullptr;
    }
    session->attach(1, upgrade.stream);
    return session;
}

bool Session::make(Role role, const Options& options) {
    nghttp2_option* native_options = nullptr;
    if (nghttp2_option_new(&native_options) != 0) {
        return false;
    }
    // What is kept of streams that have ended is of use for priorities only, which nobody asks for.
    nghttp2_option_set_no_closed_streams(native_options, 1);
    bool by_user = options.window_updates == WindowUpdates::kByUser;
    nghttp2_option_set_no_auto_window_update(native_options, by_user ? 1 : 0);
    if (role == Role::kServer) {
        nghttp2_option_set_builtin_recv_extension_type(native_options, NGHTTP2_PRIORITY_UPDATE);
    }
    nghttp2_mem* memory = options.memory == Memory::kPooled ? pooled_memory() : nullptr;
    auto* make_native =
        role == Role::kServer ? nghttp2_session_server_new3 : nghttp2_session_client_new3;
    int result = make_native(&native_, Callbacks::table(), this, native_options, memory);
    nghttp2_option_del(native_options);
    return result == 0;
}

bool Session::begin(Role role, const Options& options) {
    const Settings& own = options.settings;
    bool counted_by_user = options.stream_limit == StreamLimit::kAnnounced;
    announced_streams_ = counted_by_user ? own.max_concurrent_streams : 0;
    const nghttp2_settings_entry first[] = {
        {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, own.header_table_size},
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
         counted_by_user ? NGHTTP2_INITIAL_MAX_CONCURRENT_STREAMS : own.max_concurrent_streams},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, own.initial_window_size},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, own.max_frame_size},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, own.max_header_list_size},
    };
    nghttp2_settings_entry entries[std::size(first) + 2];
    auto* end = std::copy(std::begin(first), std::end(first), entries);
    if (role == Role::kClient) {  // a server says nothing about pushes
        *end++ = {NGHTTP2_SETTINGS_ENABLE_PUSH, own.enable_push};
    } else {
        *end++ = {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1};
    }
    if (own.enable_connect_protocol != 0) {
        *end++ = {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1};
    }
    auto window = static_cast<int32_t>(
        std::clamp<uint64_t>(uint64_t{own.initial_window_size} * 4, 65535, INT32_MAX));
    return nghttp2_submit_settings(native_, NGHTTP2_FLAG_NONE, entries,
                                   static_cast<size_t>(end - entries)) == 0 &&
           nghttp2_session_set_local_window_size(native_, NGHTTP2_FLAG_NONE, 0, window) == 0;
}

// nghttp2 calls nothing back while it frees its streams.
Session::~Session() {
    assert(!working_);
    nghttp2_session_del(native_);
}

// ---- bytes -------------------------------------------------------------------------------------

Fed Session::feed(std::string_view bytes) {
    Working working(working_);
    ssize_t used = nghttp2_session_mem_recv(native_, bytes_of(bytes), bytes.size());
    if (used >= 0) {
        return Fed::kFine;
    }
    // A callback fails when the user says kEndConnection, and else never.
    bool excessive = used == NGHTTP2_ERR_FLOODED || used == kTooManyContinuations ||
                     used == NGHTTP2_ERR_TOO_MANY_SETTINGS || used == NGHTTP2_ERR_CALLBACK_FAILURE;
    return excessive ? Fed::kExcessive : Fed::kMalformed;
}

std::string_view Session::next_frames() {
    Working working(working_);
    const uint8_t* bytes = nullptr;
    ssize_t size = nghttp2_session_mem_send(native_, &bytes);
    if (size <= 0) {
        return {};
    }
    std::string_view frames{reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)};
    if (!greeted_) {
        greeted_ = true;
        if (announced_streams_ != 0) {
            put_stream_limit(frames, announced_streams_);
        }
    }
    return frames;
}

bool Session::wants_write() const { return nghttp2_session_want_write(native_) != 0; }

bool Session::finished() const {
    return nghttp2_session_want_read(native_) == 0 && nghttp2_session_want_write(native_) == 0;
}

// ---- messages ----------------------------------------------------------------------------------

bool Session::request(Stream& stream, const HeadFields& fields, BodyEnd end) {
    nghttp2_data_provider body = Callbacks::body_provider();
    int32_t id = nghttp2_submit_request(native_, nullptr, fields.list_.data(), fields.list_.size(),
                                        end == BodyEnd::kLast ? nullptr : &body, &stream);
    if (id <= 0) {
        return false;
    }
    stream.id_ = id;
    stream.deferred_ = false;
    return true;
}

bool Session::respond(const Stream& stream, const HeadFields& fields, BodyEnd end) {
    nghttp2_data_provider body = Callbacks::body_provider();
    return nghttp2_submit_response(native_, stream.id_, fields.list_.data(), fields.list_.size(),
                                   end == BodyEnd::kLast ? nullptr : &body) == 0;
}

bool Session::inform(const Stream& stream, const HeadFields& fields) {
    return nghttp2_submit_headers(native_, NGHTTP2_FLAG_NONE, stream.id_, nullptr,
                                  fields.list_.data(), fields.list_.size(), nullptr) == 0;
}

bool Session::send_trailers(const Stream& stream, const HeadFields& fields) {
    return nghttp2_submit_trailer(native_, stream.id_, fields.list_.data(), fields.list_.size()) ==
           0;
}

void Session::resume(Stream& stream) {
    if (stream.deferred_) {
        stream.deferred_ = false;
        nghttp2_session_resume_data(native_, stream.id_);
    }
}

void Session::reset(int32_t id, ErrorCode error) {
    nghttp2_submit_rst_stream(native_, NGHTTP2_FLAG_NONE, id, static_cast<uint32_t>(error));
}

bool Session::has(int32_t id) const { return nghttp2_session_find_stream(native_, id) != nullptr; }

void Session::attach(int32_t id, Stream& stream) {
    stream.id_ = id;
    stream.deferred_ = false;
    nghttp2_session_set_stream_user_data(native_, id, &stream);
    latest_ = &stream;
}

void Session::detach(const Stream& stream) {
    nghttp2_session_set_stream_user_data(native_, stream.id_, nullptr);
    latest_ = latest_ == &stream ? nullptr : latest_;
}

int32_t Session::last_request() const {
    return static_cast<int32_t>(nghttp2_session_get_next_stream_id(native_)) - 2;
}

// ---- flow control ------------------------------------------------------------------------------

void Session::give_window(const Stream& stream, uint64_t bytes) {
    nghttp2_session_consume_stream(native_, stream.id_, bytes);
}

void Session::give_window(uint64_t bytes) { nghttp2_session_consume_connection(native_, bytes); }

bool Session::waits_for_window(const Stream& stream) const {
    return nghttp2_session_get_stream_remote_window_size(native_, stream.id_) <= 0 ||
           nghttp2_session_get_remote_window_size(native_) <= 0;
}

// ---- the connection ----------------------------------------------------------------------------

bool Session::ping(std::string_view payload) {
    if (payload.size() > kPingBytes) {
        return false;
    }
    uint8_t bytes[kPingBytes] = {};
    std::copy(payload.begin(), payload.end(), bytes);
    return nghttp2_submit_ping(native_, NGHTTP2_FLAG_NONE, bytes) == 0;
}

void Session::announce_goaway() { nghttp2_submit_shutdown_notice(native_); }

bool Session::goaway(ErrorCode error, std::string_view text) {
    return nghttp2_submit_goaway(native_, NGHTTP2_FLAG_NONE,
                                 nghttp2_session_get_last_proc_stream_id(native_),
                                 static_cast<uint32_t>(error), bytes_of(text), text.size()) == 0;
}

void Session::terminate(ErrorCode error) {
    nghttp2_session_terminate_session(native_, static_cast<uint32_t>(error));
}

Settings Session::settings_by(uint32_t (*ask)(nghttp2_session*, int)) const {
    Settings settings;
    settings.header_table_size = ask(native_, NGHTTP2_SETTINGS_HEADER_TABLE_SIZE);
    settings.enable_push = ask(native_, NGHTTP2_SETTINGS_ENABLE_PUSH);
    settings.max_concurrent_streams = ask(native_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
    settings.initial_window_size = ask(native_, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE);
    settings.max_frame_size = ask(native_, NGHTTP2_SETTINGS_MAX_FRAME_SIZE);
    settings.max_header_list_size = ask(native_, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE);
    settings.enable_connect_protocol = ask(native_, NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL);
    return settings;
}

Settings Session::local_settings() const {
    return settings_by([](nghttp2_session* native, int id) {
        return nghttp2_session_get_local_settings(native, static_cast<nghttp2_settings_id>(id));
    });
}

Settings Session::peer_settings() const {
    return settings_by([](nghttp2_session* native, int id) {
        return nghttp2_session_get_remote_settings(native, static_cast<nghttp2_settings_id>(id));
    });
}

std::string_view error_name(ErrorCode error) {
    return nghttp2_http2_strerror(static_cast<uint32_t>(error));
}

}  // namespace stampede::proto::http2
