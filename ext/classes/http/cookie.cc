// Swoole\Http\Cookie: the parts of a cookie, written by format_cookie(). Owned by PHP; never parks.
#include "classes/http/response.h"
#include "stubs/http_cookie_arginfo.h"
#include "subsystems.h"

namespace stampede::classes {

zend_class_entry* cookie_class;

namespace {

struct CookieObject {
    CookieParts parts;  // its strings are held
    zend_object std;
};

zend_object_handlers cookie_handlers;

CookieObject& cookie_of(zend_object* object) {
    return *reinterpret_cast<CookieObject*>(reinterpret_cast<char*>(object) -
                                            offsetof(CookieObject, std));
}

constexpr zend_string* CookieParts::*kTexts[] = {&CookieParts::name,     &CookieParts::value,
                                                 &CookieParts::path,     &CookieParts::domain,
                                                 &CookieParts::samesite, &CookieParts::priority};

void clear(CookieParts& parts) {
    bool encode = parts.encode;
    parts = {};
    parts.encode = encode;
    for (auto text : kTexts) {
        parts.*text = ZSTR_EMPTY_ALLOC();
    }
}

void release(CookieParts& parts) {
    for (auto text : kTexts) {
        zend_string_release(parts.*text);
    }
}

zend_object* create_cookie(zend_class_entry* ce) {
    auto* cookie = static_cast<CookieObject*>(zend_object_alloc(sizeof(CookieObject), ce));
    cookie->parts.encode = true;
    clear(cookie->parts);
    zend_object_std_init(&cookie->std, ce);
    object_properties_init(&cookie->std, ce);
    cookie->std.handlers = &cookie_handlers;
    return &cookie->std;
}

void free_cookie(zend_object* object) {
    release(cookie_of(object).parts);
    zend_object_std_dtor(object);
}

void set_text(zend_string*& place, zend_string* text) {
    zend_string_release(place);
    place = zend_string_copy(text);
}

void with_text(INTERNAL_FUNCTION_PARAMETERS, zend_string* CookieParts::*member, zend_string* text) {
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(text)
    ZEND_PARSE_PARAMETERS_END();

    set_text(cookie_of(Z_OBJ_P(ZEND_THIS)).parts.*member, text);
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

void with_flag(INTERNAL_FUNCTION_PARAMETERS, bool CookieParts::*member) {
    bool flag = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(flag)
    ZEND_PARSE_PARAMETERS_END();

    cookie_of(Z_OBJ_P(ZEND_THIS)).parts.*member = flag;
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

}  // namespace

zend_result http_cookie_minit(int, int) {
    zend_class_entry* ce = cookie_class = register_class_Swoole_Http_Cookie();
    ce->create_object = create_cookie;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    memcpy(&cookie_handlers, zend_get_std_object_handlers(), sizeof(cookie_handlers));
    cookie_handlers.offset = offsetof(CookieObject, std);
    cookie_handlers.free_obj = free_cookie;
    cookie_handlers.clone_obj = nullptr;
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede::classes;

#define THIS_PARTS (cookie_of(Z_OBJ_P(ZEND_THIS)).parts)

ZEND_METHOD(Swoole_Http_Cookie, __construct) {
    bool encode = true;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(encode)
    ZEND_PARSE_PARAMETERS_END();

    THIS_PARTS.encode = encode;
    THIS_PARTS.path = ZSTR_CHAR('/');
}

ZEND_METHOD(Swoole_Http_Cookie, withName) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    set_text(THIS_PARTS.name, name);
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Swoole_Http_Cookie, withValue) {
    with_text(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::value, ZSTR_EMPTY_ALLOC());
}

ZEND_METHOD(Swoole_Http_Cookie, withExpires) {
    zend_long expires = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(expires)
    ZEND_PARSE_PARAMETERS_END();

    THIS_PARTS.expires = expires;
    RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Swoole_Http_Cookie, withPath) {
    with_text(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::path, ZSTR_CHAR('/'));
}

ZEND_METHOD(Swoole_Http_Cookie, withDomain) {
    with_text(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::domain, ZSTR_EMPTY_ALLOC());
}

ZEND_METHOD(Swoole_Http_Cookie, withSecure) {
    with_flag(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::secure);
}

ZEND_METHOD(Swoole_Http_Cookie, withHttpOnly) {
    with_flag(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::http_only);
}

ZEND_METHOD(Swoole_Http_Cookie, withSameSite) {
    with_text(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::samesite, ZSTR_EMPTY_ALLOC());
}

ZEND_METHOD(Swoole_Http_Cookie, withPriority) {
    with_text(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::priority, ZSTR_EMPTY_ALLOC());
}

ZEND_METHOD(Swoole_Http_Cookie, withPartitioned) {
    with_flag(INTERNAL_FUNCTION_PARAM_PASSTHRU, &CookieParts::partitioned);
}

ZEND_METHOD(Swoole_Http_Cookie, toString) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zend_string* text = format_cookie(THIS_PARTS);
    if (text == nullptr) {
        RETURN_FALSE;
    }
    RETURN_STR(text);
}

ZEND_METHOD(Swoole_Http_Cookie, toArray) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    const CookieParts& parts = THIS_PARTS;
    array_init(return_value);
    add_assoc_str(return_value, "name", zend_string_copy(parts.name));
    add_assoc_str(return_value, "value", zend_string_copy(parts.value));
    add_assoc_str(return_value, "path", zend_string_copy(parts.path));
    add_assoc_str(return_value, "domain", zend_string_copy(parts.domain));
    add_assoc_str(return_value, "sameSite", zend_string_copy(parts.samesite));
    add_assoc_str(return_value, "priority", zend_string_copy(parts.priority));
    add_assoc_bool(return_value, "encode", parts.encode);
    add_assoc_long(return_value, "expires", parts.expires);
    add_assoc_bool(return_value, "secure", parts.secure);
    add_assoc_bool(return_value, "httpOnly", parts.http_only);
    add_assoc_bool(return_value, "partitioned", parts.partitioned);
}

ZEND_METHOD(Swoole_Http_Cookie, reset) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    CookieParts& parts = THIS_PARTS;
    release(parts);
    clear(parts);
}
