#include "client/http2/request_fields.h"

#include "client/cookies.h"
#include "proto/http/message.h"

namespace stampede::client::http2 {

namespace {

constexpr size_t kAuthority = 2;  // its place among the fields

std::string lower(std::string_view name) {
    std::string result(name);
    for (char& c : result) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    return result;
}

// What belongs to a connection has no place in HTTP/2 (RFC 9113 8.2.2); lengths are the client's.
bool is_of_connection(std::string_view name) {
    return name == "connection" || name == "keep-alive" || name == "proxy-connection" ||
           name == "transfer-encoding" || name == "upgrade" || name == "content-length";
}

bool valid_value(std::string_view value) {
    return value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

}  // namespace

bool RequestFields::begin(std::string_view method, std::string path, const Origin& origin) {
    fields_.clear();
    content_type_ = accept_encoding_ = false;
    if (path.empty() || path[0] != '/') {
        path.insert(path.begin(), '/');
    }
    for (char c : path) {
        if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') {
            return false;
        }
    }
    fields_.emplace_back(":method", method);
    fields_.emplace_back(":scheme", origin.scheme == Scheme::kHttps ? "https" : "http");
    fields_.emplace_back(":authority", authority_of(origin));
    fields_.emplace_back(":path", std::move(path));
    return proto::http::is_token(method);
}

bool RequestFields::add(std::string_view given, std::string value) {
    std::string name = lower(given);
    if (is_of_connection(name) || name.starts_with(':')) {
        return true;
    }
    if (!proto::http::is_token(name) || !valid_value(value)) {
        return false;
    }
    content_type_ = content_type_ || name == "content-type";
    accept_encoding_ = accept_encoding_ || name == "accept-encoding";
    if (name == "host") {
        fields_[kAuthority].second = std::move(value);
    } else {
        fields_.emplace_back(std::move(name), std::move(value));
    }
    return true;
}

void RequestFields::add_cookie(std::string_view name, std::string_view value) {
    std::string pair(name);
    pair += '=';
    pair += cookie_value(value);
    fields_.emplace_back("cookie", std::move(pair));
}

void RequestFields::add_accept_encoding() {
    if (!accept_encoding_) {
        fields_.emplace_back("accept-encoding", "gzip, deflate, br, zstd");
    }
}

void RequestFields::add_form_type() {
    if (!content_type_) {
        fields_.emplace_back("content-type", "application/x-www-form-urlencoded");
    }
}

void RequestFields::add_content_length(uint64_t length) {
    fields_.emplace_back("content-length", std::to_string(length));
}

std::vector<proto::http2::Field> RequestFields::list() const {
    std::vector<proto::http2::Field> list;
    list.reserve(fields_.size());
    for (const auto& [name, value] : fields_) {
        list.push_back({name, value});
    }
    return list;
}

}  // namespace stampede::client::http2
