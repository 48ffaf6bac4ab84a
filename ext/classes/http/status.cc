// Swoole\Http\Status: status codes by name and their reason phrases.
#include "module.h"

#include <iterator>

#include "stubs/http_status_arginfo.h"
#include "subsystems.h"
#include "zend/php.h"

namespace {

struct Phrase {
    zend_ulong code;
    const char* text;
};

constexpr Phrase kPhrases[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {306, "Switch Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Time-out"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Request Entity Too Large"},
    {414, "Request-URI Too Large"},
    {415, "Unsupported Media Type"},
    {416, "Requested range not satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Entity"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Unordered Collection"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Time-out"},
    {505, "HTTP Version not supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
};

zend_class_entry* status_class;
HashTable phrases;

// A class constant table of the process: persistent and immutable, so that every request shares it.
void build_phrases() {
    zend_hash_init(&phrases, std::size(kPhrases), nullptr, nullptr, /* persistent */ true);
    for (const Phrase& phrase : kPhrases) {
        zval text;
        ZVAL_INTERNED_STR(&text, zend_string_init_interned(phrase.text, strlen(phrase.text),
                                                           /* persistent */ true));
        zend_hash_index_add_new(&phrases, phrase.code, &text);
    }
    GC_SET_REFCOUNT(&phrases, 2);
    GC_ADD_FLAGS(&phrases, GC_IMMUTABLE);
}

zval* declared_phrases(zend_class_entry* scope) {
    return zend_read_static_property(scope, ZEND_STRL("reasonPhrases"), /* silent */ true);
}

}  // namespace

ZEND_METHOD(Swoole_Http_Status, getReasonPhrases) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval* table = declared_phrases(zend_get_called_scope(execute_data));
    if (table) {
        RETURN_COPY_DEREF(table);
    }
    RETURN_EMPTY_ARRAY();
}

ZEND_METHOD(Swoole_Http_Status, getReasonPhrase) {
    zend_long code;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(code)
    ZEND_PARSE_PARAMETERS_END();

    zval* table = declared_phrases(zend_get_called_scope(execute_data));
    zval* text = table && Z_TYPE_P(table) == IS_ARRAY
                     ? zend_hash_index_find(Z_ARRVAL_P(table), code)
                     : nullptr;
    if (text && Z_TYPE_P(text) == IS_STRING) {
        RETURN_COPY(text);
    }
    RETURN_STRING("Unknown");
}

namespace stampede::ext {

zend_result http_status_minit(int, int) {
    status_class = register_class_Swoole_Http_Status();
    build_phrases();
    auto* property = static_cast<zend_property_info*>(
        zend_hash_str_find_ptr(&status_class->properties_info, ZEND_STRL("reasonPhrases")));
    zval* slot = &status_class->default_static_members_table[property->offset];
    ZVAL_ARR(slot, &phrases);
    Z_TYPE_INFO_P(slot) = IS_ARRAY;  // not counted: it lives as long as the process
    return SUCCESS;
}

zend_result http_status_mshutdown(int, int) {
    ZVAL_NULL(status_class->default_static_members_table);
    GC_DEL_FLAGS(&phrases, GC_IMMUTABLE);
    GC_SET_REFCOUNT(&phrases, 1);
    zend_hash_destroy(&phrases);
    return SUCCESS;
}

}  // namespace stampede::ext
