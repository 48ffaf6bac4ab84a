// A request from the properties: its head, its body or form, its files.
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <charconv>

#include "classes/client/http_client.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "os/file.h"
#include "proto/http1/response_head.h"
#include "proto/ws/handshake.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

using proto::http::equals_ignoring_case;
using proto::http::Method;

constexpr size_t kSmallBody = 8 * 1024;  // goes out with the head in one piece

std::string_view view(const zend_string* text) { return {ZSTR_VAL(text), ZSTR_LEN(text)}; }

// Fields of the application that the request itself asks about.
struct Given {
    bool host = false;
    bool connection = false;
    bool accept_encoding = false;
    bool content_type = false;
    bool cookie = false;
    bool multipart = false;  // Content-Type is the form's
};

enum class Keep : uint8_t { kYes, kNo };

Keep judge_field(std::string_view name, Given& given) {
    bool type = equals_ignoring_case(name, "content-type");
    if (equals_ignoring_case(name, "content-length") || (type && given.multipart) ||
        equals_ignoring_case(name, "transfer-encoding")) {
        return Keep::kNo;  // framing is the client's
    }
    given.host = given.host || equals_ignoring_case(name, "host");
    given.connection = given.connection || equals_ignoring_case(name, "connection");
    given.accept_encoding = given.accept_encoding || equals_ignoring_case(name, "accept-encoding");
    given.content_type = given.content_type || type;
    given.cookie = given.cookie || equals_ignoring_case(name, "cookie");
    return Keep::kYes;
}

bool refuse(HttpClient& client, const char* text) {
    zend::warning("%s", text);
    put_long(client, Slot::kErrCode, api_error::kInvalidParams);
    put_text(client, Slot::kErrMsg, text);
    return false;
}

bool append_line(HttpClient& client, std::string_view name, zval* value) {
    zend_string* text = zval_get_string(value);
    bool fine = proto::http1::valid_field_name(name) &&
                proto::http1::valid_field_value(view(text)) && !zend::exception_pending();
    if (fine) {
        proto::http1::append_field(client.head, name, view(text));
    }
    zend_string_release(text);
    return fine || refuse(client,
                          "the name of a request header must be a token, and its value must not "
                          "hold line breaks or other control characters");
}

bool append_given_field(HttpClient& client, std::string_view name, zval* value, Given& given) {
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_NULL || judge_field(name, given) == Keep::kNo) {
        return true;
    }
    if (Z_TYPE_P(value) != IS_ARRAY) {
        return append_line(client, name, value);
    }
    zval* line;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), line) {
        if (!append_line(client, name, line)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool append_given_fields(HttpClient& client, Given& given) {
    zval* headers = slot_of(client, Slot::kRequestHeaders);
    if (Z_TYPE_P(headers) != IS_ARRAY) {
        return true;
    }
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(headers), name, value) {
        if (name != nullptr && !append_given_field(client, view(name), value, given)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

void append_host(HttpClient& client) {
    const DialPlan& plan = client.plan;
    client.head.append("Host: ");
    if (plan.host.starts_with("unix:") || plan.host.starts_with("/")) {
        client.head.append("localhost");
    } else {
        bool bare_ipv6 = plan.host.find(':') != std::string::npos && plan.host.front() != '[';
        client.head.append(bare_ipv6 ? "[" : "");
        client.head.append(plan.host);
        client.head.append(bare_ipv6 ? "]" : "");
        if (plan.port != (plan.tls ? 443 : 80)) {
            client.head.append(':');
            proto::http1::append_decimal(client.head, plan.port);
        }
    }
    client.head.append("\r\n");
}

// Percent-encoded as forms do, but a space as %20.
void append_encoded(Buffer& out, std::string_view text) {
    constexpr char kHex[] = "0123456789ABCDEF";
    for (char c : text) {
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        if (plain) {
            out.append(c);
        } else {
            auto byte = static_cast<unsigned char>(c);
            out.append('%');
            out.append(kHex[byte >> 4]);
            out.append(kHex[byte & 15]);
        }
    }
}

// A name that PHP has made a number, as "12" and "-3".
void append_number_key(Buffer& out, zend_ulong key) {
    char digits[MAX_LENGTH_OF_LONG];
    const char* text =
        zend_print_long_to_buf(digits + sizeof(digits) - 1, static_cast<zend_long>(key));
    out.append({text, static_cast<size_t>(digits + sizeof(digits) - 1 - text)});
}

bool append_cookies(HttpClient& client) {
    zval* cookies = slot_of(client, Slot::kCookies);
    if (Z_TYPE_P(cookies) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL_P(cookies)) == 0) {
        return true;
    }
    const char* before = "Cookie: ";
    zend_ulong number;
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(cookies), number, name, value) {
        if (name != nullptr && !proto::http::is_token(view(name))) {
            continue;
        }
        zend_string* text = zval_get_string(value);
        client.head.append(before);
        if (name != nullptr) {
            client.head.append(view(name));
        } else {
            append_number_key(client.head, number);
        }
        client.head.append('=');
        append_encoded(client.head, view(text));
        zend_string_release(text);
        before = "; ";
    }
    ZEND_HASH_FOREACH_END();
    if (before[0] == ';') {
        client.head.append("\r\n");
    }
    return !zend::exception_pending();
}

// Method SP target SP version. A target that is none is made one where that is safe.
bool append_request_line(HttpClient& client, zend_string* path) {
    zval* method = slot_of(client, Slot::kRequestMethod);
    bool has_body = Z_TYPE_P(slot_of(client, Slot::kRequestBody)) > IS_NULL ||
                    Z_TYPE_P(slot_of(client, Slot::kUploadFiles)) == IS_ARRAY;
    std::string_view name = has_body ? "POST" : "GET";
    if (Z_TYPE_P(method) == IS_STRING && Z_STRLEN_P(method) > 0) {
        name = view(Z_STR_P(method));
    }
    if (!proto::http::is_token(name)) {
        return refuse(client, "the request method must be a token such as GET");
    }
    client.method = proto::http::method_from_name(name);
    client.repeatable = client.method != Method::kPost && client.method != Method::kPatch &&
                        client.method != Method::kOther && client.method != Method::kConnect;
    client.head.append(name);
    client.head.append(' ');
    std::string_view target = view(path);
    if (client.plan.asks_proxy()) {
        client.head.append("http://");
        client.head.append(client.plan.host);
        client.head.append(':');
        proto::http1::append_decimal(client.head, client.plan.port);
    }
    if (target.empty() || (target[0] != '/' && target != "*")) {
        client.head.append('/');
    }
    for (char c : target) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
            return refuse(client, "the path of a request must not hold control characters");
        }
        if (c == ' ') {
            client.head.append("%20");
        } else {
            client.head.append(c);
        }
    }
    client.head.append(" HTTP/1.1\r\n");
    return true;
}

// http_build_query() of the array; null when it threw.
zend_string* form_of(zval* fields) {
    zval name;
    zval result;
    ZVAL_STRING(&name, "http_build_query");
    ZVAL_UNDEF(&result);
    call_user_function(nullptr, nullptr, &name, &result, 1, fields);
    zval_ptr_dtor(&name);
    if (Z_TYPE(result) == IS_STRING) {
        return Z_STR(result);
    }
    zval_ptr_dtor(&result);
    return nullptr;
}

void append_body(HttpClient& client, zend_string* body) {
    if (ZSTR_LEN(body) <= kSmallBody) {
        client.head.append(view(body));
        zend_string_release(body);
    } else {
        client.parts.push_back({body, -1, 0, ZSTR_LEN(body)});
    }
}

void end_head(HttpClient& client) {
    client.head.append("\r\n");
    client.head_bytes = client.head.size();
}

bool append_simple_body(HttpClient& client, const Given& given) {
    zval* body = slot_of(client, Slot::kRequestBody);
    bool wants_length = client.method == Method::kPost || client.method == Method::kPut ||
                        client.method == Method::kPatch;
    if (Z_TYPE_P(body) <= IS_NULL) {
        client.head.append(wants_length ? "Content-Length: 0\r\n" : "");
        end_head(client);
        return true;
    }
    bool form = Z_TYPE_P(body) == IS_ARRAY;
    zend_string* text = form ? form_of(body) : zval_get_string(body);
    if (text == nullptr || zend::exception_pending()) {
        return false;
    }
    if (form && !given.content_type) {
        client.head.append("Content-Type: application/x-www-form-urlencoded\r\n");
    }
    proto::http1::append_content_length(client.head, ZSTR_LEN(text));
    end_head(client);
    append_body(client, text);
    return true;
}

// ---- forms with files ------------------------------------------------------------------------

struct Boundary {
    char text[48];
    size_t length = 0;

    Boundary() {
        constexpr std::string_view kBegin = "----------------------stampede";
        unsigned char chance[8];
        RAND_bytes(chance, sizeof(chance));
        char* to = std::copy(kBegin.begin(), kBegin.end(), text);
        for (unsigned char byte : chance) {
            *to++ = "0123456789abcdef"[byte >> 4];
            *to++ = "0123456789abcdef"[byte & 15];
        }
        length = static_cast<size_t>(to - text);
    }
    std::string_view view() const { return {text, length}; }
};

void append_quoted(Buffer& out, std::string_view text) {
    out.append('"');
    for (char c : text) {
        switch (c) {
            case '"':
                out.append("%22");
                break;
            case '\r':
                out.append("%0D");
                break;
            case '\n':
                out.append("%0A");
                break;
            default:
                out.append(c);
        }
    }
    out.append('"');
}

void flush_to_part(HttpClient& client, Buffer& text) {
    if (!text.empty()) {
        client.parts.push_back({zend_string_init(text.data(), text.size(), 0), -1, 0, text.size()});
        text.clear();
    }
}

std::string_view text_at(HashTable* entry, std::string_view key) {
    zval* value = zend_hash_str_find_deref(entry, key.data(), key.size());
    return value != nullptr && Z_TYPE_P(value) == IS_STRING ? view(Z_STR_P(value))
                                                            : std::string_view();
}

uint64_t number_at(HashTable* entry, std::string_view key) {
    zval* value = zend_hash_str_find_deref(entry, key.data(), key.size());
    return value != nullptr ? static_cast<uint64_t>(zval_get_long(value)) : 0;
}

// Scratch of one form; its memory is kept for the next.
Buffer form_text;

bool append_file(HttpClient& client, HashTable* entry, std::string_view boundary) {
    std::string_view type = text_at(entry, "type");
    if (!proto::http1::valid_field_value(type)) {
        return refuse(client, "the type of an uploaded file holds a line break");
    }
    form_text.append("--");
    form_text.append(boundary);
    form_text.append("\r\nContent-Disposition: form-data; name=");
    append_quoted(form_text, text_at(entry, "name"));
    form_text.append("; filename=");
    append_quoted(form_text, text_at(entry, "filename"));
    form_text.append("\r\nContent-Type: ");
    form_text.append(type);
    form_text.append("\r\n\r\n");
    flush_to_part(client, form_text);
    zval* content = zend_hash_str_find_deref(entry, ZEND_STRL("content"));
    if (content != nullptr && Z_TYPE_P(content) == IS_STRING) {
        client.parts.push_back({zend_string_copy(Z_STR_P(content)), -1, 0, Z_STRLEN_P(content)});
    } else {
        zval* path = zend_hash_str_find_deref(entry, ZEND_STRL("path"));
        os::FileInfo file;
        if (path != nullptr && Z_TYPE_P(path) == IS_STRING) {
            file = os::open_regular(Z_STRVAL_P(path));
        }
        uint64_t offset = number_at(entry, "offset");
        uint64_t length = number_at(entry, "size");
        if (file.fd < 0 || offset > file.size || length > file.size - offset) {
            os::close_fd(file.fd);
            return refuse(client, "a file to upload cannot be read any more");
        }
        client.parts.push_back({nullptr, file.fd, offset, length});
    }
    form_text.append("\r\n");
    return true;
}

bool append_form_fields(HttpClient& client, std::string_view boundary) {
    zval* body = slot_of(client, Slot::kRequestBody);
    if (Z_TYPE_P(body) != IS_ARRAY) {
        return true;
    }
    zend_string* name;
    zend_ulong number;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(body), number, name, value) {
        form_text.append("--");
        form_text.append(boundary);
        form_text.append("\r\nContent-Disposition: form-data; name=");
        if (name != nullptr) {
            append_quoted(form_text, view(name));
        } else {
            proto::http1::append_decimal(form_text, number);
        }
        form_text.append("\r\n\r\n");
        zend_string* text = zval_get_string(value);
        form_text.append(view(text));
        zend_string_release(text);
        form_text.append("\r\n");
    }
    ZEND_HASH_FOREACH_END();
    return !zend::exception_pending();
}

bool append_multipart(HttpClient& client) {
    Boundary boundary;
    form_text.clear();
    if (!append_form_fields(client, boundary.view())) {
        return false;
    }
    zval* entry;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(slot_of(client, Slot::kUploadFiles)), entry) {
        ZVAL_DEREF(entry);
        if (Z_TYPE_P(entry) == IS_ARRAY &&
            !append_file(client, Z_ARRVAL_P(entry), boundary.view())) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    form_text.append("--");
    form_text.append(boundary.view());
    form_text.append("--\r\n");
    flush_to_part(client, form_text);
    uint64_t length = 0;
    for (const BodyPart& part : client.parts) {
        length += part.length;
    }
    client.head.append("Content-Type: multipart/form-data; boundary=");
    client.head.append(boundary.view());
    client.head.append("\r\n");
    proto::http1::append_content_length(client.head, length);
    end_head(client);
    return true;
}

void append_usual_fields(HttpClient& client, const Given& given) {
    const HttpClientSettings& settings = client.settings;
    if (client.upgrading) {
        append_upgrade_fields(client);
    } else if (!given.connection) {
        client.head.append(settings.keep_alive ? "Connection: keep-alive\r\n"
                                               : "Connection: close\r\n");
    }
    const DialPlan& plan = client.plan;
    const proto::proxy::Credentials& login = plan.proxy.credentials;
    if (plan.asks_proxy() && !login.user.empty()) {
        zend_string* value = basic_credentials(login.user, login.password);
        proto::http1::append_field(client.head, "Proxy-Authorization", view(value));
        zend_string_release(value);
    }
    if (!given.accept_encoding && settings.accept_codings && !client.upgrading) {
        client.head.append("Accept-Encoding: gzip, deflate, br, zstd\r\n");
    }
}

}  // namespace

zend_string* basic_credentials(std::string_view user, std::string_view password) {
    constexpr std::string_view kScheme = "Basic ";
    zend_string* plain =
        zend_string_concat3(user.data(), user.size(), ":", 1, password.data(), password.size());
    size_t coded = (ZSTR_LEN(plain) + 2) / 3 * 4;
    zend_string* value = zend_string_alloc(kScheme.size() + coded, 0);
    memcpy(ZSTR_VAL(value), kScheme.data(), kScheme.size());
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(ZSTR_VAL(value)) + kScheme.size(),
                    reinterpret_cast<const unsigned char*>(ZSTR_VAL(plain)),
                    static_cast<int>(ZSTR_LEN(plain)));
    zend_string_release(plain);
    return value;
}

void append_upgrade_fields(HttpClient& client) {
    unsigned char chance[16];
    RAND_bytes(chance, sizeof(chance));
    proto::ws::make_key(chance, client.upgrade_key);
    client.head.append(
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: ");
    client.head.append({client.upgrade_key, sizeof(client.upgrade_key)});
    client.head.append("\r\n");
    if (client.settings.compress_messages) {
        proto::http1::append_field(client.head, "Sec-WebSocket-Extensions",
                                   proto::ws::kDeflateOffer);
    }
}

bool build_request(HttpClient& client, zend_string* path) {
    drop_request(client);
    Given given;
    given.multipart = Z_TYPE_P(slot_of(client, Slot::kUploadFiles)) == IS_ARRAY;
    bool fine = append_request_line(client, path) && append_given_fields(client, given);
    if (!fine) {
        return false;
    }
    if (!given.host) {
        append_host(client);
    }
    append_usual_fields(client, given);
    if (!given.cookie && !append_cookies(client)) {
        return false;
    }
    return given.multipart ? append_multipart(client) : append_simple_body(client, given);
}

void drop_request(HttpClient& client) {
    client.head.clear();
    client.head_bytes = 0;
    for (BodyPart& part : client.parts) {
        if (part.bytes != nullptr) {
            zend_string_release(part.bytes);
        }
        os::close_fd(part.file);
    }
    client.parts.clear();
}

}  // namespace stampede::classes::client
