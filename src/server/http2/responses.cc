#include "server/http2/responses.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "proto/http/message.h"
#include "proto/http/response_rules.h"
#include "server/http2/shared.h"
#include "server/http2/tunnel.h"
#include "server/service.h"

namespace stampede::server {

using proto::http2::BodyEnd;
using proto::http2::DataOffer;
using proto::http2::ErrorCode;
using proto::http2::HeadFields;

namespace {

// For one head after another: of the loop's one thread, so that its memory can be kept.
HeadFields kept_fields;

HeadFields& no_fields() {
    kept_fields.clear();
    return kept_fields;
}

// What HTTP/2 has no place for.
bool is_of_connection(std::string_view name) {
    using proto::http::equals_ignoring_case;
    switch (name.size()) {
        case 7:
            return equals_ignoring_case(name, "upgrade");
        case 10:
            return equals_ignoring_case(name, "connection") ||
                   equals_ignoring_case(name, "keep-alive");
        case 16:
            return equals_ignoring_case(name, "proxy-connection");
        case 17:
            return equals_ignoring_case(name, "transfer-encoding");
        default:
            return false;
    }
}

void add_given(HeadFields& set, const FieldRef* fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of_connection(fields[i].name)) {
            set.add(fields[i].name, proto::http::trimmed(fields[i].value));
        }
    }
}

// The proof of a handshake is one of HTTP/1 (RFC 8441 5).
void add_handshake(HeadFields& set, FieldList fields) {
    for (const FieldRef& field : fields) {
        bool of_http1 = is_of_connection(field.name) ||
                        proto::http::equals_ignoring_case(field.name, "sec-websocket-accept");
        if (!of_http1) {
            set.add(field.name, proto::http::trimmed(field.value));
        }
    }
}

}  // namespace

// ---- frames ------------------------------------------------------------------------------------

// Inside of the protocol. What is offered here it asks for at once, by send_frame(): in between
// nothing may take from the body, and nothing does. An offer of no bytes is one of the end alone,
// for a body that was all sent before it was known to be all.
DataOffer Http2Responses::offer_frame(Http2Stream& stream, size_t most) {
    Http2Stream::Response& response = stream.response;
    uint64_t size = response.body.size();
    if (size == 0 && !response.ended) {
        return {};
    }
    if (shared_.wire.full()) {
        shared_.wire.set_stale();
        return {.kind = DataOffer::Kind::kNoRoom};
    }
    auto count = static_cast<size_t>(std::min<uint64_t>(most, size));
    DataOffer::End end = DataOffer::End::kMore;
    if (count == size && response.ended) {
        end = response.trailers.empty() ? DataOffer::End::kLast : DataOffer::End::kTrailers;
    }
    if (end == DataOffer::End::kTrailers && !submit_trailers(stream)) {
        shared_.wire.reset(stream, ErrorCode::kInternalError);
        return {};
    }
    return {DataOffer::Kind::kBytes, end, count};
}

// Inside of the protocol. Frames are written one after another into the connection's queue:
//
//   cork: ... | head | bytes that are copied | head |            | head | ...
//   by reference:                                    `- 16 KiB -'
//
// The head is out before the body is seen to be short (a file was cut): then both are taken back.
// Waking a writer or the reader of a tunnel only queues it: it writes more into the body later,
// when this frame is complete.
bool Http2Responses::send_frame(Http2Stream& stream, std::string_view head, size_t size) {
    net::Connection& connection = shared_.wire.connection();
    Buffer& out = connection.cork();
    size_t mark = out.size();
    uint64_t referenced = connection.pending() - mark;
    out.append(head);
    Http2Stream::Response& response = stream.response;
    uint64_t before = response.body.size();
    if (!response.body.move_to(connection, size)) {
        take_back_frame(mark, referenced);
        return false;
    }
    response.moved += size;
    shared_.frames.guard().useful();
    Exchange* exchange = stream.exchange;
    bool low = before > kWakeBelow && response.body.size() <= kWakeBelow;
    if (stream.tunnel != nullptr) {
        stream.tunnel->drained();
    }
    if (exchange != nullptr && !exchange->writers.empty() && low) {
        shared_.wire.service().handler().drained(*exchange);
    }
    return true;
}

// A file became shorter while it was sent: its stream cannot go on, the others can. What lies in
// the cork can be taken back as long as nothing was queued by reference after it.
void Http2Responses::take_back_frame(size_t mark, uint64_t referenced) {
    Buffer& out = shared_.wire.connection().cork();
    if (shared_.wire.connection().pending() - out.size() == referenced) {
        out.unwrite(out.size() - mark);
    } else {  // half a frame cannot be taken back, and nothing can follow it
        shared_.wire.connection().close_with_reset(net::CloseCause::kError);
    }
}

// Inside of an offer, the only place where the protocol takes them: see Session::send_trailers().
bool Http2Responses::submit_trailers(Http2Stream& stream) {
    HeadFields& set = no_fields();
    std::string_view rest = stream.response.trailers.view();
    while (!rest.empty()) {
        std::string_view name = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(name.size() + 1);
        std::string_view value = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(value.size() + 1);
        set.add(name, value);
    }
    return shared_.wire.protocol().send_trailers(stream, set);
}

// ---- the exchange's response -------------------------------------------------------------------

void Http2Responses::write_head(Exchange& exchange, const ResponseHead& head,
                                uint64_t body_length) {
    Http2Stream& stream = *exchange.stream;
    int status = head.status;
    if (stream.tunnel != nullptr && status < 300) {
        status = 501;  // a success would open the tunnel: only upgrade() does that
    }
    bool may_have_body = proto::http::status_has_body(status);
    body_length = may_have_body ? body_length : 0;
    exchange.promise.make(body_length, exchange.is_head_request() || !may_have_body);
    char status_text[3] = {static_cast<char>('0' + status / 100),
                           static_cast<char>('0' + status / 10 % 10),
                           static_cast<char>('0' + status % 10)};
    HeadFields& set = no_fields();
    set.add(":status", {status_text, 3});
    add_given(set, head.fields, head.field_count);
    if (!(head.given & kGivenServer)) {
        set.add("server", "stampede");
    }
    if (!(head.given & kGivenDate)) {
        set.add("date", shared_.wire.service().fields().date());
    }
    if (may_have_body && !(head.given & kGivenContentType) &&
        (body_length != 0 || head.type_without_body)) {
        set.add("content-type", head.default_type);
    }
    char length_text[20];
    if (proto::http::status_has_length(status) && body_length != kUnknownLength) {
        char* end = std::to_chars(length_text, std::end(length_text), body_length).ptr;
        set.add("content-length", {length_text, static_cast<size_t>(end - length_text)});
    }
    bool empty = exchange.promise.suppressed() || body_length == 0;
    stream.response.bodiless = empty;
    submit_head(stream, set, empty ? BodyEnd::kLast : BodyEnd::kMore);
}

// A response whose head cannot be queued, for want of memory, would leave its peer waiting.
void Http2Responses::submit_head(Http2Stream& stream, const HeadFields& fields, BodyEnd end) {
    stream.response.submitted = true;
    if (!shared_.wire.protocol().respond(stream, fields, end)) {
        shared_.wire.reset(stream, ErrorCode::kInternalError);
    }
    shared_.wire.more_to_send(stream);
}

void Http2Responses::write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) {
    HeadFields& set = no_fields();
    set.add(":status", "103");
    add_given(set, fields, count);
    shared_.wire.protocol().inform(*exchange.stream, set);
    shared_.wire.touch();
}

// Bytes promised by a length: never more than promised are sent.
void Http2Responses::write_body(Exchange& exchange, std::string_view bytes) {
    if (exchange.promise.suppressed() || bytes.empty()) {
        return;
    }
    Http2Stream& stream = *exchange.stream;
    stream.response.body.append(bytes.substr(0, exchange.promise.take(bytes.size())));
    shared_.wire.more_to_send(stream);
}

void Http2Responses::write_body_ref(Exchange& exchange, const net::BytesRef& bytes) {
    Http2Stream& stream = *exchange.stream;
    stream.response.body.add(bytes);
    shared_.wire.more_to_send(stream);
}

void Http2Responses::write_file(Exchange& exchange, const net::FileRange& file) {
    uint64_t length = exchange.promise.take(file.length);
    if (exchange.promise.suppressed() || length == 0) {
        os::close_fd(file.fd);
        return;
    }
    Http2Stream& stream = *exchange.stream;
    stream.response.body.add({file.fd, file.offset, length});
    shared_.wire.more_to_send(stream);
}

void Http2Responses::write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) {
    Http2Stream& stream = *exchange.stream;
    if (exchange.promise.suppressed()) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of_connection(fields[i].name)) {
            stream.response.trailers.append(fields[i].name);
            stream.response.trailers.append('\0');
            stream.response.trailers.append(proto::http::trimmed(fields[i].value));
            stream.response.trailers.append('\0');
        }
    }
}

// In this order: the head, if there is none yet; the end of the body; and the parting last, since
// it may give the stream back, when the peer has closed it already. Less than was promised cannot
// be completed: the peer would wait for the rest.
void Http2Responses::finish(Exchange& exchange) {
    if (exchange.response() == ResponseState::kNone) {
        write_head(exchange, ResponseHead{}, 0);
        exchange.promise.settle();
    }
    Http2Stream& stream = *exchange.stream;
    stream.response.ended = true;
    shared_.wire.more_to_send(stream);
    if (exchange.promise.is_short()) {
        shared_.wire.reset(stream, ErrorCode::kInternalError);
    }
    part(stream, Parting::kComplete);
}

void Http2Responses::abort(Exchange& exchange) {
    Http2Stream& stream = *exchange.stream;
    shared_.wire.reset(stream, ErrorCode::kInternalError);
    part(stream, Parting::kAborted);
}

// ---- ends --------------------------------------------------------------------------------------

// The reference to the stream may be dead afterwards.
void Http2Responses::part(Http2Stream& stream, Parting how) {
    shared_.streams.part(stream, how);
    shared_.bodies.give_window_back();
    if (stream.closed) {
        shared_.streams.remove(stream);
    }
}

// Inside of the protocol: a request that goes on is not closed here but by its peer, or later by
// Http2Lingering. The RST_STREAM of a tunnel leaves in the same call of fill().
void Http2Responses::end_sent(Http2Stream& stream) {
    stream.response.end_sent = true;
    if (stream.request.ended) {
        return;
    }
    if (stream.request.head.protocol() == Http2RequestHead::Protocol::kNone) {
        shared_.lingering.add(stream);
    } else {  // a tunnel ends at once
        shared_.wire.reset(stream.id(), ErrorCode::kNoError);
    }
}

// Inside of the protocol, which forgets the stream after it. `closed` comes first: it tells the
// others not to ask the protocol for this number again, while the exchange is told.
void Http2Responses::stream_closed(Http2Stream& stream, ErrorCode error) {
    stream.closed = true;
    stream.LingeringNode::unlink();
    if (stream.exchange != nullptr && stream.response.bodiless && error == ErrorCode::kNoError) {
        return;  // the peer has its response, the handler goes on
    }
    shared_.streams.lose_exchange(stream);
    shared_.streams.remove(stream);
    shared_.bodies.give_window_back();
}

// ---- tunnels -----------------------------------------------------------------------------------

// The exchange ends here, the stream goes on as the tunnel's transport. The new session takes the
// place of TunnelSession; only then may bytes be read, which wait in the tunnel until now.
bool Http2Responses::upgrade(Exchange& exchange, FieldList fields,
                             std::unique_ptr<net::Session> next) {
    Http2Stream& stream = *exchange.stream;
    if (stream.tunnel == nullptr) {
        return false;  // there is no 101 in HTTP/2
    }
    HeadFields& set = no_fields();
    set.add(":status", "200");
    add_handshake(set, fields);
    submit_head(stream, set, BodyEnd::kMore);
    std::exchange(stream.exchange, nullptr)->part(shared_.wire.connection(), Parting::kUpgraded);
    net::Connection& connection = stream.tunnel->connection();
    shared_.wire.service().connections().hand_over(connection, {std::move(next)});
    connection.resume_reading();
    return true;
}

}  // namespace stampede::server
