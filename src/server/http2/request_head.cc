#include "server/http2/request_head.h"

#include "proto/http/known_fields.h"
#include "proto/http/uri.h"
#include "proto/http/byte_classes.h"
#include "proto/http/target.h"
#include "server/settings.h"

namespace stampede::server {

using proto::http::KnownField;
using proto::http::Method;

namespace {

constexpr std::string_view kAnyKey = "c3RhbXBlZGUgSFRUUC8yIQ==";

std::string_view text_of(const HeadStore& store, proto::http::Slice slice) {
    return slice.in(store.text.bytes());
}

// As HTTP/1's parser sees it: such a name would become another field's CGI variable.
bool is_odd_name(std::string_view name) {
    uint8_t seen = 0;
    for (char c : name) {
        seen |= proto::http::class_of(c);
    }
    return (seen & proto::http::kNameOdd) != 0;
}

bool has_lower_case(std::string_view text) {
    for (char c : text) {
        if (c >= 'a' && c <= 'z') {
            return true;
        }
    }
    return false;
}

// The protocol has seen that it is a number; what does not fit is larger than every limit.
uint64_t parse_length(std::string_view digits) {
    uint64_t length = 0;
    for (char c : digits) {
        if (length > UINT64_MAX / 16) {
            return UINT64_MAX;
        }
        length = length * 10 + static_cast<uint64_t>(c - '0');
    }
    return length;
}

}  // namespace

Http2RequestHead::Size Http2RequestHead::count(std::string_view name, std::string_view value,
                                               const Http2Settings& limits) {
    constexpr uint32_t kOverhead = 32;  // RFC 9113 6.5.2
    // A cookie comes in as many pieces as its sender likes (RFC 9113 8.2.3), and is one field.
    constexpr uint32_t kSeparator = 2;
    constexpr uint32_t kCrumbsForField = 5;
    bool is_crumb = name == "cookie";
    Sum& sum = is_crumb ? crumbs_ : fields_;
    sum.bytes +=
        static_cast<uint32_t>(value.size() + (is_crumb ? kSeparator : name.size() + kOverhead));
    sum.count++;
    uint32_t most = limits.max_header_fields * (is_crumb ? kCrumbsForField : 1);
    if (sum.bytes <= limits.max_header_list_size && sum.count <= most) {
        return Size::kFits;
    }
    bool far_too_much = sum.bytes / 4 > limits.max_header_list_size || sum.count / 4 > most;
    return far_too_much ? Size::kFarTooLarge : Size::kTooLarge;
}

void Http2RequestHead::add(HeadStore store, std::string_view name, std::string_view value) {
    if (name.front() == ':') {
        add_pseudo_field(store, name, value);
        return;
    }
    auto& head = store.head;
    proto::http::Field field;
    HeadText::Line line = store.text.append(name, value);
    field.name = line.name;
    field.value = line.value;
    field.id = proto::http::known::identify(name.data(), name.size());
    bool drop = is_odd_name(name) || field.id == KnownField::kProxy;
    field.marks = drop ? proto::http::kFieldDrop : proto::http::kFieldPlain;
    head.add_field() = field;
    if (field.id == KnownField::kContentLength) {
        head.has_content_length = true;
        head.content_length = parse_length(value);
    } else if (field.id == KnownField::kExpect) {
        head.expect_continue = proto::http::equals_ignoring_case(value, "100-continue");
    } else if (field.id == KnownField::kHost) {
        head.host = field.value;
        head.has_host = true;
    }
}

void Http2RequestHead::add_pseudo_field(HeadStore store, std::string_view name,
                                        std::string_view value) {
    if (name == ":protocol") {
        protocol_ = value == "websocket" ? Protocol::kWebSocket : Protocol::kOther;
        return;
    }
    if (name == ":authority") {
        // User information is not allowed there (RFC 9113 8.3.1).
        malformed_ = malformed_ || value.find('@') != value.npos;
        authority_ = store.text.append("host", value);
        return;
    }
    proto::http::Slice slice = store.text.append(name, value).value;
    if (name == ":method") {
        store.head.method_text = slice;
        store.head.method = proto::http::method_from_name(value);
    } else if (name == ":path") {
        store.head.target = slice;
    }
}

void Http2RequestHead::present_as_upgrade(HeadStore store) {
    auto& head = store.head;
    head.method = Method::kGet;
    head.method_text = store.text.append(":method", "GET").value;
    head.upgrade = true;
    bool has_key = false;
    for (const proto::http::Field& field : head) {
        has_key = has_key || field.id == KnownField::kSecWebSocketKey;
    }
    add(store, "upgrade", "websocket");
    add(store, "connection", "Upgrade");
    if (!has_key) {  // the protocol needs none, but an application that replies to handshakes
                     // itself reads it
        add(store, "sec-websocket-key", kAnyKey);
    }
}

// ":authority" stands for the field host, and agrees with it when both came.
bool Http2RequestHead::settle_host(HeadStore store) {
    auto& head = store.head;
    std::string_view authority = text_of(store, authority_.value);
    if (!authority.empty()) {
        if (head.has_host &&
            !proto::http::equals_ignoring_case(text_of(store, head.host), authority)) {
            return false;
        }
        if (!head.has_host) {
            proto::http::Field host;
            host.name = authority_.name;
            host.value = authority_.value;
            host.id = KnownField::kHost;
            head.add_field() = host;
            head.has_host = true;
        }
        head.host = authority_.value;
    }
    return !head.has_host || proto::http::valid_host(text_of(store, head.host));
}

int Http2RequestHead::judge(HeadStore store, const proto::http::Limits& limits) {
    auto& head = store.head;
    if (!settle_host(store)) {
        return 400;
    }
    if (protocol_ == Protocol::kOther) {
        return 501;
    }
    // As HTTP/1's parser: no tunnels, no echo of the request, for no target; and "get" is not GET.
    bool refused = head.method == Method::kOther
                       ? has_lower_case(text_of(store, head.method_text))
                       : head.method == Method::kConnect || head.method == Method::kTrace;
    if (refused) {
        return 501;
    }
    if (head.target.length > limits.target_bytes) {
        return 414;
    }
    std::string_view target = text_of(store, head.target);
    bool is_path = target.starts_with("/") || target == "*";
    return is_path ? proto::http::split_target(store.text.bytes(), head) : 400;
}

}  // namespace stampede::server
