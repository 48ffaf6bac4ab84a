#include "client/http2/connection.h"

#include <charconv>

namespace stampede::client::http2 {

using proto::coding::Decoder;
using proto::coding::DecodeStatus;
using proto::http2::Field;

std::unique_ptr<Connection> Connection::create(const proto::http2::Settings& settings,
                                               const Limits& limits) {
    std::unique_ptr<Connection> made(new Connection(limits));
    proto::http2::Events events;
    events.self = made.get();
    events.on_field = [](void* self, int32_t id, const Field& field) {
        of(self).take_field(id, field);
    };
    events.on_head = [](void* self, int32_t id) { of(self).end_head(id); };
    events.on_body = [](void* self, int32_t id, std::string_view bytes) {
        of(self).take_body(id, bytes);
    };
    events.on_peer_end = [](void* self, int32_t id) { of(self).finish(id, 0); };
    events.on_end = [](void* self, int32_t id, uint32_t error) { of(self).finish(id, error); };
    events.on_goaway = [](void* self, uint32_t error, int32_t last_stream) {
        of(self).going_away_ = true;
        of(self).goaway_error_ = error;
        of(self).last_seen_stream_ = last_stream;
    };
    made->session_ = proto::http2::Session::create(proto::http2::Role::kClient, settings, events);
    return made->session_ != nullptr ? std::move(made) : nullptr;
}

bool Connection::feed(std::string_view bytes) {
    bool fine = session_->feed(bytes);
    for (int32_t id : unwanted_) {
        give_up(id);
    }
    unwanted_.clear();
    return fine;
}

int32_t Connection::request(const std::vector<Field>& fields, proto::http2::BodyEnd end,
                            Taking taking) {
    int32_t id = session_->request(fields, end);
    if (id > 0) {
        auto stream = std::make_unique<Stream>();
        stream->taking = taking;
        streams_[id] = std::move(stream);
    }
    return id;
}

Connection::Stream* Connection::find(int32_t id) {
    auto found = streams_.find(id);
    return found == streams_.end() ? nullptr : found->second.get();
}

void Connection::queue(int32_t id, Stream& stream) {
    if (!stream.queued) {
        stream.queued = true;
        ready_.push_back(id);
    }
}

void Connection::take_field(int32_t id, const Field& field) {
    Stream* stream = find(id);
    if (stream == nullptr) {
        return;
    }
    if (field.name == ":status") {
        const char* text = field.value.data();
        std::from_chars(text, text + field.value.size(), stream->response.status);
    } else if (!field.name.starts_with(':')) {
        stream->response.fields.emplace_back(field.name, field.value);
    }
}

void Connection::end_head(int32_t id) {
    Stream* stream = find(id);
    if (stream == nullptr) {
        return;
    }
    Response& response = stream->response;
    if (response.status >= 100 && response.status < 200) {
        response.fields.clear();  // the real one follows
        return;
    }
    if (stream->head_done) {
        return;  // trailers are fields like others
    }
    stream->head_done = true;
    for (const auto& [name, value] : response.fields) {
        if (name == "content-encoding" && limits_.decode_body) {
            stream->decoder = Decoder::create(proto::coding::coding_by_name(value));
        }
    }
    if (stream->taking == Taking::kInPieces) {
        queue(id, *stream);
    }
}

bool Connection::keep(Stream& stream, std::string_view bytes) {
    if (stream.body_bytes > limits_.body_bytes ||
        bytes.size() > limits_.body_bytes - stream.body_bytes) {
        return false;
    }
    stream.body_bytes += bytes.size();
    stream.response.body.append(bytes);
    return true;
}

void Connection::take_body(int32_t id, std::string_view bytes) {
    Stream* stream = find(id);
    if (stream == nullptr || stream->response.done) {
        return;
    }
    bool fine = true;
    if (stream->decoder == nullptr) {
        fine = keep(*stream, bytes);
    } else {
        DecodeStatus status = stream->decoder->feed(
            bytes, [&](std::string_view piece) { return keep(*stream, piece); });
        fine = status == DecodeStatus::kNeedMore || status == DecodeStatus::kDone;
    }
    if (!fine) {
        unwanted_.push_back(id);
    } else if (stream->taking == Taking::kInPieces) {
        queue(id, *stream);
    }
}

void Connection::finish(int32_t id, uint32_t error) {
    Stream* stream = find(id);
    if (stream == nullptr || stream->response.done) {
        return;
    }
    stream->response.done = true;
    stream->response.error = error;
    queue(id, *stream);
}

void Connection::give_up(int32_t id) {
    constexpr uint32_t kCancel = 8;
    session_->reset(id, kCancel);
    if (Stream* stream = find(id)) {
        stream->response.body.release();
        finish(id, kCancel);
    }
}

bool Connection::has(const Stream& stream, Wanted wanted) const {
    return stream.response.done ||
           (wanted == Wanted::kAnything && stream.taking == Taking::kInPieces);
}

int32_t Connection::next_ready(Wanted wanted) {
    for (auto at = ready_.begin(); at != ready_.end(); ++at) {
        int32_t id = *at;
        Stream* stream = find(id);
        if (stream != nullptr && has(*stream, wanted)) {
            ready_.erase(at);
            stream->queued = false;
            return id;
        }
    }
    return 0;
}

void Connection::taken(int32_t id) {
    Stream* stream = find(id);
    if (stream == nullptr) {
        return;
    }
    stream->response.body.release();
    if (stream->response.done) {
        streams_.erase(id);
    }
}

}  // namespace stampede::client::http2
