#include "client/http1/request_writer.h"

#include <openssl/evp.h>

#include "client/cookies.h"
#include "proto/http1/response_writer.h"

namespace stampede::client::http1 {

using proto::http::equals_ignoring_case;
using proto::http::Method;
using proto::http1::append_field;

Written RequestWriter::line(std::string_view method, std::string_view path, Target target) {
    if (!proto::http::is_token(method)) {
        return Written::kBadMethod;
    }
    method_ = proto::http::method_from_name(method);
    out_.append(method);
    out_.append(' ');
    if (target == Target::kAbsolute) {
        out_.append("http://");
        out_.append(host_in_uri(origin_));
        out_.append(':');
        proto::http1::append_decimal(out_, origin_.port);
    }
    if (path.empty() || (path[0] != '/' && path != "*")) {
        out_.append('/');
    }
    for (char c : path) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
            return Written::kBadPath;
        }
        if (c == ' ') {
            out_.append("%20");
        } else {
            out_.append(c);
        }
    }
    out_.append(" HTTP/1.1\r\n");
    return Written::kFine;
}

RequestWriter::Use RequestWriter::judge(std::string_view name) {
    bool type = equals_ignoring_case(name, "content-type");
    if (equals_ignoring_case(name, "content-length") || (type && multipart_) ||
        equals_ignoring_case(name, "transfer-encoding")) {
        return Use::kLeaveOut;
    }
    given_.host = given_.host || equals_ignoring_case(name, "host");
    given_.connection = given_.connection || equals_ignoring_case(name, "connection");
    given_.accept_encoding =
        given_.accept_encoding || equals_ignoring_case(name, "accept-encoding");
    given_.content_type = given_.content_type || type;
    given_.cookie = given_.cookie || equals_ignoring_case(name, "cookie");
    return Use::kWrite;
}

Written RequestWriter::field(std::string_view name, std::string_view value) {
    if (judge(name) == Use::kLeaveOut) {
        return Written::kFine;
    }
    if (!proto::http::valid_field_name(name) || !proto::http::valid_field_value(value)) {
        return Written::kBadField;
    }
    append_field(out_, name, value);
    return Written::kFine;
}

void RequestWriter::host() {
    if (!given_.host) {
        append_field(out_, "Host", authority_of(origin_));
    }
}

void RequestWriter::connection(Connection wanted) {
    if (!given_.connection) {
        append_field(out_, "Connection", wanted == Connection::kKeep ? "keep-alive" : "close");
    }
}

void RequestWriter::accept_encoding() {
    if (!given_.accept_encoding) {
        append_field(out_, "Accept-Encoding", "gzip, deflate, br, zstd");
    }
}

void RequestWriter::upgrade(std::string_view key, std::string_view extensions) {
    append_field(out_, "Connection", "Upgrade");
    append_field(out_, "Upgrade", "websocket");
    append_field(out_, "Sec-WebSocket-Version", "13");
    append_field(out_, "Sec-WebSocket-Key", key);
    if (!extensions.empty()) {
        append_field(out_, "Sec-WebSocket-Extensions", extensions);
    }
}

void RequestWriter::proxy_authorization(std::string_view user, std::string_view password) {
    append_field(out_, "Proxy-Authorization", basic_credentials(user, password));
}

void RequestWriter::cookie(std::string_view name, std::string_view value) {
    out_.append(in_cookies_ ? "; " : "Cookie: ");
    in_cookies_ = true;
    out_.append(name);
    out_.append('=');
    out_.append(cookie_value(value));
}

void RequestWriter::end_cookies() {
    if (in_cookies_) {
        out_.append("\r\n");
        in_cookies_ = false;
    }
}

void RequestWriter::form_type() {
    if (!given_.content_type) {
        append_field(out_, "Content-Type", "application/x-www-form-urlencoded");
    }
}

void RequestWriter::multipart_type(std::string_view boundary) {
    out_.append("Content-Type: multipart/form-data; boundary=");
    out_.append(boundary);
    out_.append("\r\n");
}

void RequestWriter::end(uint64_t body_bytes) {
    proto::http1::append_content_length(out_, body_bytes);
    proto::http1::append_end_of_head(out_);
}

void RequestWriter::end_without_body() {
    if (method_ == Method::kPost || method_ == Method::kPut || method_ == Method::kPatch) {
        proto::http1::append_content_length(out_, 0);
    }
    proto::http1::append_end_of_head(out_);
}

bool is_repeatable(Method method) {
    return method != Method::kPost && method != Method::kPatch && method != Method::kOther &&
           method != Method::kConnect;
}

std::string basic_credentials(std::string_view user, std::string_view password) {
    constexpr std::string_view kScheme = "Basic ";
    std::string plain(user);
    plain += ':';
    plain += password;
    std::string value(kScheme);
    value.resize(kScheme.size() + (plain.size() + 2) / 3 * 4 + 1);  // and a NUL
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(value.data() + kScheme.size()),
                    reinterpret_cast<const unsigned char*>(plain.data()),
                    static_cast<int>(plain.size()));
    value.pop_back();
    return value;
}

}  // namespace stampede::client::http1
