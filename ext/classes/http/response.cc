// Swoole\Http\Response: the object and its methods.
#include "classes/http/response.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <vector>

#include "classes/http/header_names.h"
#include "classes/http/response_body.h"
#include "classes/http/response_carrier.h"
#include "ext/server/prompt_sending.h"
#include "ext/server/request_jobs.h"
#include "ext/server/response_spool.h"
#include "ext/server/worker.h"
#include "error_numbers.h"
#include "os/file.h"
#include "proto/http1/response_writer.h"
#include "runtime/runtime.h"
#include "server/mime_registry.h"
#include "server/service.h"
#include "stubs/http_response_arginfo.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/last_error.h"
#include "zend/pending.h"
#include "zend/throw.h"
#include "zend/view.h"

namespace stampede::classes {

zend_class_entry* response_class;

namespace {

zend_object_handlers response_handlers;

using zend::view;

// Everything but the properties.
ResponseObject& allocate_response(zend_class_entry* ce) {
    auto* response = static_cast<ResponseObject*>(zend_object_alloc(sizeof(ResponseObject), ce));
    response->exchange = nullptr;
    response->websocket = nullptr;
    response->carrier = nullptr;
    response->coder = nullptr;
    response->reason = nullptr;
    response->status = 0;
    response->gone = 0;
    init_fields(response->fields);
    init_fields(response->trailers);
    zend_object_std_init(&response->std, ce);
    response->std.handlers = &response_handlers;
    return *response;
}

zend_object* create_response(zend_class_entry* ce) {
    zend_object* object = &allocate_response(ce).std;
    object_properties_init(object, ce);
    return object;
}

void drop_carrier(ResponseObject& response) {
    delete response.carrier;
    response.carrier = nullptr;
}

void free_response(zend_object* object) {
    ResponseObject* response = response_of(object);
    if (response->exchange != nullptr) {
        finish_response(*response, 500);
    }
    stop_coding(*response);
    drop_websocket(*response);
    drop_carrier(*response);
    if (response->reason != nullptr) {
        zend_string_release(response->reason);
    }
    free_fields(response->fields);
    free_fields(response->trailers);
    zend_object_std_dtor(object);
}

// For what must be set before the head goes out.
bool head_open(ResponseObject& response) {
    if (UNEXPECTED(response.carrier != nullptr)) {
        return response.carrier->is_head_open();
    }
    server::Exchange* exchange = usable_exchange(response);
    return exchange != nullptr && exchange->response() == server::ResponseState::kNone;
}

// A peer that reads slowly makes the writer wait, not the memory grow. The connection's write time
// ends the wait.
void wait_for_peer(server::Exchange& exchange) {
    if (exchange.pending() <= kWaitAbove || ResponseSpool::get().has_room()) {
        return;
    }
    exchange.connection()->flush();
    while (exchange.pending() > kWaitAbove && exchange.blocked() &&
           runtime::Runtime::get().can_park()) {
        if (RequestJobs::wait_to_write(exchange) != runtime::WakeReason::kReady) {
            return;
        }
    }
}

void end_trailers(ResponseObject& response) {
    if (response.trailers.count == 0) {
        return;
    }
    std::vector<server::FieldRef> lines;
    lines.reserve(response.trailers.count);
    for (uint32_t i = 0; i < response.trailers.count; i++) {
        const ResponseField& field = response.trailers.items[i];
        lines.push_back({view(field.name), view(Z_STR(field.value))});
    }
    response.exchange->send_trailers(lines.data(), response.trailers.count);
}

// The rest of a compressed body. A piece that cannot be encoded cuts the response off.
bool send_coded(ResponseObject& response, std::string_view bytes, proto::coding::Flush flush) {
    Buffer out;
    if (!code_piece(response, bytes, flush, out)) {
        response.exchange->abort();
        return false;
    }
    send_content(*response.exchange, std::move(out));
    return true;
}

// Trailers need a chunked body in HTTP/1, and in HTTP/2 one that does not end with the head.
uint64_t announced_length(const ResponseObject& response, size_t length) {
    bool beside_trailers = response.exchange->stream_id() != 0 && length > 0;
    return response.trailers.count == 0 || beside_trailers ? length : server::kUnknownLength;
}

// A body that is there at once is compressed before the head, which then says its length.
void send_coded_response(ResponseObject& response, std::string_view content) {
    Buffer out;
    if (!code_piece(response, content, proto::coding::Flush::kFinish, out)) {
        response.exchange->abort();
        return;
    }
    send_response_head(response, announced_length(response, out.size()), "text/html");
    send_content(*response.exchange, std::move(out));
}

bool is_long_enough_to_code(const server::Exchange& exchange, size_t length) {
    const server::CompressionSettings& settings = exchange.service().settings().compression;
    return settings.enabled && length >= settings.min_length;
}

void send_response(ResponseObject& response, zend_string* content) {
    server::Exchange& exchange = *response.exchange;
    size_t length = content != nullptr ? ZSTR_LEN(content) : 0;
    if (exchange.response() == server::ResponseState::kNone) {
        if (is_long_enough_to_code(exchange, length) && start_coding(response, length)) {
            send_coded_response(response, view(content));
            return;
        }
        send_response_head(response, announced_length(response, length), "text/html");
    } else if (response.coder != nullptr) {
        send_coded(response, length > 0 ? view(content) : std::string_view(),
                   proto::coding::Flush::kFinish);
        return;
    }
    if (length > 0) {
        send_content(exchange, content);
    }
}

bool end_response(ResponseObject& response, zend_string* content) {
    if (UNEXPECTED(response.carrier != nullptr)) {
        return response.carrier->end(response,
                                     content != nullptr ? view(content) : std::string_view());
    }
    if (UNEXPECTED(response.status == 101) && finish_handshake(response)) {
        return true;
    }
    server::Exchange& exchange = *response.exchange;
    send_response(response, content);
    stop_coding(response);
    end_trailers(response);
    bool sent = exchange.finish();
    let_go(response);
    return sent;
}

// The option output_buffer_size, 4 GiB when it is not given.
bool fits_buffer(const ResponseObject& response, const zend_string* content) {
    uint64_t most = response.exchange->service().settings().output_bytes;
    if (EXPECTED(content == nullptr || ZSTR_LEN(content) <= most)) {
        return true;
    }
    zend::warning(
        "the body of %zu bytes is larger than the option output_buffer_size (%" PRIu64
        "): raise it, or send the body in pieces with write() or from a file with sendfile()",
        ZSTR_LEN(content), most);
    zend::set_last_error(api_error::kDataTooLarge);
    return false;
}

bool check_value(const zend_string* name, const zend_string* value) {
    if (EXPECTED(proto::http::valid_field_value(view(value)))) {
        return true;
    }
    zend::warning("the value of the header \"%s\" holds a line break or another control character",
                  ZSTR_VAL(name));
    return false;
}

// Without white space and line ends at its end, which code that reads values from files leaves
// there.
zend_string* value_of(zval* given) {
    zend_string* text = zval_get_string(given);
    size_t length = ZSTR_LEN(text);
    while (length > 0 && strchr(" \t\r\n\v", ZSTR_VAL(text)[length - 1]) != nullptr &&
           ZSTR_VAL(text)[length - 1] != '\0') {
        length--;
    }
    if (EXPECTED(length == ZSTR_LEN(text))) {
        return text;
    }
    zend_string* trimmed = zend_string_init(ZSTR_VAL(text), length, 0);
    zend_string_release(text);
    return trimmed;
}

// A copy of the array with every value a valid string; false, and nothing, when one is not.
bool copy_lines(const zend_string* name, zval* given, zval* out) {
    array_init_size(out, zend_hash_num_elements(Z_ARRVAL_P(given)));
    zval* line;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(given), line) {
        zend_string* text = value_of(line);
        zval value;
        ZVAL_STR(&value, text);
        zend_hash_next_index_insert_new(Z_ARRVAL_P(out), &value);
        if (!check_value(name, text)) {
            zval_ptr_dtor(out);
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool copy_value(const zend_string* name, zval* given, zval* out) {
    if (Z_TYPE_P(given) == IS_ARRAY) {
        return copy_lines(name, given, out);
    }
    ZVAL_STR(out, value_of(given));
    if (zend::pending_exception() != nullptr || !check_value(name, Z_STR_P(out))) {
        zval_ptr_dtor(out);
        return false;
    }
    return true;
}

// Takes over the reference to the name.
bool set_field(FieldList& list, const HeaderName& name, zval* given) {
    if (name.written == nullptr) {
        zend::warning(
            "the name of a header must be a token without spaces, control or separator characters");
        return false;
    }
    bool servers_own = name.role == FieldRole::kContentType || name.role == FieldRole::kDate ||
                       name.role == FieldRole::kServer;
    if (Z_TYPE_P(given) == IS_NULL && !servers_own) {  // those are left out as empty ones
        remove_field(list, name.written);
        zend_string_release(name.written);
        return true;
    }
    zval value;
    if (!copy_value(name.written, given, &value)) {
        zend_string_release(name.written);
        return false;
    }
    put_field(list, {name.written, value, name.role, 0}, FieldMode::kReplace);
    return true;
}

// RFC 9110 6.5.1; peers drop such a response, or read the next one wrong.
bool may_trail(const HeaderName& name) {
    if (name.role == FieldRole::kContentLength || name.role == FieldRole::kConnection ||
        name.role == FieldRole::kFraming) {
        return false;
    }
    for (std::string_view other : {"trailer", "te", "host", "upgrade", "content-encoding"}) {
        if (proto::http::equals_ignoring_case(view(name.written), other)) {
            return false;
        }
    }
    return true;
}

void add_cookie(INTERNAL_FUNCTION_PARAMETERS, bool encode) {
    zval* name_or_object;
    CookieParts parts{};
    parts.value = parts.path = parts.domain = parts.samesite = parts.priority = ZSTR_EMPTY_ALLOC();
    parts.encode = encode;
    ZEND_PARSE_PARAMETERS_START(1, 10)
        Z_PARAM_ZVAL(name_or_object)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(parts.value)
        Z_PARAM_LONG(parts.expires)
        Z_PARAM_STR(parts.path)
        Z_PARAM_STR(parts.domain)
        Z_PARAM_BOOL(parts.secure)
        Z_PARAM_BOOL(parts.http_only)
        Z_PARAM_STR(parts.samesite)
        Z_PARAM_STR(parts.priority)
        Z_PARAM_BOOL(parts.partitioned)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* response = response_of(Z_OBJ_P(ZEND_THIS));
    if (!head_open(*response)) {
        RETURN_FALSE;
    }
    zval line;
    if (Z_TYPE_P(name_or_object) == IS_OBJECT) {
        if (!instanceof_function(Z_OBJCE_P(name_or_object), cookie_class)) {
            zend::warning("the first argument must be a name or a Swoole\\Http\\Cookie, %s given",
                          ZSTR_VAL(Z_OBJCE_P(name_or_object)->name));
            RETURN_FALSE;
        }
        zend_call_method_with_0_params(Z_OBJ_P(name_or_object), Z_OBJCE_P(name_or_object), nullptr,
                                       "tostring", &line);
        if (Z_TYPE(line) != IS_STRING) {
            zval_ptr_dtor(&line);
            RETURN_FALSE;
        }
    } else {
        parts.name = zval_get_string(name_or_object);
        zend_string* text = format_cookie(parts);
        zend_string_release(parts.name);
        if (text == nullptr) {
            RETURN_FALSE;
        }
        ZVAL_STR(&line, text);
    }
    put_field(response->fields,
              {zend_string_init(ZEND_STRL("Set-Cookie"), 0), line, FieldRole::kPlain, 0},
              FieldMode::kAppend);
    RETURN_TRUE;
}

}  // namespace

void let_go(ResponseObject& response) {
    server::Exchange* exchange = response.exchange;
    response.exchange = nullptr;
    if (exchange != nullptr) {
        exchange->release();
    }
}

server::Exchange* usable_exchange(ResponseObject& response) {
    if (response.exchange != nullptr &&
        response.exchange->response() != server::ResponseState::kEnded) {
        return response.exchange;
    }
    zend::set_last_error(api_error::kHttpContextUnavailable);
    return nullptr;
}

void finish_response(ResponseObject& response, int default_status) {
    if (response.exchange->response() == server::ResponseState::kEnded ||
        response.exchange->detached()) {
        let_go(response);
        return;
    }
    if (response.status == 0 && response.exchange->response() == server::ResponseState::kNone) {
        response.status = default_status;
    }
    end_response(response, nullptr);
}

static ResponseObject& make_shown(zend_long fd) {
    ResponseObject& response = allocate_response(response_class);
    ZVAL_LONG(OBJ_PROP_NUM(&response.std, kShownFd), fd);
    for (uint32_t slot = kShownSocket; slot <= kShownTrailer; slot++) {
        ZVAL_NULL(OBJ_PROP_NUM(&response.std, slot));
    }
    return response;
}

zend_object* make_response(server::Exchange& exchange) {
    ResponseObject& response = make_shown(exchange.connection_id());
    exchange.hold();
    response.exchange = &exchange;
    return &response.std;
}

zend_object* make_detached_response(zend_long fd, zend_object* socket) {
    ResponseObject& response = make_shown(fd);
    if (socket != nullptr) {
        ZVAL_OBJ_COPY(OBJ_PROP_NUM(&response.std, kShownSocket), socket);
    }
    return &response.std;
}

zend_result http_response_minit(int, int) {
    response_class = register_class_Swoole_Http_Response();
    response_class->create_object = create_response;
    response_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    memcpy(&response_handlers, zend_get_std_object_handlers(), sizeof(response_handlers));
    response_handlers.offset = offsetof(ResponseObject, std);
    response_handlers.free_obj = free_response;
    response_handlers.clone_obj = nullptr;
    set_property_handlers(response_handlers);
    zend::alias_class(response_class, "swoole_http_response");
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

#define THIS_RESPONSE (*response_of(Z_OBJ_P(ZEND_THIS)))

ZEND_METHOD(Swoole_Http_Response, initHeader) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(head_open(THIS_RESPONSE));
}

ZEND_METHOD(Swoole_Http_Response, isWritable) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (UNEXPECTED(THIS_RESPONSE.carrier != nullptr)) {
        RETURN_BOOL(THIS_RESPONSE.carrier->is_writable());
    }
    server::Exchange* exchange = THIS_RESPONSE.exchange;
    RETURN_BOOL(exchange != nullptr && exchange->writable());
}

ZEND_METHOD(Swoole_Http_Response, cookie) { add_cookie(INTERNAL_FUNCTION_PARAM_PASSTHRU, true); }

ZEND_METHOD(Swoole_Http_Response, rawcookie) {
    add_cookie(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Swoole_Http_Response, status) {
    zend_long code;
    zend_string* reason = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(code)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(reason)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    if (!head_open(response)) {
        RETURN_FALSE;
    }
    if (code < 100 || code > 999) {
        zend::warning("the status must be a number from 100 to 999, " ZEND_LONG_FMT " given", code);
        RETURN_FALSE;
    }
    if (reason != nullptr && !proto::http::valid_reason(view(reason))) {
        zend::warning("the reason holds a line break or another control character");
        RETURN_FALSE;
    }
    response.status = static_cast<int>(code);
    if (response.reason != nullptr) {
        zend_string_release(response.reason);
        response.reason = nullptr;
    }
    if (reason != nullptr && ZSTR_LEN(reason) > 0) {
        response.reason = zend_string_copy(reason);
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Http_Response, header) {
    zend_string* name;
    zval* value;
    bool format = true;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(value)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(format)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    if (!head_open(response)) {
        RETURN_FALSE;
    }
    HeaderName known = format ? formatted_header_name(name) : plain_header_name(name);
    RETURN_BOOL(set_field(response.fields, known, value));
}

ZEND_METHOD(Swoole_Http_Response, trailer) {
    zend_string* name;
    zend_string* value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(name)
        Z_PARAM_STR_OR_NULL(value)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    bool open = response.carrier != nullptr ? response.carrier->is_writable()
                                            : usable_exchange(response) != nullptr;
    if (!open) {
        RETURN_FALSE;
    }
    HeaderName known = plain_header_name(name);
    if (known.written != nullptr && !may_trail(known)) {
        zend_string_release(known.written);
        zend::warning("\"%s\" says how a message is read and cannot come behind it",
                      ZSTR_VAL(name));
        RETURN_FALSE;
    }
    zval text;
    ZVAL_NULL(&text);
    if (value != nullptr) {
        ZVAL_STR(&text, value);
    }
    RETURN_BOOL(set_field(response.trailers, known, &text));
}

ZEND_METHOD(Swoole_Http_Response, write) {
    zend_string* content;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(content)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    if (UNEXPECTED(response.carrier != nullptr)) {
        RETURN_BOOL(response.carrier->write(response, view(content)));
    }
    server::Exchange* exchange = usable_exchange(response);
    if (exchange == nullptr) {
        RETURN_FALSE;
    }
    if (exchange->response() == server::ResponseState::kNone) {
        start_coding(response, server::kUnknownLength);
        send_response_head(response, server::kUnknownLength, "text/html");
    }
    if (ZSTR_LEN(content) > 0) {
        if (response.coder != nullptr) {
            send_coded(response, view(content), proto::coding::Flush::kNow);
        } else {
            send_content(*exchange, content);
        }
        exchange->hold();
        send_promptly(execute_data);
        wait_for_peer(*exchange);
        exchange->release();
    }
    RETURN_BOOL(response.exchange != nullptr && response.exchange->connection() != nullptr);
}

ZEND_METHOD(Swoole_Http_Response, earlyHints) {
    HashTable* links;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(links)
    ZEND_PARSE_PARAMETERS_END();

    constexpr uint32_t kMostLinks = 64;
    ResponseObject& response = THIS_RESPONSE;
    if (!head_open(response)) {
        RETURN_FALSE;
    }
    server::FieldRef fields[kMostLinks];
    uint32_t count = 0;
    zval* link;
    ZEND_HASH_FOREACH_VAL(links, link) {
        ZVAL_DEREF(link);
        if (Z_TYPE_P(link) != IS_STRING || count == kMostLinks ||
            !proto::http::valid_field_value(view(Z_STR_P(link)))) {
            zend::warning(
                "early hints are a list of at most %u strings without line breaks and other "
                "control characters",
                kMostLinks);
            RETURN_FALSE;
        }
        fields[count++] = {"Link", view(Z_STR_P(link))};
    }
    ZEND_HASH_FOREACH_END();
    if (UNEXPECTED(response.carrier != nullptr)) {
        zend::warning("earlyHints() needs a request of a server, not a socket");
        RETURN_FALSE;
    }
    bool sent = count > 0 && response.exchange->send_hints(fields, count);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Http_Response, end) {
    zend_string* content = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR_OR_NULL(content)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    if (UNEXPECTED(response.carrier != nullptr)) {
        RETURN_BOOL(end_response(response, content));
    }
    bool ended = usable_exchange(response) != nullptr && fits_buffer(response, content) &&
                 end_response(response, content);
    send_promptly(execute_data);
    RETURN_BOOL(ended);
}

ZEND_METHOD(Swoole_Http_Response, sendfile) {
    zend_string* filename;
    zend_long offset = 0;
    zend_long length = 0;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_PATH_STR(filename)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(offset)
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    if (!head_open(response)) {
        RETURN_FALSE;
    }
    os::FileInfo file = os::open_regular(ZSTR_VAL(filename));
    if (file.fd < 0) {
        zend::warning("cannot send the file \"%s\": %s", ZSTR_VAL(filename), strerror(errno));
        RETURN_FALSE;
    }
    if (offset < 0 || length < 0 || static_cast<uint64_t>(offset) > file.size ||
        static_cast<uint64_t>(length) > file.size - static_cast<uint64_t>(offset)) {
        os::close_fd(file.fd);
        zend::warning("offset " ZEND_LONG_FMT " and length " ZEND_LONG_FMT
                      " lie outside of the file \"%s\"",
                      offset, length, ZSTR_VAL(filename));
        RETURN_FALSE;
    }
    uint64_t rest = file.size - static_cast<uint64_t>(offset);
    uint64_t count = length > 0 ? static_cast<uint64_t>(length) : rest;
    std::string_view type = server::MimeRegistry::get().find_for_path(view(filename));
    type = type.empty() ? "application/octet-stream" : type;
    if (UNEXPECTED(response.carrier != nullptr)) {
        RETURN_BOOL(
            response.carrier->send_file(response, {filename, {file.fd, offset, count}, type}));
    }
    send_response_head(response, count, type);
    if (count > 0) {
        response.exchange->send_file({file.fd, static_cast<off_t>(offset), count});
    } else {
        os::close_fd(file.fd);
    }
    bool ended = end_response(response, nullptr);
    send_promptly(execute_data);
    RETURN_BOOL(ended);
}

ZEND_METHOD(Swoole_Http_Response, redirect) {
    zend_string* location;
    zend_long code = 302;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(location)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject& response = THIS_RESPONSE;
    if (!head_open(response)) {
        RETURN_FALSE;
    }
    if (code < 300 || code > 399) {
        zend::warning("the status of a redirect must be a number from 300 to 399, " ZEND_LONG_FMT
                      " given",
                      code);
        RETURN_FALSE;
    }
    zval target;
    ZVAL_STR(&target, location);
    if (!set_field(response.fields, {zend_string_init(ZEND_STRL("Location"), 0), FieldRole::kPlain},
                   &target)) {
        RETURN_FALSE;
    }
    response.status = static_cast<int>(code);
    bool ended = end_response(response, nullptr);
    send_promptly(execute_data);
    RETURN_BOOL(ended);
}

ZEND_METHOD(Swoole_Http_Response, detach) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ResponseObject& response = THIS_RESPONSE;
    if (UNEXPECTED(response.carrier != nullptr)) {
        drop_carrier(response);
        RETURN_TRUE;
    }
    if (usable_exchange(response) == nullptr) {
        RETURN_FALSE;
    }
    response.exchange->set_detached(true);
    let_go(response);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Http_Response, close) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ResponseObject& response = THIS_RESPONSE;
    if (response.websocket != nullptr) {
        RETURN_BOOL(shut_websocket(response));
    }
    if (response.carrier != nullptr) {
        bool closed = response.carrier->close();
        drop_carrier(response);
        RETURN_BOOL(closed);
    }
    server::Exchange* exchange = response.exchange;
    if (exchange == nullptr || exchange->connection() == nullptr) {
        RETURN_FALSE;
    }
    net::Connection& connection = *exchange->connection();
    if (exchange->stream_id() !=
        0) {  // which ends with all its streams; the peer sees whose it was
        connection.flush();
    }
    if (!connection.closed()) {
        connection.close_now(net::CloseCause::kServer);
    }
    let_go(response);
    RETURN_TRUE;
}
