// The methods of Swoole\Coroutine\Http2\Client.
#include "classes/client/http2_client.h"

#include <algorithm>
#include <cerrno>

#include "classes/coroutine/coroutine.h"
#include "error_numbers.h"
#include "io/bound.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/http2_client_arginfo.h"

namespace stampede::classes::client {

namespace {

zend_class_entry* http2_client_class;
zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) {
    return zend::create_object<Http2Client>(ce, &handlers);
}

void destroy(zend_object* object) {
    zend_object_std_dtor(object);
    zend::from_object<Http2Client>(object).~Http2Client();
}

zval* slot_of(Http2Client& client, H2Slot slot) {
    zval* value = OBJ_PROP_NUM(&client.std, static_cast<uint32_t>(slot));
    ZVAL_DEREF(value);
    return value;
}

zval* find(HashTable* settings, std::string_view name) {
    zval* value = zend_hash_str_find(settings, name.data(), name.size());
    if (value != nullptr) {
        ZVAL_DEREF(value);
    }
    return value;
}

void read_number(HashTable* settings, std::string_view name, uint32_t least, uint32_t& out) {
    if (zval* value = find(settings, name)) {
        zend_long number = zval_get_long(value);
        out = static_cast<uint32_t>(std::clamp<zend_long>(number, least, INT32_MAX));
    }
}

void read_time(HashTable* settings, std::string_view name, Nanos& out) {
    if (zval* value = find(settings, name)) {
        out = time_setting(value);
    }
}

void read_settings(Http2Client& client, HashTable* settings) {
    read_time(settings, "timeout", client.total);
    read_time(settings, "timeout", client.times.connect);
    read_time(settings, "timeout", client.times.read);
    read_time(settings, "connect_timeout", client.times.connect);
    read_time(settings, "read_timeout", client.times.read);
    read_time(settings, "write_timeout", client.times.write);
    proto::http2::Settings& own = client.settings;
    read_number(settings, "http2_header_table_size", 0, own.header_table_size);
    read_number(settings, "http2_max_concurrent_streams", 1, own.max_concurrent_streams);
    read_number(settings, "http2_init_window_size", 1, own.initial_window_size);
    read_number(settings, "http2_max_frame_size", 16384, own.max_frame_size);
    read_number(settings, "http2_max_header_list_size", 256, own.max_header_list_size);
    read_number(settings, "http2_max_headers", 1, client.limits.head_fields);
    own.max_frame_size = std::min<uint32_t>(own.max_frame_size, (1u << 24) - 1);
    if (zval* value = find(settings, "body_decompression")) {
        client.limits.decode_body = zend_is_true(value);
    }
    if (zval* value = find(settings, "package_max_length")) {
        zend_long size = zval_get_long(value);
        client.limits.body_bytes =
            size > 0 ? static_cast<uint64_t>(size) : client.limits.body_bytes;
    }
    read_dial_settings(settings, client.plan);
}

bool connected(Http2Client& client) {
    if (client.connection != nullptr) {
        return true;
    }
    return fail_h2(client, api_error::kClientNoConnection, "client is not connected to server");
}

// The coroutine that receives is told of new windows, and takes in everything else: others that
// wait look now and then.
bool wait_beside_receiver(Http2Client& client, Nanos deadline) {
    runtime::WakeReason reason = runtime::Runtime::get().park_for(kMillisecond);
    return (reason == runtime::WakeReason::kTimeout && monotonic_now() <= deadline) ||
           fail_h2(client, ETIMEDOUT, {});
}

void receive(Http2Client& client, http2::Wanted wanted, double timeout, zval* return_value) {
    if (require_coroutine() == nullptr) {
        return;
    }
    Nanos deadline = timeout == 0  ? io::deadline_in(client.times.read)
                     : timeout < 0 ? kNever
                                   : io::deadline_in(timeout_of(timeout));
    while (client.writer_receives) {
        client.would_receive++;
        bool goes_on = wait_beside_receiver(client, deadline);
        client.would_receive--;
        if (!goes_on) {
            RETURN_FALSE;
        }
    }
    if (client.receiver != nullptr) {
        io::throw_bound_socket(client.stream.descriptor().fd(), *client.receiver, "receiving",
                               "receiving", "let one coroutine receive for all");
        return;
    }
    int32_t id = await_h2(client, wanted, deadline);
    if (id == 0) {
        RETURN_FALSE;
    }
    take_h2(client, id, return_value);
}

// A server that takes nothing makes the writer wait, not the memory grow. Where no coroutine
// receives, the writer does, and stops as soon as another coroutine calls recv().
bool wait_for_room(Http2Client& client, int32_t id) {
    constexpr size_t kMost = 1u << 20;
    Nanos deadline = io::deadline_in(client.times.write);
    while (client.connection != nullptr && client.connection->unsent(id) > kMost) {
        bool others = client.receiver != nullptr || client.would_receive > 0;
        if (!(others ? wait_beside_receiver(client, deadline)
                     : receive_to_write_h2(client, deadline))) {
            return false;
        }
    }
    return client.connection != nullptr;
}

bool write(Http2Client& client, int32_t id, zend_string* body, proto::http2::BodyEnd end) {
    if (!connected(client)) {
        return false;
    }
    if (!client.connection->write(id, {ZSTR_VAL(body), ZSTR_LEN(body)}, end)) {
        return fail_h2(client, api_error::kHttp2StreamNotFound,
                       "there is no such stream, or its request is complete");
    }
    return flush_h2(client) && wait_for_room(client, id);
}

void add_settings(zval* out, const char* key, const proto::http2::Settings& settings) {
    zval list;
    array_init(&list);
    auto add = [&](const char* name, uint32_t value) {
        add_assoc_long(&list, name, static_cast<zend_long>(value));
    };
    add("header_table_size", settings.header_table_size);
    add("enable_push", settings.enable_push);
    add("max_concurrent_streams", settings.max_concurrent_streams);
    add("init_window_size", settings.initial_window_size);
    add("max_frame_size", settings.max_frame_size);
    add("max_header_list_size", settings.max_header_list_size);
    add_assoc_zval(out, key, &list);
}

}  // namespace

void put_h2(Http2Client& client, H2Slot slot, zval* value) {
    zval* at = slot_of(client, slot);
    zval_ptr_dtor(at);
    ZVAL_COPY_VALUE(at, value);
}

void put_h2_long(Http2Client& client, H2Slot slot, zend_long number) {
    zval value;
    ZVAL_LONG(&value, number);
    put_h2(client, slot, &value);
}

void put_h2_text(Http2Client& client, H2Slot slot, std::string_view text) {
    zval value;
    ZVAL_STRINGL_FAST(&value, text.data(), text.size());
    put_h2(client, slot, &value);
}

}  // namespace stampede::classes::client

using namespace stampede;
using namespace stampede::classes;
using namespace stampede::classes::client;

#define THIS_CLIENT (zend::from_this<Http2Client>(ZEND_THIS))

ZEND_METHOD(Swoole_Coroutine_Http2_Client, __construct) {
    zend_string* host;
    zend_long port = 80;
    bool tls = false;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_BOOL(tls)
    ZEND_PARSE_PARAMETERS_END();
    if (ZSTR_LEN(host) == 0 || port < 0 || port > 65535) {
        throw_client_exception("Swoole\\Coroutine\\Http2\\Client\\Exception",
                               "the host must not be empty, and the port a number from 0 to 65535");
        RETURN_THROWS();
    }
    Http2Client& client = THIS_CLIENT;
    client.plan.host.assign(ZSTR_VAL(host), ZSTR_LEN(host));
    client.plan.port = static_cast<uint16_t>(port);
    client.plan.tls = tls;
    client.plan.tunnel = Tunnel::kAlways;
    client.times = usual_times();
    put_h2_text(client, H2Slot::kHost, client.plan.host);
    put_h2_long(client, H2Slot::kPort, port);
    zval value;
    ZVAL_BOOL(&value, tls);
    put_h2(client, H2Slot::kSsl, &value);
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Coroutine_Http2_Client, set) {
    zval* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(settings)
    ZEND_PARSE_PARAMETERS_END();
    Http2Client& client = THIS_CLIENT;
    read_settings(client, Z_ARRVAL_P(settings));
    zval* kept = slot_of(client, H2Slot::kSetting);
    if (Z_TYPE_P(kept) != IS_ARRAY) {
        zval fresh;
        array_init(&fresh);
        put_h2(client, H2Slot::kSetting, &fresh);
        kept = slot_of(client, H2Slot::kSetting);
    }
    SEPARATE_ARRAY(kept);
    zend_hash_merge(Z_ARRVAL_P(kept), Z_ARRVAL_P(settings), zval_add_ref, true);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, connect) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    RETURN_BOOL(connect_h2(THIS_CLIENT));
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, stats) {
    zend_string* key = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(key)
    ZEND_PARSE_PARAMETERS_END();
    Http2Client& client = THIS_CLIENT;
    zval all;
    array_init(&all);
    if (client.connection != nullptr) {
        const proto::http2::Session& session = client.connection->session();
        zend_long last = session.last_request();
        add_assoc_long(&all, "current_stream_id", last > 0 ? last : 0);
        add_assoc_long(&all, "last_stream_id", client.connection->last_seen_stream());
        add_settings(&all, "local_settings", session.local_settings());
        add_settings(&all, "remote_settings", session.peer_settings());
        add_assoc_long(&all, "active_stream_num",
                       static_cast<zend_long>(client.connection->open_streams()));
    }
    if (key == nullptr || ZSTR_LEN(key) == 0) {
        RETURN_COPY_VALUE(&all);
    }
    zval* one = zend_hash_find(Z_ARRVAL(all), key);
    if (one != nullptr) {
        ZVAL_COPY(return_value, one);
    } else {
        ZVAL_LONG(return_value, 0);
    }
    zval_ptr_dtor(&all);
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, isStreamExist) {
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    Http2Client& client = THIS_CLIENT;
    if (client.connection == nullptr || id < 0 || id > INT32_MAX) {
        RETURN_FALSE;
    }
    RETURN_BOOL(id == 0 || client.connection->exists(static_cast<int32_t>(id)));
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, send) {
    zend_object* request;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJ_OF_CLASS(request, http2_request_class)
    ZEND_PARSE_PARAMETERS_END();
    Http2Client& client = THIS_CLIENT;
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    if (!connected(client) || !may_request_h2(client)) {
        RETURN_FALSE;
    }
    int32_t id = submit_h2(client, request);
    if (id <= 0 || !flush_h2(client)) {
        RETURN_FALSE;
    }
    RETURN_LONG(id);
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, write) {
    zend_long id;
    zval* data;
    bool end = false;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_LONG(id)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(end)
    ZEND_PARSE_PARAMETERS_END();
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    zend_string* body = body_text(data);
    if (body == nullptr) {
        RETURN_FALSE;
    }
    bool written = write(THIS_CLIENT, static_cast<int32_t>(std::clamp<zend_long>(id, 0, INT32_MAX)),
                         body, end ? proto::http2::BodyEnd::kLast : proto::http2::BodyEnd::kMore);
    zend_string_release(body);
    RETURN_BOOL(written);
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, recv) {
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    receive(THIS_CLIENT, http2::Wanted::kComplete, timeout, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, read) {
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    receive(THIS_CLIENT, http2::Wanted::kAnything, timeout, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, goaway) {
    zend_long code = 0;
    zend_string* text = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
        Z_PARAM_STR(text)
    ZEND_PARSE_PARAMETERS_END();
    Http2Client& client = THIS_CLIENT;
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    if (!connected(client)) {
        RETURN_FALSE;
    }
    std::string_view debug;
    if (text != nullptr) {
        debug = {ZSTR_VAL(text), ZSTR_LEN(text)};
    }
    client.connection->goaway(static_cast<proto::http2::ErrorCode>(code), debug);
    RETURN_BOOL(flush_h2(client));
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, ping) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Http2Client& client = THIS_CLIENT;
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    if (!connected(client)) {
        RETURN_FALSE;
    }
    client.connection->ping();
    RETURN_BOOL(flush_h2(client));
}

ZEND_METHOD(Swoole_Coroutine_Http2_Client, close) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Http2Client& client = THIS_CLIENT;
    if (client.connection == nullptr) {
        RETURN_FALSE;
    }
    if (!client.sending && runtime::Runtime::get().can_park()) {
        client.connection->goaway(proto::http2::ErrorCode::kNoError, {});
        flush_h2(client);
    }
    close_h2(client);
    RETURN_TRUE;
}

namespace stampede::classes {

zend_result http2_client_minit(int, int) {
    http2_client_class = register_class_Swoole_Coroutine_Http2_Client();
    http2_client_class->create_object = create;
    http2_client_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Http2Client>(handlers, destroy);
    zend::refuse_unset(handlers);
    http2_request_class = register_class_Swoole_Http2_Request();
    zend::refuse_unset(http2_request_class);
    http2_response_class = register_class_Swoole_Http2_Response();
    zend::alias_short_name(http2_client_class, "Co\\Http2\\Client");
    return SUCCESS;
}

}  // namespace stampede::classes
