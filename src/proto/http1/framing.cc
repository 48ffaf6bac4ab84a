#include "proto/http1/framing.h"

#include "proto/http/known_fields.h"
#include "proto/http/message.h"
#include "proto/http/uri.h"

namespace stampede::proto::http1 {
namespace {

using http::equals_ignoring_case;

constexpr uint64_t kMaxLength = INT64_MAX;
constexpr char kKeepAlive[] = "keep-alive";
constexpr char kClose[] = "close";
constexpr char kUpgrade[] = "upgrade";

// Takes the next element off a comma-separated list; false when there is none left.
bool next_element(std::string_view& list, bool& more, std::string_view& element) {
    if (!more) {
        return false;
    }
    size_t comma = list.find(',');
    more = comma != std::string_view::npos;
    element = http::trimmed(list.substr(0, comma));
    list.remove_prefix(more ? comma + 1 : list.size());
    return true;
}

}  // namespace

uint16_t Framing::take(const Field& field, const char* base, RequestHead& head) {
    std::string_view value = field.value.in(base);
    switch (field.id) {
        case KnownField::kHost:
            return take_host(field, base, head);
        case KnownField::kContentLength:
            return take_content_length(value, head);
        case KnownField::kTransferEncoding:
            return take_transfer_encoding(value);
        case KnownField::kConnection:
            take_connection(value);
            return 0;
        case KnownField::kUpgrade:
            upgrade_field_ = true;
            return 0;
        case KnownField::kExpect:
            take_expect(value);
            return 0;
        default:
            return 0;
    }
}

uint16_t Framing::take_host(const Field& field, const char* base, RequestHead& head) {
    if (head.has_host || !http::valid_host(field.value.in(base))) {
        return 400;
    }
    head.has_host = true;
    head.host = field.value;
    return 0;
}

// A second length is refused even when it is equal: a proxy in front may have read another
// one.
uint16_t Framing::take_content_length(std::string_view value, RequestHead& head) {
    if (value.empty() || head.has_content_length) {
        return 400;
    }
    uint64_t length = 0;
    bool too_large = false;
    for (char c : value) {
        if (c < '0' || c > '9') {
            return 400;
        }
        auto digit = static_cast<uint64_t>(c - '0');
        too_large = too_large || length > (kMaxLength - digit) / 10;
        length = length * 10 + digit;
    }
    if (too_large) {
        return 413;
    }
    head.has_content_length = true;
    head.content_length = length;
    return 0;
}

uint16_t Framing::take_transfer_encoding(std::string_view value) {
    coded_ = true;
    bool more = true;
    std::string_view coding;
    while (next_element(value, more, coding)) {
        // Nothing may follow chunked, be it in the same line or in a later one.
        if (chunked_ || !http::is_token(coding)) {
            return 400;
        }
        if (equals_ignoring_case(coding, "chunked")) {
            chunked_ = true;
        } else {
            unknown_coding_ = true;
        }
    }
    return 0;
}

void Framing::take_connection(std::string_view value) {
    if (value.find(',') == std::string_view::npos) {
        take_connection_option(value);
        return;
    }
    bool more = true;
    std::string_view option;
    while (next_element(value, more, option)) {
        take_connection_option(option);
    }
}

// Other options name fields that a proxy would have to remove; nothing to do for an end point.
void Framing::take_connection_option(std::string_view option) {
    connection_keep_alive_ = connection_keep_alive_ || http::known::equals<kKeepAlive>(option);
    connection_close_ = connection_close_ || http::known::equals<kClose>(option);
    connection_upgrade_ = connection_upgrade_ || http::known::equals<kUpgrade>(option);
}

void Framing::take_expect(std::string_view value) {
    if (equals_ignoring_case(value, "100-continue")) {
        expect_continue_ = true;
    } else {
        expect_other_ = true;
    }
}

uint16_t Framing::finish_transfer_encoding(RequestHead& head) const {
    // With a length beside it, or from a 1.0 peer, somebody on the way has read the message
    // differently.
    if (head.has_content_length || head.minor_version == 0) {
        return 400;
    }
    if (unknown_coding_) {
        return 501;
    }
    head.chunked = true;
    return 0;
}

void Framing::finish_persistence(RequestHead& head) const {
    head.keep_alive = !connection_close_ && (head.minor_version > 0 || connection_keep_alive_);
    head.upgrade = connection_upgrade_ && upgrade_field_ && head.minor_version > 0;
}

// RFC 9112, 3.2.2: a client that names the host in the target has not meant the one in the field,
// so no one shall see it.
void Framing::replace_host(RequestHead& head) {
    head.host = head.authority;
    for (uint32_t i = 0; i < head.field_count; i++) {
        if (head.fields[i].id == KnownField::kHost) {
            head.fields[i].value = head.authority;
        }
    }
}

uint16_t Framing::finish(const char* base, RequestHead& head) {
    if (coded_) {
        uint16_t status = finish_transfer_encoding(head);
        if (status != 0) {
            return status;
        }
    }
    if (!head.has_host && head.minor_version > 0) {
        return 400;
    }
    if (!head.authority.empty()) {
        if (!http::valid_host(head.authority.in(base))) {
            return 400;
        }
        replace_host(head);
    }
    finish_persistence(head);
    // A 1.0 peer cannot mean Expect; whatever it says there is ignored.
    if (head.minor_version > 0) {
        head.expect_continue = expect_continue_;
        return expect_other_ ? 417 : 0;
    }
    return 0;
}

}  // namespace stampede::proto::http1
