// Requests and responses of an HTTP/2 client as PHP objects.
#include <cerrno>
#include <cstring>

#include "classes/client/http2_client.h"
#include "client/cookies.h"
#include "client/http2/request_fields.h"
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
http2::RequestFields draft;

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

bool add_headers(zval* headers) {
    if (Z_TYPE_P(headers) != IS_ARRAY) {
        return true;
    }
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(headers), name, value) {
        ZVAL_DEREF(value);
        if (name != nullptr && Z_TYPE_P(value) != IS_NULL &&
            !draft.add({ZSTR_VAL(name), ZSTR_LEN(name)}, text_of(value))) {
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
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
            std::string key = name != nullptr ? std::string(ZSTR_VAL(name), ZSTR_LEN(name))
                                              : std::to_string(static_cast<zend_long>(number));
            draft.add_cookie(key, text_of(value));
        }
    }
    ZEND_HASH_FOREACH_END();
}

bool make_head(Http2Client& client, zend_object* request) {
    std::string method = text_of(ask(request, Ask::kMethod));
    std::string path = text_of(ask(request, Ask::kPath));
    if (!draft.begin(method, std::move(path), origin_of(client.plan)) ||
        !add_headers(ask(request, Ask::kHeaders))) {
        return false;
    }
    add_cookies(ask(request, Ask::kCookies));
    if (client.limits.decode_body) {
        draft.add_accept_encoding();
    }
    return true;
}

int32_t submit(Http2Client& client, zend_object* request, zend_string* body) {
    bool pipeline = zend_is_true(ask(request, Ask::kPipeline));
    if (!pipeline && ZSTR_LEN(body) > 0) {
        bool form = Z_TYPE_P(ask(request, Ask::kData)) == IS_ARRAY;
        if (form) {
            draft.add_form_type();
        }
        draft.add_content_length(ZSTR_LEN(body));
    }
    bool empty = ZSTR_LEN(body) == 0;
    // The end of a body with bytes is said when they are written.
    BodyEnd end = empty && !pipeline ? BodyEnd::kLast : BodyEnd::kMore;
    bool in_pieces = zend_is_true(ask(request, Ask::kPipelineRead));
    int32_t id = client.connection->request(
        draft.list(), end, in_pieces ? http2::Taking::kInPieces : http2::Taking::kWhole);
    if (id > 0 && !empty) {
        client.connection->write(id, {ZSTR_VAL(body), ZSTR_LEN(body)},
                                 pipeline ? BodyEnd::kMore : BodyEnd::kLast);
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

void add_cookie(zval* cookies, std::string_view line) {
    stampede::client::SetCookie cookie;
    if (!stampede::client::read_set_cookie(line, cookie)) {
        return;
    }
    std::string_view text = cookie.value;
    zend_string* decoded = zend_string_alloc(text.size(), 0);
    ZSTR_LEN(decoded) =
        proto::http::percent_decode(text, ZSTR_VAL(decoded), proto::http::Plus::kSpace);
    ZSTR_VAL(decoded)[ZSTR_LEN(decoded)] = '\0';
    if (Z_TYPE_P(cookies) != IS_ARRAY) {
        array_init(cookies);
    }
    zval value;
    ZVAL_STR(&value, decoded);
    zend_symtable_str_update(Z_ARRVAL_P(cookies), cookie.name.data(), cookie.name.size(), &value);
}

// Of a field that comes twice the last value counts; only cookies have a list of their own.
void show_fields(const http2::Response& received, zend_object* response) {
    zval headers;
    zval lines;
    zval cookies = {};  // the compiler does not see that it is set before it is read
    array_init(&headers);
    array_init(&lines);
    array_init(&cookies);
    for (const auto& [name, text] : received.fields) {
        zval value;
        ZVAL_STRINGL_FAST(&value, text.data(), text.size());
        zend_symtable_str_update(Z_ARRVAL(headers), name.data(), name.size(), &value);
        if (name == "set-cookie") {
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
    http2::Response& received = client.connection->response(id);
    bool reset = received.error != proto::http2::ErrorCode::kNoError;
    put(response, Response::kStreamId, long_value(id));
    put(response, Response::kErrCode, long_value(static_cast<zend_long>(received.error)));
    put(response, Response::kStatusCode, long_value(reset ? -3 : received.status));
    zval pipeline;
    ZVAL_BOOL(&pipeline, !received.done);
    put(response, Response::kPipeline, pipeline);
    show_fields(received, response);
    zval data;
    ZVAL_NULL(&data);  // without a body
    if (!received.body.empty()) {
        ZVAL_STRINGL_FAST(&data, received.body.data(), received.body.size());
    }
    put(response, Response::kData, data);
    client.connection->taken(id);
}

}  // namespace stampede::classes::client
