// HTTP/1 as a Response writes it itself, without an exchange.
#include <ctime>

#include "classes/http/parsed_request.h"
#include "classes/http/response_carrier.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "proto/http/message.h"
#include "proto/http1/response_writer.h"
#include "zend/last_error.h"
#include "zend/view.h"

namespace stampede::classes {

using proto::coding::Flush;
using server::ResponseState;
using zend::view;

namespace {

constexpr uint64_t kUnknown = server::kUnknownLength;

void append_date(Buffer& out) {
    char text[proto::http::kDateLength];
    proto::http::format_date(::time(nullptr), text);
    out.append("Date: ");
    out.append({text, sizeof(text)});
    out.append("\r\n");
}

}  // namespace

bool ResponseCarrier::is_unfinished() const {
    if (state_ != ResponseState::kEnded) {
        return true;
    }
    zend::set_last_error(api_error::kHttpContextUnavailable);
    return false;
}

Http1Carrier::Http1Carrier(const RequestObject* request) {
    if (const proto::http::RequestHead* head =
            request != nullptr ? source_of(*request).head : nullptr) {
        is_head_ = head->method == proto::http::Method::kHead;
        closes_ = !head->keep_alive;
        knows_chunks_ = head->minor_version > 0;
        if (request->parsed != nullptr) {
            offer_coding(*request->parsed);
        }
    }
}

void Http1Carrier::offer_coding(const ParsedRequest& request) {
    bool asks = request.head().find(proto::http::KnownField::kAcceptEncoding) != nullptr;
    if (asks && !is_head_ && request.compression().enabled) {
        compression_ = std::make_unique<server::Compression>(request.compression());
        coding_ = server::Compression::coding_for(request.head(), request.bytes());
    }
}

// Puts what goes out for these bytes in their place. False when memory is short: the response is
// cut off.
bool Http1Carrier::code(ResponseObject& response, std::string_view& bytes, Flush flush,
                        Buffer& room) {
    if (state_ == ResponseState::kNone && compression_ != nullptr) {
        start_coding_as(response, *compression_, coding_,
                        flush == Flush::kFinish ? bytes.size() : kUnknown);
    }
    if (response.coder == nullptr) {
        return true;
    }
    if (!code_piece(response, bytes, flush, room)) {
        close();
        return false;
    }
    bytes = room.view();
    return true;
}

void Http1Carrier::append_framing(const server::ResponseHead& head, uint64_t length, Buffer& out) {
    suppressed_ = is_head_ || !proto::http::status_has_body(head.status);
    chunked_ = length == kUnknown && !suppressed_ && knows_chunks_;
    closes_ |= (head.given & server::kGivenConnectionClose) != 0 ||
               (length == kUnknown && !suppressed_ && !chunked_);
    remaining_ = length;
    out.append(closes_ ? "Connection: close\r\n" : "Connection: keep-alive\r\n");
    if (chunked_) {
        out.append("Transfer-Encoding: chunked\r\n");
    } else if (proto::http::status_has_length(head.status) && length != kUnknown) {
        proto::http1::append_content_length(out, length);
    }
}

void Http1Carrier::append_head(const server::ResponseHead& head, uint64_t length, Buffer& out) {
    if (head.reason.empty()) {
        proto::http1::append_status_line(out, head.status);
    } else {
        proto::http1::append_status_line(out, head.status, head.reason);
    }
    for (uint32_t i = 0; i < head.field_count; i++) {
        proto::http1::append_field(out, head.fields[i].name, head.fields[i].value);
    }
    if (!(head.given & server::kGivenServer)) {
        out.append("Server: stampede\r\n");
    }
    if (!(head.given & server::kGivenDate)) {
        append_date(out);
    }
    bool may_have_body = proto::http::status_has_body(head.status);
    if (may_have_body && !(head.given & server::kGivenContentType)) {
        proto::http1::append_field(out, "Content-Type", head.default_type);
    }
    append_framing(head, may_have_body ? length : 0, out);
    out.append("\r\n");
}

void Http1Carrier::begin(ResponseObject& response, uint64_t length, std::string_view type,
                         Buffer& out) {
    describe_head(
        response, {is_head_, length, type}, this,
        [](void* context, const server::ResponseHead& head, uint64_t body_length, Buffer& to) {
            static_cast<Http1Carrier*>(context)->append_head(head, body_length, to);
        },
        out);
    state_ = ResponseState::kStreaming;
}

// Never more than was promised: it would be read as the next response.
void Http1Carrier::append_body(std::string_view bytes, Buffer& out) {
    if (suppressed_ || bytes.empty()) {
        return;
    }
    if (chunked_) {
        proto::http1::append_chunk_prefix(out, bytes.size());
        out.append(bytes);
        out.append(proto::http1::kChunkSuffix);
        return;
    }
    if (remaining_ != kUnknown) {
        bytes = bytes.substr(0, remaining_);
        remaining_ -= bytes.size();
    }
    out.append(bytes);
}

void Http1Carrier::append_end(const ResponseObject& response, Buffer& out) const {
    if (!chunked_) {
        return;
    }
    out.append(proto::http1::kLastChunkBeforeTrailer);
    for (uint32_t i = 0; i < response.trailers.count; i++) {
        const ResponseField& field = response.trailers.items[i];
        if (Z_TYPE(field.value) == IS_STRING) {
            proto::http1::append_field(out, view(field.name), view(Z_STR(field.value)));
        }
    }
    out.append("\r\n");
}

bool Http1Carrier::write(ResponseObject& response, std::string_view bytes) {
    if (!is_unfinished() || !is_ready()) {
        return false;
    }
    Buffer out;
    Buffer coded;
    if (!code(response, bytes, Flush::kNow, coded)) {
        return false;
    }
    if (state_ == ResponseState::kNone) {
        begin(response, kUnknown, "text/html", out);
    }
    append_body(bytes, out);
    return send(out);
}

bool Http1Carrier::end(ResponseObject& response, std::string_view bytes) {
    if (!is_unfinished() || !is_ready()) {
        return false;
    }
    Buffer out;
    Buffer coded;
    if (!code(response, bytes, Flush::kFinish, coded)) {
        return false;
    }
    stop_coding(response);
    if (state_ == ResponseState::kNone) {
        begin(response, response.trailers.count > 0 ? kUnknown : bytes.size(), "text/html", out);
    }
    append_body(bytes, out);
    append_end(response, out);
    state_ = ResponseState::kEnded;
    return send(out);
}

bool Http1Carrier::send_file(ResponseObject& response, const ServedFile& file) {
    if (!is_ready()) {
        os::close_fd(file.range.fd);
        return false;
    }
    Buffer out;
    begin(response, file.range.length, file.type, out);
    state_ = ResponseState::kEnded;
    if (!suppressed_ && file.range.length > 0) {
        return send_with_file(out, file);
    }
    os::close_fd(file.range.fd);
    return send(out);
}

zend_object* make_carried_response(zend_long fd, std::unique_ptr<ResponseCarrier> carrier) {
    zend_object* socket = carrier->socket();
    zend_object* object = make_detached_response(fd, socket);
    response_of(object)->carrier = carrier.release();
    return object;
}

}  // namespace stampede::classes
