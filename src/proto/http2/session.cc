#include "proto/http2/session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstring>

namespace stampede::proto::http2 {

// What nghttp2 calls.
struct Callbacks {
    static Session& session_of(void* user) { return *static_cast<Session*>(user); }

    static Session::Stream* stream_of(Session& session, int32_t id) {
        auto found = session.streams_.find(id);
        return found == session.streams_.end() ? nullptr : found->second.get();
    }

    static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
        Session& session = session_of(user);
        auto& stream = session.streams_[frame->hd.stream_id];
        if (stream == nullptr) {
            stream = std::make_unique<Session::Stream>();
        }
        return 0;
    }

    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                         size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                         void* user) {
        constexpr uint32_t kOverhead = 32;  // RFC 9113 6.5.2
        Session& session = session_of(user);
        Session::Stream* stream = stream_of(session, frame->hd.stream_id);
        if (stream == nullptr) {
            return 0;
        }
        stream->field_bytes += static_cast<uint32_t>(name_size + value_size) + kOverhead;
        stream->field_count++;
        if (stream->field_bytes > session.settings_.max_header_list_size ||
            stream->field_count > session.settings_.max_header_fields) {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // the stream is reset
        }
        session.events_.on_field(session.events_.self, frame->hd.stream_id,
                                 {{reinterpret_cast<const char*>(name), name_size},
                                  {reinterpret_cast<const char*>(value), value_size}});
        return 0;
    }

    static int on_data_chunk(nghttp2_session*, uint8_t, int32_t id, const uint8_t* data,
                             size_t size, void* user) {
        Session& session = session_of(user);
        session.events_.on_body(session.events_.self, id,
                                {reinterpret_cast<const char*>(data), size});
        return 0;
    }

    static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
        Session& session = session_of(user);
        const Events& events = session.events_;
        bool of_stream = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
        if (frame->hd.type == NGHTTP2_HEADERS && events.on_head != nullptr) {
            events.on_head(events.self, frame->hd.stream_id);
        }
        bool last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
        if (of_stream && last && events.on_peer_end != nullptr) {
            events.on_peer_end(events.self, frame->hd.stream_id);
        }
        if (frame->hd.type == NGHTTP2_GOAWAY && events.on_goaway != nullptr) {
            events.on_goaway(events.self, frame->goaway.error_code, frame->goaway.last_stream_id);
        }
        bool response = (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0;
        if (frame->hd.type == NGHTTP2_PING && response && events.on_ping_response != nullptr) {
            events.on_ping_response(events.self);
        }
        return 0;
    }

    static int on_stream_close(nghttp2_session*, int32_t id, uint32_t error, void* user) {
        Session& session = session_of(user);
        session.streams_.erase(id);
        session.events_.on_end(session.events_.self, id, error);
        return 0;
    }

    static ssize_t read_body(nghttp2_session*, int32_t id, uint8_t* out, size_t capacity,
                             uint32_t* flags, nghttp2_data_source*, void* user) {
        Session::Stream* stream = stream_of(session_of(user), id);
        if (stream == nullptr) {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
        }
        if (stream->out.empty() && stream->end == BodyEnd::kMore) {
            stream->deferred = true;
            return NGHTTP2_ERR_DEFERRED;
        }
        size_t count = std::min(capacity, stream->out.size());
        if (count > 0) {
            std::memcpy(out, stream->out.data(), count);
            stream->out.consume(count);
        }
        if (stream->out.empty()) {
            stream->out.release();
            if (stream->end == BodyEnd::kLast) {
                *flags |= NGHTTP2_DATA_FLAG_EOF;
            }
        }
        return static_cast<ssize_t>(count);
    }
};

std::unique_ptr<Session> Session::create(Role role, const Settings& settings,
                                         const Events& events) {
    std::unique_ptr<Session> session(new Session(settings, events));
    return session->start(role) ? std::move(session) : nullptr;
}

bool Session::start(Role role) {
    nghttp2_session_callbacks* callbacks = nullptr;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) {
        return false;
    }
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, Callbacks::on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::on_data_chunk);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Callbacks::on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::on_stream_close);
    int result = role == Role::kClient ? nghttp2_session_client_new(&session_, callbacks, this)
                                       : nghttp2_session_server_new(&session_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    if (result != 0) {
        return false;
    }
    const nghttp2_settings_entry entries[] = {
        {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings_.header_table_size},
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings_.max_concurrent_streams},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings_.initial_window_size},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings_.max_frame_size},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings_.max_header_list_size},
    };
    // A server says nothing about pushes.
    bool server = role == Role::kServer;
    nghttp2_settings_entry chosen[6];
    size_t count = 0;
    for (const nghttp2_settings_entry& entry : entries) {
        if (!server || entry.settings_id != NGHTTP2_SETTINGS_ENABLE_PUSH) {
            chosen[count++] = entry;
        }
    }
    // The window of the connection is as large as four streams'.
    auto window = static_cast<int32_t>(
        std::min<uint64_t>(uint64_t{settings_.initial_window_size} * 4, INT32_MAX));
    return nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, chosen, count) == 0 &&
           nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0,
                                                 std::max(window, 65535)) == 0;
}

Session::~Session() {
    events_ = Events{nullptr, [](void*, int32_t, const Field&) {},
                     [](void*, int32_t, std::string_view) {}, [](void*, int32_t, uint32_t) {}};
    nghttp2_session_del(session_);
}

bool Session::feed(std::string_view bytes) {
    ssize_t used = nghttp2_session_mem_recv(
        session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    return used >= 0;
}

std::string_view Session::pending() {
    const uint8_t* bytes = nullptr;
    ssize_t size = nghttp2_session_mem_send(session_, &bytes);
    return size > 0
               ? std::string_view(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size))
               : std::string_view();
}

bool Session::wants_write() const { return nghttp2_session_want_write(session_) != 0; }

bool Session::finished() const {
    return !wants_write() && nghttp2_session_want_read(session_) == 0;
}

int32_t Session::request(const std::vector<Field>& fields, BodyEnd end) {
    std::vector<nghttp2_nv> list;
    list.reserve(fields.size());
    for (const Field& field : fields) {
        list.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(field.name.data())),
                        reinterpret_cast<uint8_t*>(const_cast<char*>(field.value.data())),
                        field.name.size(), field.value.size(), NGHTTP2_NV_FLAG_NONE});
    }
    nghttp2_data_provider body{};
    body.read_callback = Callbacks::read_body;
    int32_t id = nghttp2_submit_request(session_, nullptr, list.data(), list.size(),
                                        end == BodyEnd::kLast ? nullptr : &body, nullptr);
    if (id > 0) {
        streams_[id] = std::make_unique<Stream>();
        streams_[id]->end = end;
    }
    return id;
}

bool Session::is_writable(int32_t id) const {
    auto found = streams_.find(id);
    return found != streams_.end() && found->second->end == BodyEnd::kMore;
}

bool Session::write(int32_t id, std::string_view bytes, BodyEnd end) {
    if (!is_writable(id)) {
        return false;
    }
    Stream& stream = *streams_[id];
    stream.out.append(bytes);
    stream.end = end;
    if (stream.deferred) {
        stream.deferred = false;
        return nghttp2_session_resume_data(session_, id) == 0;
    }
    return true;
}

size_t Session::unsent(int32_t id) const {
    auto found = streams_.find(id);
    return found == streams_.end() ? 0 : found->second->out.size();
}

void Session::reset(int32_t id, uint32_t error) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, error);
}

void Session::ping() { nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr); }

void Session::goaway(uint32_t error, std::string_view text) {
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session_), error,
                          reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

bool Session::exists(int32_t id) const { return streams_.contains(id); }

int32_t Session::last_stream() const {
    return static_cast<int32_t>(nghttp2_session_get_next_stream_id(session_)) - 2;
}

uint32_t Session::local_setting(int id) const {
    return nghttp2_session_get_local_settings(session_, static_cast<nghttp2_settings_id>(id));
}

uint32_t Session::remote_setting(int id) const {
    return nghttp2_session_get_remote_settings(session_, static_cast<nghttp2_settings_id>(id));
}

std::string_view error_name(uint32_t error) { return nghttp2_http2_strerror(error); }

}  // namespace stampede::proto::http2
