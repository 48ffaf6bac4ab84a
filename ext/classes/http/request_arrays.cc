// The arrays of a Request that come from its head: header, server, cookie, get.
#include <arpa/inet.h>

#include "classes/http/request.h"
#include "classes/http/known_strings.h"
#include "proto/http/cookie.h"
#include "proto/http/uri.h"
#include "server/request_id.h"
#include "server/service.h"

#include "SAPI.h"
#include "php_variables.h"

namespace stampede::classes {

namespace {

const RequestPort* ports;
uint32_t port_count;

// A name in lower case as array key; the usual ones exist already.
zend_string* field_key(const RequestSource& source, const proto::http::Field& field) {
    zend_string* known = known_field_name(field.id);
    if (known != nullptr) {
        return known;
    }
    std::string_view name = source.text(field.name);
    zend_string* key = zend_string_alloc(name.size(), 0);
    zend_str_tolower_copy(ZSTR_VAL(key), name.data(), name.size());
    return key;
}

// A field that comes twice is one list (RFC 9110 5.3).
void join_values(zval* first, std::string_view separator, std::string_view more) {
    size_t before = Z_STRLEN_P(first);
    zend_string* joined = zend_string_alloc(before + separator.size() + more.size(), 0);
    memcpy(ZSTR_VAL(joined), Z_STRVAL_P(first), before);
    memcpy(ZSTR_VAL(joined) + before, separator.data(), separator.size());
    memcpy(ZSTR_VAL(joined) + before + separator.size(), more.data(), more.size());
    ZSTR_VAL(joined)[ZSTR_LEN(joined)] = '\0';
    zval_ptr_dtor(first);
    ZVAL_STR(first, joined);
}

void add_string(HashTable* table, zend_string* key, std::string_view text) {
    zval value;
    ZVAL_STRINGL_FAST(&value, text.data(), text.size());
    zend_hash_add_new(table, key, &value);
}

void add_long(HashTable* table, zend_string* key, zend_long number) {
    zval value;
    ZVAL_LONG(&value, number);
    zend_hash_add_new(table, key, &value);
}

// Read by the parser from an empty path in absolute form.
std::string_view path_of(const RequestSource& source) {
    std::string_view path = source.text(source.head->path);
    return path.empty() ? std::string_view("/") : path;
}

zend_long port_of(const RequestObject& request) {
    if (request.options->port != 0) {
        return request.options->port;
    }
    return request.port_index < port_count ? ports[request.port_index].number : 0;
}

void add_named(HashTable* table, std::string_view name, std::string_view text) {
    zval value;
    ZVAL_STRINGL_FAST(&value, text.data(), text.size());
    zend_hash_str_update(table, name.data(), name.size(), &value);
}

// The client's request line and address. What only proxies can tell has keys only when one that is
// trusted told.
void add_origin(HashTable* table, const RequestObject& request) {
    char text[INET6_ADDRSTRLEN];
    server::Origin origin = server::origin_of(request.exchange->service().settings().proxies,
                                              *request.exchange, request.arrival);
    add_long(table, known.server_port, origin.port != 0 ? origin.port : port_of(request));
    add_long(table, known.remote_port, ntohs(origin.client.sin6_port));
    add_string(table, known.remote_addr, server::format_address(origin.client, text));
    if (origin.https) {
        add_named(table, "https", "on");
    }
    net::Connection* connection = request.exchange->connection();
    if (origin.destination.sin6_family != 0) {
        add_named(table, "server_addr", server::format_address(origin.destination, text));
    } else if (connection != nullptr && connection->local().sin6_family != 0) {
        add_named(table, "server_addr", server::format_address(connection->local(), text));
    }
    if (origin.told) {
        add_named(table, "proxy_addr", server::format_address(request.arrival.peer, text));
        if (!origin.host.empty()) {
            add_named(table, "server_name", proto::http::host_without_port(origin.host));
        }
    }
}

void add_times(HashTable* table, const RequestObject& request) {
    Nanos wall = wall_now();
    if (request.exchange != nullptr) {
        wall -= monotonic_now() - request.exchange->received_at();
    }
    add_long(table, known.request_time, static_cast<zend_long>(wall / kSecond));
    zval exact;
    ZVAL_DOUBLE(&exact, static_cast<double>(wall / kMicrosecond) / 1e6);
    zend_hash_add_new(table, known.request_time_float, &exact);
    add_long(table, known.master_time, static_cast<zend_long>(wall / kSecond));
}

}  // namespace

void set_request_ports(const RequestPort* list, uint32_t count) {
    ports = list;
    port_count = count;
}

void build_header(const RequestSource& source, const RequestOptions& options, zval* out) {
    array_init_size(out, source.head->field_count);
    HashTable* table = Z_ARRVAL_P(out);
    for (const proto::http::Field& field : *source.head) {
        bool own_place = field.id == proto::http::KnownField::kCookie && options.parse_cookie;
        if (field.dropped() || own_place) {
            continue;
        }
        zend_string* key = field_key(source, field);
        std::string_view text = source.text(field.value);
        zval value;
        ZVAL_STRINGL_FAST(&value, text.data(), text.size());
        // A name of digits stays a string key in the API's arrays only where PHP allows it.
        if (zend_symtable_find(table, key) == nullptr) {
            zend_symtable_update(table, key, &value);
        } else {
            zval_ptr_dtor(&value);
            bool crumbs = field.id == proto::http::KnownField::kCookie;  // as HTTP/2 sends them
            join_values(zend_symtable_find(table, key), crumbs ? "; " : ", ", text);
        }
        zend_string_release(key);
    }
}

void set_request_id(const RequestObject& request, zval* header) {
    char own[server::kRequestIdSize];
    std::string_view id = server::request_id(*request.exchange, request.arrival.peer, own);
    zval value;
    ZVAL_STRINGL_FAST(&value, id.data(), id.size());
    zend_hash_str_update(Z_ARRVAL_P(header), server::kRequestIdField.data(),
                         server::kRequestIdField.size(), &value);
}

void build_server(const RequestObject& request, const RequestSource& source, zval* out) {
    array_init_size(out, 16);
    HashTable* table = Z_ARRVAL_P(out);
    std::string_view query = source.text(source.head->query);
    if (!query.empty()) {
        add_string(table, known.query_string, query);
    }
    std::string_view path = path_of(source);
    add_string(table, known.request_method, source.text(source.head->method_text));
    add_string(table, known.request_uri, path);
    zend_string* decoded = zend_string_alloc(path.size(), 0);
    size_t size = proto::http::percent_decode(path, ZSTR_VAL(decoded), proto::http::Plus::kLiteral);
    ZSTR_VAL(decoded)[size] = '\0';
    ZSTR_LEN(decoded) = size;
    zval path_info;
    ZVAL_STR(&path_info, decoded);
    zend_hash_add_new(table, known.path_info, &path_info);
    add_times(table, request);
    add_string(table, known.server_protocol,
               request.exchange != nullptr && request.exchange->stream_id() != 0 ? "HTTP/2"
               : source.head->minor_version == 0                                 ? "HTTP/1.0"
                                                                                 : "HTTP/1.1");
    if (request.exchange != nullptr) {
        add_origin(table, request);
    }
}

void build_cookie(const RequestSource& source, zval* out) {
    for (const proto::http::Field& field : *source.head) {
        if (field.id != proto::http::KnownField::kCookie) {
            continue;
        }
        if (Z_TYPE_P(out) != IS_ARRAY) {
            array_init(out);
        }
        std::string_view text = source.text(field.value);
        char* scratch = static_cast<char*>(emalloc(text.size() + 1));
        size_t limit = static_cast<size_t>(PG(max_input_vars));
        proto::http::for_each_cookie(
            text, scratch, limit, [&](std::string_view name, std::string_view value) {
                zval cookie;
                ZVAL_STRINGL_FAST(&cookie, value.data(), value.size());
                // The first of equal names counts, as everywhere in PHP.
                if (zend_symtable_str_exists(Z_ARRVAL_P(out), name.data(), name.size())) {
                    zval_ptr_dtor(&cookie);
                } else {
                    zend_symtable_str_update(Z_ARRVAL_P(out), name.data(), name.size(), &cookie);
                }
            });
        efree(scratch);
    }
}

void build_query(std::string_view text, zval* out) {
    if (text.empty()) {
        return;
    }
    array_init(out);
    // PHP's own reading of nested names, with its limits; it frees the copy.
    sapi_module.treat_data(PARSE_STRING, estrndup(text.data(), text.size()), out);
}

}  // namespace stampede::classes
