// The output half of Http1Session: responses -> framed bytes in the connection's cork buffer.
#include <cstring>

#include "proto/http1/response_writer.h"
#include "server/http1/session.h"
#include "server/service.h"

namespace stampede::server {

namespace {

using proto::http1::append_content_length;

// One reservation, plain copies: this runs for every response.
void append_fields(Buffer& out, const ResponseHead& head) {
    for (uint32_t i = 0; i < head.field_count; i++) {
        const FieldRef& field = head.fields[i];
        size_t size = field.name.size() + field.value.size() + 4;
        char* to = out.reserve(size);
        std::memcpy(to, field.name.data(), field.name.size());
        to += field.name.size();
        *to++ = ':';
        *to++ = ' ';
        std::memcpy(to, field.value.data(), field.value.size());
        to += field.value.size();
        *to++ = '\r';
        *to = '\n';
        out.commit(size);
    }
}

}  // namespace

// Decides how the body's end will be known, and whether the connection can go on after it.
void Http1Session::settle_framing(Exchange& exchange, const ResponseHead& head,
                                  uint64_t body_length) {
    bool suppressed = exchange.is_head_request() || !proto::http::status_has_body(head.status);
    exchange.promise.make(body_length, suppressed);
    bool open_end = body_length == kUnknownLength && !suppressed;
    chunks_ = open_end && exchange.head.minor_version == 1;
    if (open_end && !chunks_) {
        keep_alive_ = KeepAlive::kEnds;  // only the close ends such a body
    }
    // What is left of the body is not waited for.
    if ((head.given & kGivenConnectionClose) || in_body() || service_.ends_connections() ||
        connection_.peer_ended()) {
        keep_alive_ = KeepAlive::kEnds;
    }
}

// Server, Date and Connection when the handler gave one of the first two itself.
void Http1Session::append_unusual_fields(Buffer& out, const ResponseHead& head) {
    if (!(head.given & kGivenServer)) {
        out.append("Server: stampede\r\n");
    }
    if (!(head.given & kGivenDate)) {
        out.append("Date: ");
        out.append(service_.fields().date());
        out.append("\r\n");
    }
    out.append(ends() ? std::string_view("Connection: close\r\n")
                      : std::string_view("Connection: keep-alive\r\n"));
}

void Http1Session::write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length) {
    bool may_have_body = proto::http::status_has_body(head.status);
    body_length = may_have_body ? body_length : 0;
    settle_framing(exchange, head, body_length);
    Buffer& out = connection_.cork();
    if (head.reason.empty()) {
        proto::http1::append_status_line(out, head.status);
    } else {
        proto::http1::append_status_line(out, head.status, head.reason);
    }
    append_fields(out, head);
    if ((head.given & (kGivenServer | kGivenDate)) == 0) {
        out.append(ends() ? service_.fields().closing() : service_.fields().keep_alive());
    } else {
        append_unusual_fields(out, head);
    }
    if (may_have_body && !(head.given & kGivenContentType) &&
        (body_length != 0 || head.type_without_body)) {
        out.append("Content-Type: ");
        out.append(head.default_type);
        out.append("\r\n");
    }
    if (chunks_) {
        out.append("Transfer-Encoding: chunked\r\n");
    } else if (proto::http::status_has_length(head.status) && body_length != kUnknownLength) {
        append_content_length(out, body_length);
    }
    out.append("\r\n");
    connection_.mark_dirty();
}

// HTTP/1.0 has no interim responses.
void Http1Session::write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) {
    if (exchange.head.minor_version == 0) {
        return;
    }
    Buffer& out = connection_.cork();
    out.append("HTTP/1.1 103 Early Hints\r\n");
    ResponseHead hints;
    hints.fields = fields;
    hints.field_count = count;
    append_fields(out, hints);
    out.append("\r\n");
    connection_.mark_dirty();
}

// Bytes promised by a length: never more than promised are sent.
void Http1Session::write_body(Exchange& exchange, std::string_view bytes) {
    if (exchange.promise.suppressed() || bytes.empty()) {
        return;
    }
    if (chunks_) {
        Buffer& out = connection_.cork();
        proto::http1::append_chunk_prefix(out, bytes.size());
        out.append(bytes);
        out.append(proto::http1::kChunkSuffix);
    } else {
        connection_.cork().append(bytes.substr(0, exchange.promise.take(bytes.size())));
    }
    connection_.mark_dirty();
}

void Http1Session::write_body_ref(Exchange&, const net::BytesRef& bytes) {
    if (chunks_) {
        proto::http1::append_chunk_prefix(connection_.cork(), bytes.bytes.size());
    }
    connection_.write_ref(bytes);
    if (chunks_) {
        connection_.cork().append(proto::http1::kChunkSuffix);
    }
    connection_.mark_dirty();
}

void Http1Session::write_file(Exchange& exchange, const net::FileRange& file) {
    uint64_t length = exchange.promise.take(file.length);
    if (exchange.promise.suppressed() || length == 0) {
        os::close_fd(file.fd);
        return;
    }
    connection_.write_file({file.fd, file.offset, length});
    connection_.mark_dirty();
}

void Http1Session::write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) {
    if (!chunks_) {
        return;  // nothing but a chunked body can carry them
    }
    Buffer& out = connection_.cork();
    out.append(proto::http1::kLastChunkBeforeTrailer);
    ResponseHead trailer;
    trailer.fields = fields;
    trailer.field_count = count;
    append_fields(out, trailer);
    out.append("\r\n");
    chunks_ = false;  // ended
    exchange.promise.settle();
    connection_.mark_dirty();
}

void Http1Session::end_response(Exchange& exchange) {
    if (exchange.response() == ResponseState::kNone) {
        write_head(exchange, ResponseHead{}, 0);
        exchange.promise.settle();
    } else if (chunks_ && !exchange.promise.suppressed()) {
        connection_.cork().append(proto::http1::kLastChunk);
        connection_.mark_dirty();
    }
}

void Http1Session::finish(Exchange& exchange) {
    end_response(exchange);
    bool short_body = exchange.promise.is_short();
    part(Parting::kComplete);
    if (short_body) {
        stop();
        connection_.close_after_flush();
    } else if (ends() || in_body()) {
        close_after_response();
    } else {
        go_on();
    }
}

// A peer that may still be sending must be able to read the response.
void Http1Session::close_after_response() {
    bool more_may_come = !in_.empty() || in_body();
    stop();
    if (more_may_come) {
        connection_.close_lingering();
    } else {
        connection_.close_after_flush();
    }
}

// The next request. One that was kept is looked at in the ready phase, by serve().
void Http1Session::go_on() {
    reading_ = Reading::kHead;
    serving_ = Serving::kNothing;
    connection_.set_deadline(service_.loop().iteration_time() +
                             service_.limits(connection_).idle_time);
    if (!in_.empty()) {
        schedule();
        return;
    }
    if (in_.capacity() > 0) {
        in_.release();
    }
    connection_.resume_reading();
}

void Http1Session::abort(Exchange&) {
    part(Parting::kAborted);
    stop();
    connection_.close_after_flush();
}

// A ready-made response; the application is not called. The peer may still be sending:
// it must be able to read why, so the close lingers.
void Http1Session::refuse(int status) {
    service_.log(connection_, exchange_, status);
    bool begun = exchange_ != nullptr && exchange_->response() != ResponseState::kNone;
    if (exchange_ == nullptr || !exchange_->in_metrics) {
        service_.count(exchange_, begun ? static_cast<uint8_t>(metrics::Ending::kCut)
                                        : metrics::ending_of(status));
    }
    service_.count_refusal(status);
    if (exchange_ != nullptr) {
        service_.requests().ended(*exchange_);  // it has its line
    }
    bool is_head = exchange_ != nullptr && exchange_->is_head_request();
    // A response that has begun while its request came is just cut off.
    if (!begun) {
        proto::http1::append_error(
            connection_.cork(), status, service_.fields().date(),
            is_head ? proto::http1::ErrorBody::kOmit : proto::http1::ErrorBody::kSend);
    }
    drop_exchange();
    stop();
    connection_.mark_dirty();
    connection_.close_lingering();
}

}  // namespace stampede::server
