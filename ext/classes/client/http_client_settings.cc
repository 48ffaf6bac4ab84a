// What set() takes.
#include <cmath>

#include "classes/client/http_client.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

zval* find(HashTable* settings, std::string_view name) {
    zval* value = zend_hash_str_find(settings, name.data(), name.size());
    if (value != nullptr) {
        ZVAL_DEREF(value);
    }
    return value;
}

void read_flag(HashTable* settings, std::string_view name, bool& out) {
    if (zval* value = find(settings, name)) {
        out = zend_is_true(value);
    }
}

void read_time(HashTable* settings, std::string_view name, Nanos& out) {
    if (zval* value = find(settings, name)) {
        out = time_setting(value);
    }
}

// A number of bytes, or text like "8M".
zend_long read_size(zval* value) {
    if (Z_TYPE_P(value) != IS_STRING) {
        return zval_get_long(value);
    }
    zend_string* problem = nullptr;
    zend_long size = zend_ini_parse_quantity(Z_STR_P(value), &problem);
    if (problem != nullptr) {
        zend_string_release(problem);
    }
    return size;
}

bool read_write_func(HttpClient& client, zval* value) {
    zend::Callable fresh = zend::Callable::none();
    if (Z_TYPE_P(value) != IS_NULL) {
        if (!zend_is_callable(value, 0, nullptr) || !zend::Callable::hold(value, fresh)) {
            zend::warning("write_func must be a function that can be called");
            return false;
        }
    }
    client.write_func.release();
    client.write_func = fresh;
    return true;
}

}  // namespace

bool read_settings(HttpClient& client, HashTable* settings) {
    HttpClientSettings& out = client.settings;
    read_time(settings, "timeout", out.total);
    read_time(settings, "timeout", out.times.connect);
    read_time(settings, "connect_timeout", out.times.connect);
    read_time(settings, "read_timeout", out.times.read);
    read_time(settings, "write_timeout", out.times.write);
    read_flag(settings, "keep_alive", out.keep_alive);
    read_flag(settings, "defer", out.defer);
    read_flag(settings, "http_compression", out.accept_codings);
    read_flag(settings, "body_decompression", out.decode_body);
    read_flag(settings, "lowercase_header", out.lower_case_names);
    read_flag(settings, "websocket_compression", out.compress_messages);
    read_flag(settings, "open_websocket_ping_frame", out.show_pings);
    read_flag(settings, "open_websocket_pong_frame", out.show_pongs);
    read_flag(settings, "open_websocket_close_frame", out.show_closes);
    if (zval* value = find(settings, "max_retries")) {
        zend_long count = zval_get_long(value);
        out.max_retries = count > 0 ? static_cast<uint32_t>(std::min<zend_long>(count, 100)) : 0;
    }
    if (zval* value = find(settings, "package_max_length")) {
        zend_long size = read_size(value);
        if (size <= 0) {
            zend::warning("package_max_length must be a number of bytes above 0");
            return false;
        }
        out.body_limit = static_cast<uint64_t>(size);
    }
    read_dial_settings(settings, client.plan);
    zval* function = find(settings, "write_func");
    return function == nullptr || read_write_func(client, function);
}

}  // namespace stampede::classes::client
