#include "classes/http/known_strings.h"

namespace stampede::classes {

KnownStrings known;

namespace {

using proto::http::KnownField;

constexpr size_t kFieldCount = static_cast<size_t>(KnownField::kXRealIp) + 1;
zend_string* field_names[kFieldCount];

constexpr std::string_view kNames[] = {
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "keep-alive",
    "origin",
    "range",
    "referer",
    "sec-websocket-extensions",
    "sec-websocket-key",
    "sec-websocket-protocol",
    "sec-websocket-version",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-forwarded-for",
    "x-real-ip",
};

zend_string* permanent(std::string_view text) {
    return zend_string_init_interned(text.data(), text.size(), 1);
}

}  // namespace

zend_string* known_field_name(KnownField id) { return field_names[static_cast<size_t>(id)]; }

zend_result known_strings_minit(int, int) {
    for (std::string_view name : kNames) {
        field_names[static_cast<size_t>(proto::http::identify_field(name))] = permanent(name);
    }
    field_names[static_cast<size_t>(KnownField::kOther)] = nullptr;
    known.request_method = permanent("request_method");
    known.request_uri = permanent("request_uri");
    known.path_info = permanent("path_info");
    known.query_string = permanent("query_string");
    known.request_time = permanent("request_time");
    known.request_time_float = permanent("request_time_float");
    known.server_protocol = permanent("server_protocol");
    known.server_port = permanent("server_port");
    known.remote_port = permanent("remote_port");
    known.remote_addr = permanent("remote_addr");
    known.master_time = permanent("master_time");
    known.name = permanent("name");
    known.type = permanent("type");
    known.tmp_name = permanent("tmp_name");
    known.full_path = permanent("full_path");
    known.error = permanent("error");
    known.size = permanent("size");
    return SUCCESS;
}

}  // namespace stampede::classes
