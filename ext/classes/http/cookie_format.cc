// The text of a Set-Cookie field.
#include "base/clock.h"
#include "classes/http/response.h"
#include "zend/throw.h"
#include "zend_smart_str.h"

// These declare C functions without saying so.
extern "C" {
#include "ext/date/php_date.h"
#include "ext/standard/url.h"
}

namespace stampede::classes {

namespace {

constexpr char kBreakers[] = ",; \t\r\n\013\014";

bool holds(const zend_string* text, const char* characters, size_t count) {
    for (size_t i = 0; i < ZSTR_LEN(text); i++) {
        if (memchr(characters, ZSTR_VAL(text)[i], count) != nullptr) {
            return true;
        }
    }
    return false;
}

bool breaks_field(const zend_string* text) {
    return text != nullptr && holds(text, kBreakers, sizeof(kBreakers));  // with the NUL at its end
}

constexpr zend_long kLastSecond = 253402300799;  // of the year 9999: dates have four digits for it

bool check_parts(const CookieParts& parts) {
    if (parts.expires > kLastSecond) {
        zend::warning("Expiry date can't have a year greater than 9999");
        return false;
    }
    if (ZSTR_LEN(parts.name) == 0 || holds(parts.name, "=,; \t\r\n\013\014", 10)) {
        zend::warning(
            "Cookie names can't be empty or contain any of \"=,; \\t\\r\\n\\013\\014\\0\"");
        return false;
    }
    if (!parts.encode && breaks_field(parts.value)) {
        zend::warning("Cookie values can't contain any of \",; \\t\\r\\n\\013\\014\\0\"");
        return false;
    }
    for (const zend_string* part : {parts.path, parts.domain, parts.samesite, parts.priority}) {
        if (breaks_field(part)) {
            zend::warning("Cookie attributes can't contain any of \",; \\t\\r\\n\\013\\014\\0\"");
            return false;
        }
    }
    return true;
}

void append_part(smart_str& out, const char* label, const zend_string* text) {
    if (text != nullptr && ZSTR_LEN(text) > 0) {
        smart_str_appends(&out, label);
        smart_str_append(&out, const_cast<zend_string*>(text));
    }
}

void append_value(smart_str& out, const CookieParts& parts) {
    if (ZSTR_LEN(parts.value) == 0) {  // an empty value takes the cookie away
        smart_str_appends(&out, "deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0");
        return;
    }
    if (parts.encode) {
        zend_string* encoded = php_url_encode(ZSTR_VAL(parts.value), ZSTR_LEN(parts.value));
        smart_str_append(&out, encoded);
        zend_string_release(encoded);
    } else {
        smart_str_append(&out, parts.value);
    }
    if (parts.expires > 0) {
        zend_string* date = php_format_date(
            "D, d-M-Y H:i:s \\G\\M\\T", sizeof("D, d-M-Y H:i:s \\G\\M\\T") - 1, parts.expires, 0);
        append_part(out, "; expires=", date);
        zend_string_release(date);
        zend_long left = parts.expires - static_cast<zend_long>(wall_now() / kSecond);
        smart_str_appends(&out, "; Max-Age=");
        smart_str_append_long(&out, left > 0 ? left : 0);
    }
}

}  // namespace

zend_string* format_cookie(const CookieParts& parts) {
    if (!check_parts(parts)) {
        return nullptr;
    }
    smart_str out = {};
    smart_str_append(&out, parts.name);
    smart_str_appendc(&out, '=');
    append_value(out, parts);
    append_part(out, "; path=", parts.path);
    append_part(out, "; domain=", parts.domain);
    if (parts.secure) {
        smart_str_appends(&out, "; secure");
    }
    if (parts.http_only) {
        smart_str_appends(&out, "; HttpOnly");
    }
    append_part(out, "; SameSite=", parts.samesite);
    append_part(out, "; Priority=", parts.priority);
    if (parts.partitioned) {
        smart_str_appends(&out, "; Partitioned");
    }
    smart_str_0(&out);
    return out.s;
}

}  // namespace stampede::classes
