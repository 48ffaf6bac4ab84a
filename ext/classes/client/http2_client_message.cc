// Requests and responses of an HTTP/2 client as PHP objects.
#include <cerrno>
#include <cstring>

#include "classes/client/http2_client.h"
#include "error_numbers.h"
#include "proto/http/message.h"
#include "proto/http/uri.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes::client {

zend_class_entry* http2_request_class;
zend_class_entry* http2_response_class;

namespace {

using proto::http2::BodyEnd;
using proto::http2::Field;

// Declaration orders.
enum class Ask : uint32_t { kPath, kMethod, kHeaders, kCookies, kData, kPipeline, kPipelineRead };
enum class Response : uint32_t {
    kStreamId,
    kErrCode,
    kStatusCode,
    kPipeline,
    kHeaders,
    kSetCookieHeaders,
    kCookies,
    kData,
};

// The request being made, a member of the process: reading values may end the script.
struct Draft {
    std::vector<std::pair<std::string, std::string>> fields;
    bool content_type = false;
    bool accept_encoding = false;
    bool authority = false;
};
Draft draft;

zval* ask(zend_object* request, Ask slot) {
    zval* value = OBJ_PROP_NUM(request, static_cast<uint32_t>(slot));
    ZVAL_DEREF(value);
    return value;
}

std::string text_of(zval* value) {
    zend_string* text = zval_get_string(value);
    std::string result(ZSTR_VAL(text), ZSTR_LEN(text));
    zend_string_release(text);
    return result;
}

std::string lower(std::string_view name) {
    std::string result(name);
    for (char& c : result) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    return result;
}

// What belongs to a connection has no place in HTTP/2.
bool is_of_connection(std::string_view name) {
    return name == "connection" || name == "keep-alive" || name == "proxy-connection" ||
           name == "transfer-encoding" || name == "upgrade" || name == "content-length";
}

bool valid_value(std::string_view value) {
    return value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

bool add_header(std::string_view given, zval* value) {
    std::string name = lower(given);
    if (is_of_connection(name) || name.starts_with(':')) {
        return true;
    }
    std::string text = text_of(value);
    if (!proto::http::is_token(name) || !valid_value(text)) {
        return false;
    }
    draft.content_type = draft.content_type || name == "content-type";
    draft.accept_encoding = draft.accept_encoding || name == "accept-encoding";
    if (name == "host") {
        draft.fields[2].second = text;  // :authority
    } else {
        draft.fields.emplace_back(std::move(name), std::move(text));
    }
    return true;
}

bool add_headers(zval* headers) {
    if (Z_TYPE_P(headers) != IS_ARRAY) {
        return true;
    }
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(headers), name, value) {
        ZVAL_DEREF(value);
        if (name != nullptr && Z_TYPE_P(value) != IS_NULL &&
            !add_header({ZSTR_VAL(name), ZSTR_LEN(name)}, value)) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

std::string encode(std::string_view text) {
    constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    for (char c : text) {
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += kHex[static_cast<unsigned char>(c) >> 4];
            out += kHex[static_cast<unsigned char>(c) & 15];
        }
    }
    return out;
}

void add_cookies(zval* cookies) {
    if (Z_TYPE_P(cookies) != IS_ARRAY) {
        return;
    }
    zend_ulong number;
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(cookies), number, name, value) {
        if (name == nullptr || proto::http::is_token({ZSTR_VAL(name), ZSTR_LEN(name)})) {
            std::string pair = name != nullptr ? std::string(ZSTR_VAL(name), ZSTR_LEN(name))
                                               : std::to_string(static_cast<zend_long>(number));
            pair += '=';
            pair += encode(text_of(value));
            draft.fields.emplace_back("cookie", std::move(pair));
        }
    }
    ZEND_HASH_FOREACH_END();
}

std::string authority_of(const DialPlan& plan) {
    if (plan.host.starts_with("unix:") || plan.host.starts_with("/")) {
        return "localhost";
    }
    bool bare_ipv6 = plan.host.find(':') != std::string::npos && plan.host.front() != '[';
    std::string host = bare_ipv6 ? "[" + plan.host + "]" : plan.host;
    return plan.port == (plan.tls ? 443 : 80) ? host : host + ":" + std::to_string(plan.port);
}

bool make_head(Http2Client& client, zend_object* request) {
    draft = Draft();
    std::string method = text_of(ask(request, Ask::kMethod));
    std::string path = text_of(ask(request, Ask::kPath));
    if (path.empty() || path[0] != '/') {
        path.insert(path.begin(), '/');
    }
    for (char c : path) {
        if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') {
            return false;
        }
    }
    bool token = proto::http::is_token(method);
    draft.fields.emplace_back(":method", std::move(method));
    draft.fields.emplace_back(":scheme", client.plan.tls ? "https" : "http");
    draft.fields.emplace_back(":authority", authority_of(client.plan));
    draft.fields.emplace_back(":path", std::move(path));
    if (!token || !add_headers(ask(request, Ask::kHeaders))) {
        return false;
    }
    add_cookies(ask(request, Ask::kCookies));
    if (!draft.accept_encoding && client.decode_body) {
        draft.fields.emplace_back("accept-encoding", "gzip, deflate, br, zstd");
    }
    return true;
}

int32_t submit(Http2Client& client, zend_object* request, zend_string* body) {
    bool pipeline = zend_is_true(ask(request, Ask::kPipeline));
    if (!pipeline && ZSTR_LEN(body) > 0) {
        bool form = Z_TYPE_P(ask(request, Ask::kData)) == IS_ARRAY;
        if (form && !draft.content_type) {
            draft.fields.emplace_back("content-type", "application/x-www-form-urlencoded");
        }
        draft.fields.emplace_back("content-length", std::to_string(ZSTR_LEN(body)));
    }
    std::vector<Field> fields;
    for (const auto& [name, value] : draft.fields) {
        fields.push_back({name, value});
    }
    bool empty = ZSTR_LEN(body) == 0;
    // The end of a body with bytes is said when they are written.
    BodyEnd end = empty && !pipeline ? BodyEnd::kLast : BodyEnd::kMore;
    int32_t id = client.session->request(fields, end);
    if (id > 0) {
        auto stream = std::make_unique<H2Stream>();
        stream->incremental = zend_is_true(ask(request, Ask::kPipelineRead));
        client.streams[id] = std::move(stream);
        if (!empty) {
            client.session->write(id, {ZSTR_VAL(body), ZSTR_LEN(body)},
                                  pipeline ? BodyEnd::kMore : BodyEnd::kLast);
        }
    }
    return id;
}

void put(zend_object* response, Response slot, zval value) {
    ZVAL_COPY_VALUE(OBJ_PROP_NUM(response, static_cast<uint32_t>(slot)), &value);
}

zval long_value(zend_long number) {
    zval value;
    ZVAL_LONG(&value, number);
    return value;
}

// name=value of a Set-Cookie field.
void add_cookie(zval* cookies, std::string_view line) {
    std::string_view pair = line.substr(0, line.find(';'));
    size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return;
    }
    std::string_view text = pair.substr(equals + 1);
    zend_string* decoded = zend_string_alloc(text.size(), 0);
    ZSTR_LEN(decoded) =
        proto::http::percent_decode(text, ZSTR_VAL(decoded), proto::http::Plus::kSpace);
    ZSTR_VAL(decoded)[ZSTR_LEN(decoded)] = '\0';
    if (Z_TYPE_P(cookies) != IS_ARRAY) {
        array_init(cookies);
    }
    zval value;
    ZVAL_STR(&value, decoded);
    zend_symtable_str_update(Z_ARRVAL_P(cookies), pair.data(), equals, &value);
}

void show_fields(const H2Stream& stream, zend_object* response) {
    zval headers;
    zval lines;
    zval cookies = {};  // the compiler does not see that it is set before it is read
    array_init(&headers);
    ZVAL_NULL(&lines);
    ZVAL_NULL(&cookies);
    for (const auto& [name, text] : stream.fields) {
        zval value;
        ZVAL_STRINGL_FAST(&value, text.data(), text.size());
        zval* there = zend_symtable_str_find(Z_ARRVAL(headers), name.data(), name.size());
        if (there == nullptr) {
            zend_symtable_str_update(Z_ARRVAL(headers), name.data(), name.size(), &value);
        } else {
            if (Z_TYPE_P(there) != IS_ARRAY) {
                zval list;
                array_init(&list);
                zend_hash_next_index_insert_new(Z_ARRVAL(list), there);
                ZVAL_COPY_VALUE(there, &list);
            }
            zend_hash_next_index_insert_new(Z_ARRVAL_P(there), &value);
        }
        if (name == "set-cookie") {
            if (Z_TYPE(lines) != IS_ARRAY) {
                array_init(&lines);
            }
            add_next_index_stringl(&lines, text.data(), text.size());
            add_cookie(&cookies, text);
        }
    }
    put(response, Response::kHeaders, headers);
    put(response, Response::kSetCookieHeaders, lines);
    put(response, Response::kCookies, cookies);
}

}  // namespace

zend_string* body_text(zval* data) {
    ZVAL_DEREF(data);
    if (Z_TYPE_P(data) != IS_ARRAY) {
        return zval_get_string(data);
    }
    zval name;
    zval result;
    ZVAL_STRING(&name, "http_build_query");
    ZVAL_UNDEF(&result);
    call_user_function(nullptr, nullptr, &name, &result, 1, data);
    zval_ptr_dtor(&name);
    if (Z_TYPE(result) == IS_STRING) {
        return Z_STR(result);
    }
    zval_ptr_dtor(&result);
    return nullptr;
}

int32_t submit_h2(Http2Client& client, zend_object* request) {
    zend_string* body = body_text(ask(request, Ask::kData));
    if (body == nullptr || zend::pending_exception() != nullptr) {
        return -1;
    }
    int32_t id = -1;
    if (!make_head(client, request)) {
        zend::warning("method, path and header fields of a request must be valid");
        fail_h2(client, api_error::kInvalidParams, {});
    } else {
        id = submit(client, request, body);
        if (id <= 0) {
            fail_h2(client, api_error::kHttp2StreamIdTooBig,
                    "the connection has no stream left: reconnect");
        }
    }
    zend_string_release(body);
    return id;
}

void take_h2(Http2Client& client, int32_t id, zval* out) {
    object_init_ex(out, http2_response_class);
    zend_object* response = Z_OBJ_P(out);
    H2Stream& stream = *client.streams[id];
    bool reset = stream.error != 0;
    put(response, Response::kStreamId, long_value(id));
    put(response, Response::kErrCode, long_value(static_cast<zend_long>(stream.error)));
    put(response, Response::kStatusCode, long_value(reset ? -3 : stream.status));
    zval pipeline;
    ZVAL_BOOL(&pipeline, !stream.done);
    put(response, Response::kPipeline, pipeline);
    show_fields(stream, response);
    zval data;
    ZVAL_STRINGL_FAST(&data, stream.body.data(), stream.body.size());
    put(response, Response::kData, data);
    stream.body.release();
    if (stream.done) {
        client.streams.erase(id);
    }
}

}  // namespace stampede::classes::client
