// A request from the properties: its head, its body or form, its files.
#include <openssl/rand.h>

#include "classes/client/http_client.h"
#include "client/http1/multipart_writer.h"
#include "client/http1/request_writer.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "os/file.h"
#include "proto/http1/response_writer.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

using http1::MultipartWriter;
using http1::RequestWriter;
using http1::Written;

constexpr size_t kSmallBody = 8 * 1024;  // goes out with the head in one piece

std::string_view view(const zend_string* text) { return {ZSTR_VAL(text), ZSTR_LEN(text)}; }

bool refuse(HttpClient& client, const char* text) {
    zend::warning("%s", text);
    put_long(client, Slot::kErrCode, api_error::kInvalidParams);
    put_text(client, Slot::kErrMsg, text);
    return false;
}

bool say(HttpClient& client, Written written) {
    switch (written) {
        case Written::kFine:
            return true;
        case Written::kBadMethod:
            return refuse(client, "the request method must be a token such as GET");
        case Written::kBadPath:
            return refuse(client, "the path of a request must not hold control characters");
        default:
            return refuse(client,
                          "the name of a request header must be a token, and its value must not "
                          "hold line breaks or other control characters");
    }
}

bool add_line(HttpClient& client, RequestWriter& request, std::string_view name, zval* value) {
    zend_string* text = zval_get_string(value);
    Written written =
        zend::exception_pending() ? Written::kBadField : request.field(name, view(text));
    zend_string_release(text);
    return say(client, written);
}

bool add_field(HttpClient& client, RequestWriter& request, std::string_view name, zval* value) {
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_NULL) {
        return true;
    }
    if (Z_TYPE_P(value) != IS_ARRAY) {
        return add_line(client, request, name, value);
    }
    zval* line;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), line) {
        if (!add_line(client, request, name, line)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool add_fields(HttpClient& client, RequestWriter& request) {
    zval* headers = slot_of(client, Slot::kRequestHeaders);
    if (Z_TYPE_P(headers) != IS_ARRAY) {
        return true;
    }
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(headers), name, value) {
        if (name != nullptr && !add_field(client, request, view(name), value)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

// A key of an array as text; PHP has made numbers of names like "12" and "-3".
class KeyText {
public:
    KeyText(const zend_string* name, zend_ulong number) {
        if (name != nullptr) {
            text_ = client::view(name);
            return;
        }
        char* end = digits_ + sizeof(digits_) - 1;
        const char* begin = zend_print_long_to_buf(end, static_cast<zend_long>(number));
        text_ = {begin, static_cast<size_t>(end - begin)};
    }
    std::string_view view() const { return text_; }
    KeyText(const KeyText&) = delete;
    KeyText& operator=(const KeyText&) = delete;

private:
    char digits_[MAX_LENGTH_OF_LONG];
    std::string_view text_;
};

bool add_cookies(HttpClient& client, RequestWriter& request) {
    zval* cookies = slot_of(client, Slot::kCookies);
    if (Z_TYPE_P(cookies) != IS_ARRAY || request.has_cookie_field()) {
        return true;
    }
    zend_ulong number;
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(cookies), number, name, value) {
        if (name != nullptr && !proto::http::is_token(view(name))) {
            continue;
        }
        zend_string* text = zval_get_string(value);
        request.cookie(KeyText(name, number).view(), view(text));
        zend_string_release(text);
    }
    ZEND_HASH_FOREACH_END();
    request.end_cookies();
    return !zend::exception_pending();
}

bool add_request_line(HttpClient& client, RequestWriter& request, zend_string* path) {
    zval* method = slot_of(client, Slot::kRequestMethod);
    bool has_body = Z_TYPE_P(slot_of(client, Slot::kRequestBody)) > IS_NULL ||
                    Z_TYPE_P(slot_of(client, Slot::kUploadFiles)) == IS_ARRAY;
    std::string_view name = has_body ? "POST" : "GET";
    if (Z_TYPE_P(method) == IS_STRING && Z_STRLEN_P(method) > 0) {
        name = view(Z_STR_P(method));
    }
    http1::Target target =
        client.plan.asks_proxy() ? http1::Target::kAbsolute : http1::Target::kPath;
    Written written = request.line(name, view(path), target);
    client.method = request.method();
    client.repeatable = http1::is_repeatable(client.method);
    return say(client, written);
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

bool add_simple_body(HttpClient& client, RequestWriter& request) {
    zval* body = slot_of(client, Slot::kRequestBody);
    if (Z_TYPE_P(body) <= IS_NULL) {
        request.end_without_body();
        client.head_bytes = client.head.size();
        return true;
    }
    bool form = Z_TYPE_P(body) == IS_ARRAY;
    zend_string* text = form ? form_of(body) : zval_get_string(body);
    if (text == nullptr || zend::exception_pending()) {
        return false;
    }
    if (form) {
        request.form_type();
    }
    request.end(ZSTR_LEN(text));
    client.head_bytes = client.head.size();
    append_body(client, text);
    return true;
}

// ---- forms with files ------------------------------------------------------------------------

// Text of the form that is not a part yet; its memory is kept for the next.
Buffer form_text;

void flush_to_part(HttpClient& client) {
    if (!form_text.empty()) {
        zend_string* bytes = zend_string_init(form_text.data(), form_text.size(), 0);
        client.parts.push_back({bytes, -1, 0, form_text.size()});
        form_text.clear();
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

bool add_content(HttpClient& client, HashTable* entry) {
    zval* content = zend_hash_str_find_deref(entry, ZEND_STRL("content"));
    if (content != nullptr && Z_TYPE_P(content) == IS_STRING) {
        client.parts.push_back({zend_string_copy(Z_STR_P(content)), -1, 0, Z_STRLEN_P(content)});
        return true;
    }
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
    return true;
}

bool add_file(HttpClient& client, MultipartWriter& form, HashTable* entry) {
    std::string_view type = text_at(entry, "type");
    if (!proto::http::valid_field_value(type)) {
        return refuse(client, "the type of an uploaded file holds a line break");
    }
    form.begin_file({text_at(entry, "name"), text_at(entry, "filename"), type});
    flush_to_part(client);
    if (!add_content(client, entry)) {
        return false;
    }
    form.end_file();
    return true;
}

bool add_form_fields(HttpClient& client, MultipartWriter& form) {
    zval* body = slot_of(client, Slot::kRequestBody);
    if (Z_TYPE_P(body) != IS_ARRAY) {
        return true;
    }
    zend_string* name;
    zend_ulong number;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(body), number, name, value) {
        zend_string* text = zval_get_string(value);
        form.field(KeyText(name, number).view(), view(text));
        zend_string_release(text);
    }
    ZEND_HASH_FOREACH_END();
    return !zend::exception_pending();
}

bool add_multipart(HttpClient& client, RequestWriter& request) {
    unsigned char chance[8];
    RAND_bytes(chance, sizeof(chance));
    form_text.clear();
    MultipartWriter form(form_text, chance);
    if (!add_form_fields(client, form)) {
        return false;
    }
    zval* entry;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(slot_of(client, Slot::kUploadFiles)), entry) {
        ZVAL_DEREF(entry);
        if (Z_TYPE_P(entry) == IS_ARRAY && !add_file(client, form, Z_ARRVAL_P(entry))) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    form.end();
    flush_to_part(client);
    uint64_t length = 0;
    for (const BodyPart& part : client.parts) {
        length += part.length;
    }
    request.multipart_type(form.boundary());
    request.end(length);
    client.head_bytes = client.head.size();
    return true;
}

void add_usual_fields(HttpClient& client, RequestWriter& request) {
    const HttpClientSettings& settings = client.settings;
    request.host();
    if (client.upgrading) {
        unsigned char chance[16];
        RAND_bytes(chance, sizeof(chance));
        proto::ws::make_key(chance, client.upgrade_key);
        request.upgrade({client.upgrade_key, sizeof(client.upgrade_key)},
                        settings.compress_messages ? proto::ws::kDeflateOffer : "");
    } else {
        request.connection(settings.keep_alive ? http1::Connection::kKeep
                                               : http1::Connection::kClose);
    }
    const proto::proxy::Credentials& login = client.plan.proxy.credentials;
    if (client.plan.asks_proxy() && !login.user.empty()) {
        request.proxy_authorization(login.user, login.password);
    }
    if (settings.accept_codings && !client.upgrading) {
        request.accept_encoding();
    }
}

}  // namespace

bool build_request(HttpClient& client, zend_string* path) {
    drop_request(client);
    RequestWriter request(client.head, origin_of(client.plan));
    bool multipart = Z_TYPE_P(slot_of(client, Slot::kUploadFiles)) == IS_ARRAY;
    if (multipart) {
        request.make_multipart();
    }
    if (!add_request_line(client, request, path) || !add_fields(client, request)) {
        return false;
    }
    add_usual_fields(client, request);
    if (!add_cookies(client, request)) {
        return false;
    }
    return multipart ? add_multipart(client, request) : add_simple_body(client, request);
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
