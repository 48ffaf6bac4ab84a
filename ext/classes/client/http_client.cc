// The methods of Swoole\Coroutine\Http\Client.
#include "classes/client/http_client.h"

#include <cerrno>
#include <utility>
#include <cstring>

#include "classes/coroutine/coroutine.h"
#include "client/http1/request_writer.h"
#include "error_numbers.h"
#include "io/bound.h"
#include "os/file.h"
#include "server/mime_registry.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/throw.h"
#include "zend/object_guards.h"
#include "zend_attributes.h"

#include "stubs/http_client_arginfo.h"

namespace stampede::classes::client {

void put_long(HttpClient& client, Slot slot, zend_long number) {
    zval value;
    ZVAL_LONG(&value, number);
    put(client, slot, &value);
}

void put_bool(HttpClient& client, Slot slot, bool yes) {
    zval value;
    ZVAL_BOOL(&value, yes);
    put(client, slot, &value);
}

void put_text(HttpClient& client, Slot slot, std::string_view text) {
    zval value;
    ZVAL_STRINGL_FAST(&value, text.data(), text.size());
    put(client, slot, &value);
}

void put_null(HttpClient& client, Slot slot) {
    zval value;
    ZVAL_NULL(&value);
    put(client, slot, &value);
}

HashTable* array_in(HttpClient& client, Slot slot) {
    zval* value = slot_of(client, slot);
    if (Z_TYPE_P(value) != IS_ARRAY) {
        zval fresh;
        array_init(&fresh);
        put(client, slot, &fresh);
    }
    SEPARATE_ARRAY(value);
    return Z_ARRVAL_P(value);
}

namespace {

zend_class_entry* http_client_class;
zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) { return zend::create_object<HttpClient>(ce, &handlers); }

void destroy(zend_object* object) {
    auto& client = zend::from_object<HttpClient>(object);
    drop_request(client);
    drop_body(client);
    client.write_func.release();
    if (client.socket != nullptr) {
        zend_object* socket = client.socket;
        client.socket = nullptr;
        OBJ_RELEASE(socket);  // one that somebody has taken lives on
    }
    zend_object_std_dtor(object);
    client.~HttpClient();
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    auto& client = zend::from_object<HttpClient>(object);
    zend::GcRoots roots;
    roots.add(client.write_func);
    roots.add(client.socket);
    return roots.with_properties(object, table, count);
}

// One coroutine at a time; false after the API's error was thrown.
bool may_begin(HttpClient& client) {
    if (require_coroutine() == nullptr) {
        return false;
    }
    if (client.user == nullptr) {
        return true;
    }
    io::throw_bound_socket(client.stream().descriptor().fd(), *client.user,
                           "waiting for a response", "a request",
                           "use a client for each coroutine");
    return false;
}

class Busy {
public:
    explicit Busy(HttpClient& client) : client_(client) {
        client.user = runtime::Runtime::get().current();
    }
    ~Busy() { client_.user = nullptr; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    HttpClient& client_;
};

void forget_response(HttpClient& client) {
    put_long(client, Slot::kErrCode, 0);
    put_text(client, Slot::kErrMsg, {});
    put_long(client, Slot::kStatusCode, 0);
    put_null(client, Slot::kHeaders);
    put_null(client, Slot::kSetCookieHeaders);
    put_text(client, Slot::kBody, {});
}

// Files are of one request; method and body stay for the next one.
void forget_files(HttpClient& client) {
    put_null(client, Slot::kUploadFiles);
    put_null(client, Slot::kDownloadFile);
    put_long(client, Slot::kDownloadOffset, 0);
}

void drop_parts(HttpClient& client) {
    Buffer head;
    head.append(client.head.view().substr(0, client.head_bytes));
    size_t size = client.head_bytes;
    drop_request(client);
    client.head.swap(head);
    client.head_bytes = size;
}

bool begin_request(HttpClient& client, zend_string* path) {
    client.awaited = false;
    client.ws.reset();
    drop_body(client);
    forget_response(client);
    client.deadline = io::deadline_in(client.settings.total);
    return build_request(client, path);
}

bool request(HttpClient& client, zend_string* path) {
    if (!may_begin(client)) {
        return false;
    }
    Busy busy(client);
    client.upgrading = false;
    if (client.ws != nullptr) {
        disconnect(client);
    }
    if (!begin_request(client, path)) {
        return false;
    }
    if (client.settings.defer) {
        client.awaited = exchange(client, Begin::kSend, Until::kSent);
        return client.awaited;
    }
    bool responded = exchange(client, Begin::kSend, Until::kResponded);
    if (client.parts.empty()) {
        client.head.unwrite(client.head.size() - client.head_bytes);
    } else {
        drop_parts(client);
    }
    forget_files(client);
    return responded;
}

bool await(HttpClient& client, double timeout) {
    Busy busy(client);
    client.awaited = false;
    // The time that has passed since the request was sent does not count.
    client.deadline = timeout != 0 ? io::deadline_in(timeout_of(timeout))
                                   : io::deadline_in(client.settings.total);
    bool responded = exchange(client, Begin::kReceive, Until::kResponded);
    drop_parts(client);
    forget_files(client);
    return responded;
}

bool upgrade(HttpClient& client, zend_string* path) {
    if (!may_begin(client)) {
        return false;
    }
    Busy busy(client);
    if (client.ws != nullptr) {
        disconnect(client);
    }
    client.upgrading = true;
    put_text(client, Slot::kRequestMethod, "GET");
    put_null(client, Slot::kRequestBody);
    put_null(client, Slot::kUploadFiles);
    bool sent = begin_request(client, path) && exchange(client, Begin::kSend, Until::kResponded) &&
                begin_websocket(client);
    client.upgrading = false;
    return sent;
}

bool websocket_open(HttpClient& client) {
    if (client.ws != nullptr && client.stream().is_open()) {
        return true;
    }
    return fail(client, 0, api_error::kWebSocketUnconnected, {});
}

Nanos recv_deadline(const HttpClient& client, double timeout) {
    if (timeout == 0) {
        return io::deadline_in(client.settings.times.read);
    }
    return timeout < 0 ? kNever : io::deadline_in(timeout_of(timeout));
}

void show_address(HttpClient& client, os::Address (*ask)(int), zval* return_value) {
    if (!client.stream().is_open()) {
        fail(client, 0, api_error::kClientNoConnection, {});
        RETURN_FALSE;
    }
    os::Address address = ask(client.stream().fd());
    char host[128];
    size_t length = address.format_host(host);
    array_init(return_value);
    add_assoc_stringl(return_value, "address", host, length);
    add_assoc_long(return_value, "port", address.port());
}

// An entry of uploadFiles; takes over content, which may be null.
struct Upload {
    zend_string* path = nullptr;
    zend_string* content = nullptr;
    zend_string* name = nullptr;
    zend_string* type = nullptr;
    zend_string* filename = nullptr;
    zend_long offset = 0;
    zend_long size = 0;
};

void add_text(zval* entry, const char* key, zend_string* given, std::string_view usual) {
    if (given != nullptr && ZSTR_LEN(given) > 0) {
        add_assoc_str(entry, key, zend_string_copy(given));
    } else {
        add_assoc_stringl(entry, key, usual.data(), usual.size());
    }
}

void keep_upload(HttpClient& client, const Upload& upload) {
    zval entry;
    array_init(&entry);
    std::string_view path;
    if (upload.path != nullptr) {
        path = {ZSTR_VAL(upload.path), ZSTR_LEN(upload.path)};
        add_assoc_str(&entry, "path", zend_string_copy(upload.path));
    } else {
        add_assoc_str(&entry, "content", zend_string_copy(upload.content));
    }
    std::string_view name(ZSTR_VAL(upload.name), ZSTR_LEN(upload.name));
    std::string_view base = path.empty() ? name : path.substr(path.rfind('/') + 1);
    std::string_view type = server::MimeRegistry::get().find_for_path(base);
    add_text(&entry, "name", upload.name, {});
    add_text(&entry, "type", upload.type, type.empty() ? "application/octet-stream" : type);
    add_text(&entry, "filename", upload.filename, base);
    add_assoc_long(&entry, "size", upload.size);
    add_assoc_long(&entry, "offset", upload.offset);
    zend_hash_next_index_insert_new(array_in(client, Slot::kUploadFiles), &entry);
}

bool add_file(HttpClient& client, Upload& upload) {
    os::FileInfo file = os::open_regular(ZSTR_VAL(upload.path));
    if (file.fd < 0) {
        zend::warning("cannot upload the file \"%s\": %s", ZSTR_VAL(upload.path), strerror(errno));
        return false;
    }
    os::close_fd(file.fd);
    auto offset = static_cast<uint64_t>(upload.offset);
    auto length = static_cast<uint64_t>(upload.size);
    if (upload.offset < 0 || upload.size < 0 || offset > file.size || length > file.size - offset) {
        zend::warning("offset " ZEND_LONG_FMT " and length " ZEND_LONG_FMT
                      " lie outside of the file \"%s\"",
                      upload.offset, upload.size, ZSTR_VAL(upload.path));
        return false;
    }
    if (length == 0) {
        upload.size = static_cast<zend_long>(file.size - offset);
    }
    keep_upload(client, upload);
    return true;
}

bool construct(HttpClient& client, zend_string* host, zend_long port, bool tls) {
    constexpr std::string_view kException = "Swoole\\Coroutine\\Http\\Client\\Exception";
    if (ZSTR_LEN(host) == 0 || memchr(ZSTR_VAL(host), '\0', ZSTR_LEN(host)) != nullptr) {
        throw_client_exception(
            kException, "the host of an HTTP client must be a name, an address or unix:/path");
        return false;
    }
    if (port < 0 || port > 65535) {
        throw_client_exception(kException, "the port must be a number from 0 to 65535");
        return false;
    }
    client.plan.host.assign(ZSTR_VAL(host), ZSTR_LEN(host));
    client.plan.port = static_cast<uint16_t>(port != 0 ? port : tls ? 443 : 80);
    client.plan.tls = tls;
    client.settings.times = usual_times();
    put_text(client, Slot::kHost, {ZSTR_VAL(host), ZSTR_LEN(host)});
    put_long(client, Slot::kPort, client.plan.port);
    put_bool(client, Slot::kSsl, tls);
    return true;
}

}  // namespace
}  // namespace stampede::classes::client

using namespace stampede;
using namespace stampede::classes;
using namespace stampede::classes::client;

#define THIS_CLIENT (zend::from_this<HttpClient>(ZEND_THIS))

ZEND_METHOD(Swoole_Coroutine_Http_Client, __construct) {
    zend_string* host;
    zend_long port = 0;
    bool tls = false;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_BOOL(tls)
    ZEND_PARSE_PARAMETERS_END();
    if (!construct(THIS_CLIENT, host, port, tls)) {
        RETURN_THROWS();
    }
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Coroutine_Http_Client, set) {
    zval* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(settings)
    ZEND_PARSE_PARAMETERS_END();
    HttpClient& client = THIS_CLIENT;
    if (zend_hash_num_elements(Z_ARRVAL_P(settings)) == 0 ||
        !read_settings(client, Z_ARRVAL_P(settings))) {
        RETURN_FALSE;
    }
    zend_hash_merge(array_in(client, Slot::kSetting), Z_ARRVAL_P(settings), zval_add_ref, true);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getDefer) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(THIS_CLIENT.settings.defer);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, setDefer) {
    bool defer = true;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(defer)
    ZEND_PARSE_PARAMETERS_END();
    THIS_CLIENT.settings.defer = defer;
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, setMethod) {
    zend_string* method;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(method)
    ZEND_PARSE_PARAMETERS_END();
    put_text(THIS_CLIENT, Slot::kRequestMethod, {ZSTR_VAL(method), ZSTR_LEN(method)});
    RETURN_TRUE;
}

namespace {

void set_array(INTERNAL_FUNCTION_PARAMETERS, Slot slot) {
    zval* given;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(given)
    ZEND_PARSE_PARAMETERS_END();
    zval copy;
    ZVAL_COPY(&copy, given);
    put(THIS_CLIENT, slot, &copy);
    RETURN_TRUE;
}

void get_slot(INTERNAL_FUNCTION_PARAMETERS, Slot slot) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_COPY(slot_of(THIS_CLIENT, slot));
}

}  // namespace

ZEND_METHOD(Swoole_Coroutine_Http_Client, setHeaders) {
    set_array(INTERNAL_FUNCTION_PARAM_PASSTHRU, Slot::kRequestHeaders);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, setCookies) {
    set_array(INTERNAL_FUNCTION_PARAM_PASSTHRU, Slot::kCookies);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, setBasicAuth) {
    zend_string* user;
    zend_string* password;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(user)
        Z_PARAM_STR(password)
    ZEND_PARSE_PARAMETERS_END();
    zval field;
    std::string text = http1::basic_credentials({ZSTR_VAL(user), ZSTR_LEN(user)},
                                                {ZSTR_VAL(password), ZSTR_LEN(password)});
    ZVAL_STRINGL(&field, text.data(), text.size());
    zend_hash_str_update(array_in(THIS_CLIENT, Slot::kRequestHeaders), ZEND_STRL("Authorization"),
                         &field);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, setData) {
    zval* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(data)
    ZEND_PARSE_PARAMETERS_END();
    zval copy;
    ZVAL_COPY(&copy, data);
    put(THIS_CLIENT, Slot::kRequestBody, &copy);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, addFile) {
    Upload upload;
    ZEND_PARSE_PARAMETERS_START(2, 6)
        Z_PARAM_PATH_STR(upload.path)
        Z_PARAM_STR(upload.name)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR_OR_NULL(upload.type)
        Z_PARAM_STR_OR_NULL(upload.filename)
        Z_PARAM_LONG(upload.offset)
        Z_PARAM_LONG(upload.size)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(add_file(THIS_CLIENT, upload));
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, addData) {
    Upload upload;
    ZEND_PARSE_PARAMETERS_START(2, 4)
        Z_PARAM_STR(upload.content)
        Z_PARAM_STR(upload.name)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR_OR_NULL(upload.type)
        Z_PARAM_STR_OR_NULL(upload.filename)
    ZEND_PARSE_PARAMETERS_END();
    upload.size = static_cast<zend_long>(ZSTR_LEN(upload.content));
    keep_upload(THIS_CLIENT, upload);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, execute) {
    zend_string* path;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(path)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(request(THIS_CLIENT, path));
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getpeername) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    show_address(THIS_CLIENT, os::peer_address, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getsockname) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    show_address(THIS_CLIENT, os::local_address, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, get) {
    zend_string* path;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(path)
    ZEND_PARSE_PARAMETERS_END();
    put_text(THIS_CLIENT, Slot::kRequestMethod, "GET");
    RETURN_BOOL(request(THIS_CLIENT, path));
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, post) {
    zend_string* path;
    zval* data;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(path)
        Z_PARAM_ZVAL(data)
    ZEND_PARSE_PARAMETERS_END();
    zval copy;
    ZVAL_COPY(&copy, data);
    put_text(THIS_CLIENT, Slot::kRequestMethod, "POST");
    put(THIS_CLIENT, Slot::kRequestBody, &copy);
    RETURN_BOOL(request(THIS_CLIENT, path));
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, download) {
    zend_string* path;
    zend_string* file;
    zend_long offset = 0;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR(path)
        Z_PARAM_PATH_STR(file)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(offset)
    ZEND_PARSE_PARAMETERS_END();
    put_text(THIS_CLIENT, Slot::kDownloadFile, {ZSTR_VAL(file), ZSTR_LEN(file)});
    put_long(THIS_CLIENT, Slot::kDownloadOffset, offset);
    RETURN_BOOL(request(THIS_CLIENT, path));
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getBody) {
    get_slot(INTERNAL_FUNCTION_PARAM_PASSTHRU, Slot::kBody);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getHeaders) {
    get_slot(INTERNAL_FUNCTION_PARAM_PASSTHRU, Slot::kHeaders);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getCookies) {
    get_slot(INTERNAL_FUNCTION_PARAM_PASSTHRU, Slot::kCookies);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getStatusCode) {
    get_slot(INTERNAL_FUNCTION_PARAM_PASSTHRU, Slot::kStatusCode);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getHeaderOut) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    HttpClient& client = THIS_CLIENT;
    if (client.head_bytes == 0) {
        RETURN_FALSE;
    }
    RETURN_STRINGL(client.head.data(), client.head_bytes);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, getPeerCert) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    tls::Session* session = THIS_CLIENT.stream().tls();
    std::string pem = session != nullptr ? session->peer_certificate_pem() : std::string();
    if (pem.empty()) {
        RETURN_FALSE;
    }
    RETURN_STRINGL(pem.data(), pem.size());
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, upgrade) {
    zend_string* path;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(path)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(upgrade(THIS_CLIENT, path));
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, push) {
    zval* data;
    zend_long opcode = proto::ws::kText;
    zend_long flags = kFlagFin;
    bool usual = false;  // null: a final frame, as the API has always taken it
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(opcode)
        Z_PARAM_LONG_OR_NULL(flags, usual)
    ZEND_PARSE_PARAMETERS_END();
    flags = usual ? zend_long{kFlagFin} : flags;
    HttpClient& client = THIS_CLIENT;
    OutFrame frame;
    if (require_coroutine() == nullptr || !websocket_open(client) ||
        !read_frame(data, opcode, flags, frame)) {
        RETURN_FALSE;
    }
    bool sent = push_frame(client, frame);
    frame.release();
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, ping) {
    zend_string* data = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    HttpClient& client = THIS_CLIENT;
    OutFrame frame;
    zval text;
    ZVAL_STR(&text, data != nullptr ? data : ZSTR_EMPTY_ALLOC());
    if (require_coroutine() == nullptr || !websocket_open(client) ||
        !read_frame(&text, proto::ws::kPing, kFlagFin, frame)) {
        RETURN_FALSE;
    }
    bool sent = push_frame(client, frame);
    frame.release();
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, recv) {
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    HttpClient& client = THIS_CLIENT;
    if (!may_begin(client)) {
        RETURN_FALSE;
    }
    if (client.awaited) {
        RETURN_BOOL(await(client, timeout));
    }
    if (std::exchange(client.end_follows, false) && !client.stream().is_open()) {
        RETURN_EMPTY_STRING();
    }
    if (!client.stream().is_open()) {
        fail(client, 0, api_error::kClientNoConnection, {});
        RETURN_FALSE;
    }
    if (!websocket_open(client)) {
        RETURN_FALSE;
    }
    Busy busy(client);
    put_long(client, Slot::kErrCode, 0);
    put_text(client, Slot::kErrMsg, {});
    if (!receive_frame(client, recv_deadline(client, timeout), return_value)) {
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, close) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    HttpClient& client = THIS_CLIENT;
    client.awaited = false;
    if (!client.stream().is_open()) {
        fail(client, 0, api_error::kClientNoConnection, {});
        RETURN_FALSE;
    }
    if (runtime::Runtime::get().can_park()) {
        say_goodbye(client);
    }
    if (client.user != nullptr) {  // the coroutine in the request tidies up when it fails
        drop_socket(client);
        put_bool(client, Slot::kConnected, false);
    } else {
        disconnect(client);
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http_Client, disconnect) {
    zend_long code = proto::ws::kCloseNormal;
    zend_string* reason = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
        Z_PARAM_STR(reason)
    ZEND_PARSE_PARAMETERS_END();
    HttpClient& client = THIS_CLIENT;
    if (!may_begin(client) || !websocket_open(client)) {
        RETURN_FALSE;
    }
    if (code < 0 || code > 65535 || !proto::ws::valid_close_code(static_cast<uint16_t>(code))) {
        zend::warning(ZEND_LONG_FMT " is no code that a close frame may carry", code);
        RETURN_FALSE;
    }
    Busy busy(client);
    std::string_view text;
    if (reason != nullptr) {
        text = {ZSTR_VAL(reason), ZSTR_LEN(reason)};
    }
    RETURN_BOOL(close_websocket(client, static_cast<uint16_t>(code), text));
}

namespace stampede::classes {

zend_result http_client_minit(int, int) {
    http_client_class = register_class_Swoole_Coroutine_Http_Client();
    http_client_class->create_object = create;
    http_client_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<HttpClient>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    // Kept out of traces. (What the generator of stubs writes for it is no C++.)
    zend_add_parameter_attribute(
        static_cast<zend_function*>(
            zend_hash_str_find_ptr(&http_client_class->function_table, ZEND_STRL("setbasicauth"))),
        1, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);
    zend::alias_short_name(http_client_class, "Co\\Http\\Client");
    return SUCCESS;
}

}  // namespace stampede::classes
