#include "server/exchange.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "os/log.h"
#include "proto/http/multipart.h"
#include "server/http_session.h"
#include "server/service.h"

namespace stampede::server {

namespace {

constexpr uint64_t kCopyBelow = 16 * 1024;  // larger pieces are sent from where they lie

}  // namespace

Exchange::~Exchange() {
    if (bytes_ != inline_) {
        std::free(bytes_);
    }
}

void Exchange::begin(HttpSession& session, net::Connection& connection, int32_t stream_id) {
    session_ = &session;
    connection_ = &connection;
    connection_id_ = static_cast<int64_t>(connection.id());
    stream_id_ = stream_id;
    received_at_ = service_.loop().iteration_time();
}

void Exchange::make_room(size_t size) {
    char* fresh = static_cast<char*>(std::malloc(size));
    if (fresh == nullptr) {
        std::abort();
    }
    std::memcpy(fresh, bytes_, head_size_);
    if (bytes_ != inline_) {
        std::free(bytes_);
    }
    bytes_ = fresh;
    capacity_ = size;
}

void Exchange::adopt_head(const char* data, size_t size) {
    if (size > capacity_) {
        make_room(size);
    }
    std::memcpy(bytes_, data, size);
}

Exchange::Line Exchange::append_line(std::string_view name, std::string_view value) {
    size_t size = name.size() + value.size() + 4;
    if (size > capacity_ - head_size_) {
        make_room((head_size_ + size) * 2);
    }
    Line line{
        {static_cast<uint32_t>(head_size_), static_cast<uint32_t>(name.size())},
        {static_cast<uint32_t>(head_size_ + name.size() + 2), static_cast<uint32_t>(value.size())}};
    char* to = bytes_ + head_size_;
    std::memcpy(to, name.data(), name.size());
    to += name.size();
    *to++ = ':';
    *to++ = ' ';
    std::memcpy(to, value.data(), value.size());
    to += value.size();
    *to++ = '\r';
    *to = '\n';
    head_size_ += size;
    return line;
}

size_t Exchange::end_head() {
    if (capacity_ - head_size_ < 2) {
        make_room(head_size_ + 2);
    }
    bytes_[head_size_++] = '\r';
    bytes_[head_size_++] = '\n';
    return head_size_;
}

void Exchange::reset() {
    if (bytes_ != inline_) {
        std::free(bytes_);
        bytes_ = inline_;
        capacity_ = kInlineBytes;
    }
    drop_body();
    connection_ = nullptr;
    session_ = nullptr;
    response_ = ResponseState::kNone;
    response_status_ = 0;
    response_bytes_ = 0;
    detached_ = false;
    body_remaining = kUnknownLength;
    body_suppressed = false;
    chunked_response = false;
    reader = nullptr;
    stream = nullptr;
    body_streams_ = false;
    body_whole_ = true;
    head_size_ = 0;
}

// ---- the request's body ------------------------------------------------------------------------

void Exchange::expect_form(std::unique_ptr<Form> form, uint64_t keep_bytes) {
    form_ = std::move(form);
    body_kept_ = keep_bytes;
}

// A proxy in front that takes the other boundary than we do sees another message: smuggling.
bool Exchange::has_two_boundaries() const {
    size_t count = 0;
    for (const proto::http::Field& field : head) {
        if (field.id == proto::http::KnownField::kContentType) {
            count += proto::http::count_boundaries(text(field.value));
        }
    }
    return count > 1;
}

int Exchange::begin_body() {
    if (has_two_boundaries()) {
        return 400;
    }
    body_limit_ = service_.limits(*connection_).body_bytes;
    body_came_ = stored_ = 0;
    decoded_ = false;
    body_room_ = kBodyRoom;
    body_streams_ = false;
    restart_body_time(service_.loop().iteration_time());
    service_.handler().body_begins(*this);
    if (head.has_content_length && head.content_length > body_limit_) {
        return 413;
    }
    if (int status = service_.limits(*connection_).decode_bodies ? choose_decoder() : 0) {
        return status;
    }
    body_whole_ = false;
    reserve_body();
    return 0;
}

void Exchange::reserve_body() {
    if (!head.has_content_length || body_streams_ || decoder_ != nullptr) {
        return;
    }
    uint64_t length = head.content_length;
    if (form_ != nullptr) {
        if (length <= body_kept_) {
            (void)body_.reserve(std::min<uint64_t>(length, kReserve));
        }
        return;
    }
    if (body_memory_ != nullptr && length >= kSmallestGathered && length <= kLargestGathered) {
        body_.use_memory(*body_memory_);
    }
    body_.set_expected(static_cast<size_t>(length + kSpaceBehind));
    // What a length only announces costs no more than that: most bodies are complete then, and were
    // never moved.
    (void)body_.reserve(std::min<uint64_t>(length + kSpaceBehind, kReserve));
}

net::Session::Room Exchange::body_space(uint64_t left) {
    if (form_ != nullptr || decoder_ != nullptr || body_streams_) {
        return {};
    }
    size_t wanted = static_cast<size_t>(std::min<uint64_t>(left + kSpaceBehind, kReserve));
    if (body_.room() < wanted && body_.room() < net::Hub::kReadSize) {
        // As much again as has come, and not more than will come.
        uint64_t most = std::max<uint64_t>(body_.size(), kReserve);
        (void)body_.reserve(static_cast<size_t>(std::min<uint64_t>(left + kSpaceBehind, most)));
    }
    return {body_.reserve(0), std::min(body_.room(), wanted)};
}

void Exchange::body_was_read(size_t size) {
    body_came_ += size;
    stored_ += size;
    body_.commit(size);
}

// 0, or 415. What the application sees is not compressed any more.
int Exchange::choose_decoder() {
    using proto::coding::Coding;
    using proto::http::KnownField;
    const proto::http::Field* given = nullptr;
    for (const proto::http::Field& field : head) {
        if (field.id != KnownField::kContentEncoding) {
            continue;
        }
        if (given != nullptr) {
            return 415;  // several, one in the other
        }
        given = &field;
    }
    Coding coding =
        given != nullptr ? proto::coding::coding_by_name(text(given->value)) : Coding::kIdentity;
    if (coding == Coding::kIdentity) {
        return 0;
    }
    decoder_ = proto::coding::Decoder::create(coding);
    if (decoder_ == nullptr) {
        return 415;
    }
    for (uint32_t i = 0; i < head.field_count; i++) {
        proto::http::Field& field = head.fields[i];
        if (field.id == KnownField::kContentEncoding || field.id == KnownField::kContentLength) {
            field.marks = proto::http::kFieldDrop;
        }
    }
    return 0;
}

int Exchange::take_body(std::string_view bytes) {
    if (bytes.size() > body_limit_ - body_came_) {
        return 413;
    }
    body_came_ += bytes.size();
    return decoder_ != nullptr ? decode_body(bytes) : store_body(bytes);
}

// A limit on the size alone would let a small request cost a large one.
int Exchange::decode_body(std::string_view bytes) {
    constexpr uint64_t kAlways = 1u << 20;
    constexpr uint64_t kMostTimes = 100;
    int refusal = 0;
    auto status = decoder_->feed(bytes, [&](std::string_view piece) {
        uint64_t size = stored_ + piece.size();
        bool too_much = size > body_limit_ || (size > kAlways && size / kMostTimes > body_came_);
        refusal = too_much ? 413 : store_body(piece);
        return refusal == 0;
    });
    decoded_ = status == proto::coding::DecodeStatus::kDone;
    return refusal == 0 && status == proto::coding::DecodeStatus::kBad ? 400 : refusal;
}

int Exchange::store_body(std::string_view bytes) {
    stored_ += bytes.size();
    if (form_ != nullptr) {
        return feed_form(bytes);
    }
    body_.append(bytes);
    return 0;
}

int Exchange::feed_form(std::string_view bytes) {
    if (stored_ <= body_kept_) {
        body_.append(bytes);
    } else if (body_.capacity() > 0) {
        body_.release();
    }
    int status = form_->take(bytes);
    if (status >= 500) {
        os::Log::get().write(os::LogLevel::kError,
                             "an upload cannot be written to upload_tmp_dir \"%s\": %s",
                             form_->folder().c_str(), std::strerror(form_->error()));
    }
    return status;
}

int Exchange::end_body() {
    if (decoder_ != nullptr && !decoded_ && body_came_ > 0) {
        return 400;  // it breaks off
    }
    if (form_ != nullptr) {
        form_->end();
    }
    body_whole_ = true;
    return 0;
}

void Exchange::consume_body(size_t bytes) {
    body_.consume(bytes);
    if (connection_ != nullptr && !body_whole_) {
        session_->body_wanted(*this);
    }
}

bool Exchange::body_too_slow(Nanos now) const {
    const HttpLimits& limits = service_.limits(*connection_);
    Nanos elapsed = now - body_since_;
    return elapsed > limits.body_rate_after &&
           body_came_ - body_came_then_ <
               limits.body_rate * static_cast<uint64_t>(elapsed / kSecond);
}

void Exchange::drop_body() {
    if (body_.capacity() > 0) {
        body_.release();
    }
    body_memory_ = nullptr;
    form_.reset();
    decoder_.reset();
}

// ---- the response
// --------------------------------------------------------------------------------

bool Exchange::send_head(const ResponseHead& head, uint64_t body_length) {
    if (connection_ == nullptr || response_ != ResponseState::kNone) {
        return false;
    }
    if (head.status < 200 || head.status > 999) [[unlikely]] {
        // The peer would wait for the response after it, and take the next one's.
        ResponseHead wrong = head;
        wrong.status = 500;
        wrong.reason = {};
        return send_head(wrong, body_length);
    }
    response_ = ResponseState::kStreaming;
    response_status_ = head.status;
    session_->write_head(*this, head, body_length);
    return connection_ != nullptr;
}

bool Exchange::send_hints(const FieldRef* fields, uint32_t count) {
    if (connection_ == nullptr || response_ != ResponseState::kNone) {
        return false;
    }
    session_->write_hints(*this, fields, count);
    return true;
}

bool Exchange::send_body(std::string_view bytes) {
    if (connection_ == nullptr || response_ != ResponseState::kStreaming) {
        return false;
    }
    response_bytes_ += std::min<uint64_t>(bytes.size(), body_remaining);
    session_->write_body(*this, bytes);
    return true;
}

bool Exchange::send_body_ref(const net::BytesRef& bytes) {
    if (connection_ == nullptr || response_ != ResponseState::kStreaming) {
        bytes.release(bytes.owner);
        return false;
    }
    response_bytes_ += std::min<uint64_t>(bytes.bytes.size(), body_remaining);
    bool fits = bytes.bytes.size() <= body_remaining;
    if (body_suppressed || bytes.bytes.size() < kCopyBelow || !fits) {
        session_->write_body(*this, bytes.bytes);
        bytes.release(bytes.owner);
    } else {
        take_promised(bytes.bytes.size());
        session_->write_body_ref(*this, bytes);
    }
    return true;
}

bool Exchange::send_file(const net::FileRange& file) {
    if (connection_ == nullptr || response_ != ResponseState::kStreaming) {
        os::close_fd(file.fd);
        return false;
    }
    response_bytes_ += std::min(file.length, body_remaining);
    session_->write_file(*this, file);
    return true;
}

bool Exchange::send_trailers(const FieldRef* fields, uint32_t count) {
    if (connection_ == nullptr || response_ != ResponseState::kStreaming) {
        return false;
    }
    session_->write_trailers(*this, fields, count);
    return true;
}

bool Exchange::goaway(uint32_t error, std::string_view text) {
    return connection_ != nullptr && session_->goaway(error, text);
}

bool Exchange::ping(std::string_view payload) {
    return connection_ != nullptr && session_->ping(payload);
}

bool Exchange::finish() {
    if (response_ == ResponseState::kEnded) {
        return false;
    }
    bool connected = connection_ != nullptr;
    if (connected) {
        session_->finish_response(*this);
    }
    response_ = ResponseState::kEnded;
    Service& service = service_;
    bool being_read = reader != nullptr;  // by somebody who holds it
    if (connected) {
        session_->exchange_done(*this);
    }
    if (being_read) {
        service.handler().body_arrived(*this);
    }
    return connected;
}

void Exchange::abort() {
    if (response_ == ResponseState::kEnded) {
        return;
    }
    response_ = ResponseState::kEnded;
    Service& service = service_;
    bool being_read = reader != nullptr;
    if (connection_ != nullptr) {
        session_->exchange_aborted(*this);
    }
    if (being_read) {
        service.handler().body_arrived(*this);
    }
}

bool Exchange::upgrade(std::string_view head_bytes, std::unique_ptr<net::Session> next) {
    if (connection_ == nullptr || response_ != ResponseState::kNone) {
        return false;
    }
    return session_->upgrade(*this, head_bytes, std::move(next));
}

uint64_t Exchange::pending() const { return connection_ != nullptr ? session_->pending(*this) : 0; }

bool Exchange::blocked() const { return connection_ != nullptr && session_->blocked(*this); }

void Exchange::release() {
    if (--references_ == 0) {
        service_.exchanges().give_back(*this);
    }
}

}  // namespace stampede::server
