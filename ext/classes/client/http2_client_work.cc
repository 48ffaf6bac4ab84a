// The connection of an HTTP/2 client: bytes of the session out, bytes of the server in.
#include <algorithm>
#include <cerrno>

#include "classes/client/http2_client.h"
#include "error_numbers.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

using proto::coding::Decoder;
using proto::coding::DecodeStatus;
using proto::http2::Field;

constexpr uint32_t kCancel = 8;

Http2Client& self_of(void* self) { return *static_cast<Http2Client*>(self); }

H2Stream* stream_of(Http2Client& client, int32_t id) {
    auto found = client.streams.find(id);
    return found == client.streams.end() ? nullptr : found->second.get();
}

void queue(Http2Client& client, int32_t id, H2Stream& stream) {
    if (!stream.queued) {
        stream.queued = true;
        client.ready.push_back(id);
    }
}

void on_field(void* self, int32_t id, const Field& field) {
    H2Stream* stream = stream_of(self_of(self), id);
    if (stream == nullptr) {
        return;
    }
    if (field.name == ":status") {
        stream->status = std::atoi(std::string(field.value).c_str());
    } else if (!field.name.starts_with(':')) {
        stream->fields.emplace_back(field.name, field.value);
    }
}

void on_head(void* self, int32_t id) {
    Http2Client& client = self_of(self);
    H2Stream* stream = stream_of(client, id);
    if (stream == nullptr) {
        return;
    }
    if (stream->status >= 100 && stream->status < 200) {
        stream->fields.clear();  // the real one follows
        return;
    }
    if (stream->head_done) {
        return;  // trailers are fields like others
    }
    stream->head_done = true;
    for (const auto& [name, value] : stream->fields) {
        if (name == "content-encoding" && client.decode_body) {
            stream->decoder = Decoder::create(proto::coding::coding_by_name(value));
        }
    }
    if (stream->incremental) {
        queue(client, id, *stream);
    }
}

bool keep(Http2Client& client, H2Stream& stream, std::string_view bytes) {
    if (bytes.size() > client.body_limit - stream.body_bytes) {
        return false;
    }
    stream.body_bytes += bytes.size();
    stream.body.append(bytes);
    return true;
}

void on_body(void* self, int32_t id, std::string_view bytes) {
    Http2Client& client = self_of(self);
    H2Stream* stream = stream_of(client, id);
    if (stream == nullptr || stream->done) {
        return;
    }
    bool fine = true;
    if (stream->decoder == nullptr) {
        fine = keep(client, *stream, bytes);
    } else {
        auto status = stream->decoder->feed(
            bytes, [&](std::string_view piece) { return keep(client, *stream, piece); });
        fine = status == DecodeStatus::kNeedMore || status == DecodeStatus::kDone;
    }
    if (!fine) {
        client.too_large.push_back(id);
    } else if (stream->incremental) {
        queue(client, id, *stream);
    }
}

void finish(Http2Client& client, int32_t id, uint32_t error) {
    H2Stream* stream = stream_of(client, id);
    if (stream == nullptr || stream->done) {
        return;
    }
    stream->done = true;
    stream->error = error;
    queue(client, id, *stream);
}

void on_end(void* self, int32_t id, uint32_t error) { finish(self_of(self), id, error); }

void on_peer_end(void* self, int32_t id) { finish(self_of(self), id, 0); }

void on_goaway(void* self, uint32_t error, int32_t last_stream) {
    Http2Client& client = self_of(self);
    client.going_away = true;
    client.goaway_error = error;
    client.last_seen_stream = last_stream;
}

void give_up(Http2Client& client, int32_t id) {
    client.session->reset(id, kCancel);
    if (H2Stream* stream = stream_of(client, id)) {
        stream->body.release();
        finish(client, id, kCancel);
    }
}

bool has_whole(const Http2Client& client, int32_t id, Wanted wanted) {
    auto found = client.streams.find(id);
    if (found == client.streams.end()) {
        return false;
    }
    const H2Stream& stream = *found->second;
    return stream.done || (wanted == Wanted::kAnything && stream.incremental);
}

// Takes the first that can be given off the queue.
int32_t pop_ready(Http2Client& client, Wanted wanted) {
    for (auto at = client.ready.begin(); at != client.ready.end(); ++at) {
        int32_t id = *at;
        if (has_whole(client, id, wanted)) {
            client.ready.erase(at);
            client.streams[id]->queued = false;
            return id;
        }
    }
    return 0;
}

bool broken(Http2Client& client, long count) {
    int error = client.stream.error();
    if (count < 0 && (error == ETIMEDOUT || error == ECANCELED)) {
        return fail_h2(client, error, {});  // the connection is as good as before
    }
    std::string text = count < 0 ? client.stream.error_text() : std::string();
    int code = count < 0 ? error : ECONNRESET;
    if (client.going_away) {
        code = static_cast<int>(client.goaway_error);
        text = "the server went away: ";
        text += proto::http2::error_name(client.goaway_error);
    }
    close_h2(client);
    return fail_h2(client, code, text);
}

bool receive_some(Http2Client& client, Nanos deadline) {
    // One for all clients: it is empty again before anybody waits.
    static char bytes[16 * 1024];
    uint32_t incarnation = client.incarnation;
    long count = client.stream.receive(bytes, sizeof(bytes), deadline);
    if (incarnation != client.incarnation || client.session == nullptr) {
        return fail_h2(client, ECANCELED, {});
    }
    if (count <= 0) {
        return broken(client, count);
    }
    bool fine = client.session->feed({bytes, static_cast<size_t>(count)});
    for (int32_t id : client.too_large) {
        give_up(client, id);
    }
    client.too_large.clear();
    put_h2_long(client, H2Slot::kServerLastStreamId, client.last_seen_stream);
    if (!flush_h2(client)) {
        return false;
    }
    if (!fine) {
        close_h2(client);
        return fail_h2(client, api_error::kHttp2InternalError,
                       "the server broke the HTTP/2 protocol");
    }
    return true;
}

}  // namespace

bool fail_h2(Http2Client& client, int code, std::string_view text) {
    put_h2_long(client, H2Slot::kErrCode, code);
    put_h2_text(client, H2Slot::kErrMsg, text.empty() ? io::error_text(code) : text);
    zend::set_last_error(code);
    return false;
}

bool flush_h2(Http2Client& client) {
    if (client.session == nullptr) {
        return fail_h2(client, api_error::kClientNoConnection, "client is not connected to server");
    }
    if (client.sending) {
        return true;
    }
    client.sending = true;
    uint32_t incarnation = client.incarnation;
    for (;;) {
        std::string_view bytes = client.session->pending();
        if (bytes.empty()) {
            break;
        }
        size_t sent = client.stream.send_all(bytes, io::deadline_in(client.times.write));
        if (incarnation != client.incarnation) {
            return fail_h2(client, ECANCELED, {});
        }
        if (sent < bytes.size()) {
            int code = client.stream.error();
            std::string text = client.stream.error_text();
            close_h2(client);
            return fail_h2(client, code, text);
        }
    }
    client.sending = false;
    return true;
}

bool connect_h2(Http2Client& client) {
    close_h2(client);
    if (client.plan.tls && client.plan.ssl.options.alpn.empty()) {
        client.plan.ssl.options.alpn.emplace_back("h2");
    }
    Nanos deadline = std::min(io::deadline_in(client.times.connect), io::deadline_in(client.total));
    if (!dial(client.stream, client.plan, deadline, client.failure)) {
        return fail_h2(client, client.failure.code, client.failure.text);
    }
    if (client.plan.tls && client.stream.tls()->alpn() != "h2") {
        close_h2(client);
        return fail_h2(client, api_error::kHttp2InternalError,
                       "the server does not speak HTTP/2 (ALPN h2)");
    }
    proto::http2::Events events{&client, on_field,    on_body,   on_end,
                                on_head, on_peer_end, on_goaway, nullptr};
    client.session =
        proto::http2::Session::create(proto::http2::Role::kClient, client.settings, events);
    client.going_away = false;
    client.last_seen_stream = 0;
    if (client.session == nullptr) {
        close_h2(client);
        return fail_h2(client, ENOMEM, {});
    }
    zval yes;
    ZVAL_TRUE(&yes);
    put_h2(client, H2Slot::kConnected, &yes);
    put_h2_long(client, H2Slot::kSock, client.stream.fd());
    return flush_h2(client);
}

void close_h2(Http2Client& client) {
    client.incarnation++;
    client.sending = false;
    client.stream.close();
    client.session.reset();
    client.streams.clear();
    client.ready.clear();
    client.too_large.clear();
    zval no;
    ZVAL_FALSE(&no);
    put_h2(client, H2Slot::kConnected, &no);
    put_h2_long(client, H2Slot::kSock, -1);
}

int32_t await_h2(Http2Client& client, Wanted wanted, Nanos deadline) {
    for (;;) {
        if (int32_t id = pop_ready(client, wanted)) {
            return id;
        }
        if (client.session == nullptr) {
            fail_h2(client, api_error::kClientNoConnection, "client is not connected to server");
            return 0;
        }
        if (client.going_away && client.streams.empty()) {
            broken(client, 0);
            return 0;
        }
        client.receiver = runtime::Runtime::get().current();
        bool received = receive_some(client, deadline);
        client.receiver = nullptr;
        if (!received && client.ready.empty()) {
            return 0;
        }
    }
}

}  // namespace stampede::classes::client
