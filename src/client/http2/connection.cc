#include "client/http2/connection.h"

#include <algorithm>
#include <charconv>

namespace stampede::client::http2 {

using proto::coding::Decoder;
using proto::coding::DecodeStatus;
using proto::http2::BodyEnd;
using proto::http2::DataOffer;
using proto::http2::ErrorCode;
using proto::http2::Field;
using proto::http2::FieldVerdict;
using proto::http2::HeadKind;

std::unique_ptr<Connection> Connection::create(const proto::http2::Settings& settings,
                                               const Limits& limits) {
    std::unique_ptr<Connection> made(new Connection(limits));
    made->head_bytes_ = settings.max_header_list_size;
    proto::http2::Options options;
    options.settings = settings;
    made->session_ = proto::http2::Session::create(proto::http2::Role::kClient, options, *made);
    return made->session_ != nullptr ? std::move(made) : nullptr;
}

// ---- bytes -------------------------------------------------------------------------------------

bool Connection::feed(std::string_view bytes) {
    bool fine = session_->feed(bytes) == proto::http2::Fed::kFine;
    for (int32_t id : unwanted_) {
        give_up(id);
    }
    unwanted_.clear();
    return fine;
}

// The session takes what comes after a violation as if it were fine, and reads nothing more once it
// has said GOAWAY. It is finished, too, when a side went away and all streams have ended.
bool Connection::protocol_is_broken() const {
    bool orderly = (going_away_ || leaving_) && open_ == 0;
    return session_->finished() && !orderly;
}

// DATA goes into out_ by send_data(), ahead of the frames that are returned after it.
std::string_view Connection::pending() {
    out_.clear();
    out_.append(session_->next_frames());
    if (out_.empty()) {
        out_.release();
    }
    return out_.view();
}

DataOffer Connection::offer_data(proto::http2::Stream& of, size_t most) {
    auto& stream = static_cast<Stream&>(of);
    if (stream.out.empty() && stream.end == BodyEnd::kMore) {
        return {};
    }
    if (out_.size() >= kMostPending) {
        return {.kind = DataOffer::Kind::kNoRoom};
    }
    size_t size = std::min(most, stream.out.size());
    bool last = size == stream.out.size() && stream.end == BodyEnd::kLast;
    return {DataOffer::Kind::kBytes, last ? DataOffer::End::kLast : DataOffer::End::kMore, size};
}

bool Connection::send_data(proto::http2::Stream& of, std::string_view frame_head, size_t size) {
    auto& stream = static_cast<Stream&>(of);
    out_.append(frame_head);
    out_.append(stream.out.view().substr(0, size));
    stream.out.consume(size);
    if (stream.out.empty()) {
        stream.out.release();
    }
    return true;
}

// ---- requests ----------------------------------------------------------------------------------

int32_t Connection::request(const std::vector<Field>& fields, BodyEnd end, Taking taking) {
    auto stream = std::make_unique<Stream>();
    stream->taking = taking;
    stream->end = end;
    if (!session_->request(*stream, proto::http2::HeadFields(fields), end)) {
        return 0;
    }
    int32_t id = stream->id();
    streams_[id] = std::move(stream);
    awaited_++;
    open_++;
    return id;
}

Connection::Stream* Connection::find(int32_t id) {
    auto found = streams_.find(id);
    return found == streams_.end() ? nullptr : found->second.get();
}

Connection::Stream* Connection::find_writable(int32_t id) {
    Stream* stream = find(id);
    bool writable = stream != nullptr && !stream->closed && stream->end == BodyEnd::kMore;
    return writable ? stream : nullptr;
}

bool Connection::write(int32_t id, std::string_view bytes, BodyEnd end) {
    Stream* stream = find_writable(id);
    if (stream == nullptr) {
        return false;
    }
    stream->out.append(bytes);
    stream->end = end;
    session_->resume(*stream);
    return true;
}

size_t Connection::unsent(int32_t id) const {
    auto found = streams_.find(id);
    return found == streams_.end() ? 0 : found->second->out.size();
}

// ---- responses ---------------------------------------------------------------------------------

void Connection::queue(Stream& stream) {
    if (!stream.queued) {
        stream.queued = true;
        ready_.push_back(stream.id());
    }
}

FieldVerdict Connection::take_field(proto::http2::Stream& of, HeadKind, const Field& field) {
    constexpr uint32_t kOverhead = 32;  // RFC 9113 6.5.2
    auto& stream = static_cast<Stream&>(of);
    stream.field_bytes += static_cast<uint32_t>(field.name.size() + field.value.size()) + kOverhead;
    stream.field_count++;
    if (stream.field_bytes > head_bytes_ || stream.field_count > limits_.head_fields) {
        return FieldVerdict::kResetStream;
    }
    if (field.name == ":status") {
        const char* text = field.value.data();
        std::from_chars(text, text + field.value.size(), stream.response.status);
    } else if (!field.name.starts_with(':')) {
        stream.response.fields.emplace_back(field.name, field.value);
    }
    return FieldVerdict::kTaken;
}

void Connection::head_ended(proto::http2::Stream* of, HeadKind,
                            const proto::http2::FrameHead& head) {
    if (of == nullptr) {
        return;
    }
    auto& stream = static_cast<Stream&>(*of);
    end_head(stream);
    if (head.ends_stream()) {
        finish(stream, ErrorCode::kNoError);
    }
}

void Connection::end_head(Stream& stream) {
    Response& response = stream.response;
    if (response.status >= 100 && response.status < 200) {
        response.fields.clear();  // the real one follows
        return;
    }
    if (stream.head_done) {
        return;  // trailers are fields like others
    }
    stream.head_done = true;
    for (const auto& [name, value] : response.fields) {
        if (name == "content-encoding" && limits_.decode_body) {
            stream.decoder = Decoder::create(proto::coding::coding_by_name(value));
        }
    }
    if (stream.taking == Taking::kInPieces) {
        queue(stream);
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

void Connection::take_data(proto::http2::Stream* of, std::string_view bytes) {
    auto* stream = static_cast<Stream*>(of);
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
        unwanted_.push_back(stream->id());
    } else if (stream->taking == Taking::kInPieces) {
        queue(*stream);
    }
}

void Connection::data_ended(proto::http2::Stream* of, const proto::http2::DataFrame& frame) {
    if (of != nullptr && frame.head.ends_stream()) {
        finish(static_cast<Stream&>(*of), ErrorCode::kNoError);
    }
}

void Connection::goaway_received(const proto::http2::Goaway& goaway) {
    going_away_ = true;
    goaway_ = goaway;
}

// ---- ends --------------------------------------------------------------------------------------

void Connection::finish(Stream& stream, ErrorCode error) {
    if (!stream.response.done) {
        stream.response.done = true;
        stream.response.error = error;
        queue(stream);
    }
}

void Connection::stream_closed(proto::http2::Stream& of, ErrorCode error) {
    auto& stream = static_cast<Stream&>(of);
    stream.closed = true;
    stream.out.release();
    open_--;
    finish(stream, error);
    forget_when_over(stream);
}

// The stream is closed when the reset leaves.
void Connection::give_up(int32_t id) {
    session_->reset(id, ErrorCode::kCancel);
    if (Stream* stream = find(id)) {
        stream->response.body.release();
        finish(*stream, ErrorCode::kCancel);
    }
}

void Connection::forget_when_over(Stream& stream) {
    if (stream.closed && stream.taken) {
        streams_.erase(stream.id());
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
    if (stream->response.done && !stream->taken) {
        stream->taken = true;
        awaited_--;
        forget_when_over(*stream);
    }
}

}  // namespace stampede::client::http2
