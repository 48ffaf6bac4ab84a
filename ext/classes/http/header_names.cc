#include "classes/http/header_names.h"

#include "proto/http/response_rules.h"
#include "subsystems.h"

namespace stampede::classes {

namespace {

// Names by their interned string: literals of the application, of which there are few.
struct KnownName {
    const zend_string* name;
    zend_string* written;  // held
    FieldRole role;
};
constexpr size_t kCacheSize = 64;
KnownName cache[kCacheSize];

KnownName& place_of(const zend_string* name) {
    return cache[(reinterpret_cast<uintptr_t>(name) >> 4) % kCacheSize];
}

struct RoleName {
    std::string_view name;
    FieldRole role;
};

constexpr RoleName kRoleNames[] = {
    {"date", FieldRole::kDate},
    {"server", FieldRole::kServer},
    {"connection", FieldRole::kConnection},
    {"keep-alive", FieldRole::kFraming},
    {"content-type", FieldRole::kContentType},
    {"content-length", FieldRole::kContentLength},
    {"transfer-encoding", FieldRole::kFraming},
};

FieldRole role_of(const zend_string* name) {
    for (const RoleName& known : kRoleNames) {
        if (proto::http::equals_ignoring_case({ZSTR_VAL(name), ZSTR_LEN(name)}, known.name)) {
            return known.role;
        }
    }
    return FieldRole::kPlain;
}

// "content-type" -> "Content-Type"; the same string when it is in that form.
zend_string* format_name(zend_string* name) {
    zend_string* formatted = zend_string_init(ZSTR_VAL(name), ZSTR_LEN(name), 0);
    bool start = true;
    for (size_t i = 0; i < ZSTR_LEN(formatted); i++) {
        char& c = ZSTR_VAL(formatted)[i];
        c = static_cast<char>(start ? zend_toupper_ascii(c) : zend_tolower_ascii(c));
        start = c == '-';
    }
    if (zend_string_equals(formatted, name)) {
        zend_string_release(formatted);
        return zend_string_copy(name);
    }
    return formatted;
}

}  // namespace

HeaderName plain_header_name(zend_string* name) {
    if (!proto::http::valid_field_name({ZSTR_VAL(name), ZSTR_LEN(name)})) {
        return {nullptr, FieldRole::kPlain};
    }
    return {zend_string_copy(name), role_of(name)};
}

HeaderName formatted_header_name(zend_string* name) {
    KnownName& known = place_of(name);
    if (EXPECTED(known.name == name)) {
        return {zend_string_copy(known.written), known.role};
    }
    HeaderName fresh = plain_header_name(name);
    if (fresh.written == nullptr) {
        return fresh;
    }
    zend_string_release(fresh.written);
    fresh.written = format_name(name);
    if (ZSTR_IS_INTERNED(name)) {
        if (known.written != nullptr) {
            zend_string_release(known.written);
        }
        known = {name, zend_string_copy(fresh.written), fresh.role};
    }
    return fresh;
}

zend_result header_names_rshutdown(int, int) {
    for (KnownName& known : cache) {
        if (known.written != nullptr) {
            zend_string_release(known.written);
        }
        known = {};
    }
    return SUCCESS;
}

}  // namespace stampede::classes
