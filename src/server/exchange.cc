#include "server/exchange.h"

#include "os/fd.h"
#include "proto/http/multipart.h"
#include "server/http_session.h"
#include "server/service.h"

namespace stampede::server {

namespace {

constexpr uint64_t kCopyBelow = 16 * 1024;  // larger pieces are sent from where they lie

}  // namespace

void Exchange::begin(HttpSession& session, net::Connection& connection, Http2Stream* of) {
    session_ = &session;
    connection_ = &connection;
    connection_id_ = static_cast<int64_t>(connection.id());
    stream = of;
    stream_id_ = of != nullptr ? of->id() : 0;
    received_at_ = service_.loop().iteration_time();
}

int Exchange::status_for_log(Parting how) const {
    if (how == Parting::kUpgraded) {
        return stream_id_ != 0 ? 200 : 101;
    }
    if (response_status_ != 0) {
        return response_status_;
    }
    return how == Parting::kLost ? kStatusClientGone : how == Parting::kAborted ? 500 : 200;
}

uint8_t Exchange::ending(Parting how) const {
    if (how == Parting::kLost) {
        return static_cast<uint8_t>(metrics::Ending::kGone);
    }
    bool cut = how == Parting::kAborted && response_status_ != 0;
    return cut ? static_cast<uint8_t>(metrics::Ending::kCut)
               : metrics::ending_of(status_for_log(how));
}

// The client has its whole response with the bytes that follow, although the handler has not ended
// it yet: counted later it would be missing when this process is killed in between.
void Exchange::count_whole() {
    if (!in_metrics) {
        service_.count(this, metrics::ending_of(response_status_));
        in_metrics = true;
    }
}

// The exchange forgets the session before the handler is told, since what that wakes may end other
// exchanges of the session.
void Exchange::part(const net::Connection& carrier, Parting how) {
    if (how != Parting::kLost || counted) {
        service_.log(carrier, this, status_for_log(how));
        if (!in_metrics) {
            service_.count(this, ending(how));
        }
    }
    service_.requests().ended(*this);
    connection_ = nullptr;
    session_ = nullptr;
    stream = nullptr;
    if (how == Parting::kLost) {
        if (waited_for()) {
            service_.handler().cut_off(*this);
        }
        release();
        return;
    }
    response_ = ResponseState::kEnded;
    (how == Parting::kAborted ? service_.line().aborted : service_.line().responses).add(1);
    if (!readers.empty()) {
        service_.handler().body_arrived(*this);
    }
    release();
}

void Exchange::reset() {
    head_text.clear();
    body.clear();
    promise.clear();
    connection_ = nullptr;
    session_ = nullptr;
    stream = nullptr;
    response_ = ResponseState::kNone;
    response_status_ = 0;
    response_bytes_ = 0;
    detached_ = false;
    remote_response = 0;
    number = 0;
    route = metrics::Board::kNoRoute;
    isolation = metrics::Isolation::kNone;
    handled_at = 0;
    first_byte_at_ = 0;
    in_metrics = false;
    id = 0;
    unlogged = false;
}

void Exchange::set_detached(bool detached) {
    detached_ = detached;
    service_.requests().given_up(*this);
}

void Exchange::release() {
    if (--references_ == 0) {
        service_.exchanges().give_back(*this);
    }
}

// ---- the request's body ------------------------------------------------------------------------

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

uint64_t Exchange::body_limit() const {
    uint64_t usual = service_.limits(*connection_).body_bytes;
    const PathRules& rules = service_.rules();
    return rules.has_body_limits() ? rules.body_limit(text(head.path), usual) : usual;
}

int Exchange::begin_body() {
    if (has_two_boundaries()) {
        return 400;
    }
    const HttpLimits& limits = service_.limits(*connection_);
    body.begin(body_limit(), service_.loop().iteration_time(), service_.body_room());
    service_.handler().body_begins(*this);
    return body.prepare(head, head_text.bytes(), limits.decode_bodies);
}

void Exchange::consume_body(size_t bytes) {
    body.consume(bytes);
    if (connection_ != nullptr && !body.whole()) {
        session_->body_wanted(*this);
    }
}

// ---- the response ------------------------------------------------------------------------------

bool Exchange::send_head(const ResponseHead& wanted, uint64_t body_length) {
    if (connection_ == nullptr || response_ != ResponseState::kNone) {
        return false;
    }
    if (wanted.status < 200 || wanted.status > 999) [[unlikely]] {
        // The peer would wait for the response after it, and take the next one's.
        ResponseHead wrong = wanted;
        wrong.status = 500;
        wrong.reason = {};
        return send_head(wrong, body_length);
    }
    response_ = ResponseState::kStreaming;
    response_status_ = wanted.status;
    service_.requests().responded(*this);
    // What has a length is whole in most cases, and ends in the same moment.
    if (body_length == kUnknownLength && service_.metrics() != nullptr) {
        first_byte_at_ = monotonic_now();
    }
    write_head(wanted, body_length);
    if (service_.metrics() != nullptr && connection_ != nullptr && promise.is_kept()) {
        count_whole();
    }
    return connection_ != nullptr;
}

void Exchange::write_head(const ResponseHead& wanted, uint64_t body_length) {
    const PathRules& rules = service_.rules();
    if (!rules.has_fields()) [[likely]] {
        session_->write_head(*this, wanted, body_length);
        return;
    }
    std::vector<FieldRef> fields(wanted.fields, wanted.fields + wanted.field_count);
    rules.add_fields(text(head.path), fields);
    ResponseHead whole = wanted;
    whole.fields = fields.data();
    whole.field_count = static_cast<uint32_t>(fields.size());
    session_->write_head(*this, whole, body_length);
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
    response_bytes_ += promise.fitting(bytes.size());
    if (service_.metrics() != nullptr && promise.ends_with(bytes.size())) {
        count_whole();
    }
    session_->write_body(*this, bytes);
    return true;
}

bool Exchange::send_body_ref(const net::BytesRef& bytes) {
    if (connection_ == nullptr || response_ != ResponseState::kStreaming) {
        bytes.release(bytes.owner);
        return false;
    }
    uint64_t size = bytes.bytes.size();
    response_bytes_ += promise.fitting(size);
    if (service_.metrics() != nullptr && promise.ends_with(size)) {
        count_whole();
    }
    if (promise.suppressed() || size < kCopyBelow || !promise.fits(size)) {
        session_->write_body(*this, bytes.bytes);
        bytes.release(bytes.owner);
    } else {
        promise.take(size);
        session_->write_body_ref(*this, bytes);
    }
    return true;
}

bool Exchange::send_file(const net::FileRange& file) {
    if (connection_ == nullptr || response_ != ResponseState::kStreaming) {
        os::close_fd(file.fd);
        return false;
    }
    response_bytes_ += promise.fitting(file.length);
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

bool Exchange::goaway(uint32_t error, std::string_view reason) {
    return connection_ != nullptr && session_->goaway(error, reason);
}

bool Exchange::ping(std::string_view payload) {
    return connection_ != nullptr && session_->ping(payload);
}

// The session's finish() and abort() end in part(): the exchange may be gone after them.
bool Exchange::finish() {
    if (response_ == ResponseState::kEnded) {
        return false;
    }
    if (connection_ == nullptr) {
        response_ = ResponseState::kEnded;
        return false;
    }
    session_->finish(*this);
    return true;
}

void Exchange::abort() {
    if (response_ == ResponseState::kEnded) {
        return;
    }
    if (connection_ == nullptr) {
        response_ = ResponseState::kEnded;
        return;
    }
    session_->abort(*this);
}

bool Exchange::upgrade(FieldList fields, std::unique_ptr<net::Session> next) {
    if (connection_ == nullptr || response_ != ResponseState::kNone) {
        return false;
    }
    return session_->upgrade(*this, fields, std::move(next));
}

uint64_t Exchange::pending() const { return connection_ != nullptr ? session_->pending(*this) : 0; }

bool Exchange::blocked() const { return connection_ != nullptr && session_->blocked(*this); }

}  // namespace stampede::server
