// swoole_mime_type_*: the application's view of the media type registry.
#include "module.h"
#include "module.h"
#include "server/mime_registry.h"
#include "stubs/mime_type_arginfo.h"
#include "subsystems.h"
#include "zend/php.h"
#include "zend/view.h"

namespace {

using stampede::server::MimeRegistry;

using stampede::zend::view;

// Both ".png" and "png" name the suffix.
std::string_view suffix_view(const zend_string* string) {
    std::string_view suffix = view(string);
    return suffix.starts_with('.') ? suffix.substr(1) : suffix;
}

std::string_view type_of(const zend_string* filename) {
    return MimeRegistry::get().find_for_path(view(filename));
}

}  // namespace

ZEND_FUNCTION(swoole_mime_type_add) {
    zend_string *suffix, *type;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(suffix)
        Z_PARAM_STR(type)
    ZEND_PARSE_PARAMETERS_END();

    if (!MimeRegistry::get().find(suffix_view(suffix)).empty()) {
        RETURN_FALSE;
    }
    MimeRegistry::get().set(suffix_view(suffix), view(type));
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_mime_type_set) {
    zend_string *suffix, *type;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(suffix)
        Z_PARAM_STR(type)
    ZEND_PARSE_PARAMETERS_END();

    MimeRegistry::get().set(suffix_view(suffix), view(type));
}

ZEND_FUNCTION(swoole_mime_type_delete) {
    zend_string* suffix;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(suffix)
    ZEND_PARSE_PARAMETERS_END();

    if (MimeRegistry::get().find(suffix_view(suffix)).empty()) {
        RETURN_FALSE;
    }
    MimeRegistry::get().remove(suffix_view(suffix));
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_mime_type_get) {
    zend_string* filename;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(filename)
    ZEND_PARSE_PARAMETERS_END();

    std::string_view type = type_of(filename);
    if (type.empty()) {
        RETURN_STRING("application/octet-stream");
    }
    RETURN_STRINGL(type.data(), type.size());
}

ZEND_FUNCTION(swoole_mime_type_exists) {
    zend_string* filename;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(filename)
    ZEND_PARSE_PARAMETERS_END();

    RETURN_BOOL(!type_of(filename).empty());
}

ZEND_FUNCTION(swoole_mime_type_list) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    MimeRegistry::get().each([&](std::string_view extension, std::string_view type) {
        add_assoc_stringl_ex(return_value, extension.data(), extension.size(), type.data(),
                             type.size());
    });
}

namespace stampede::ext {

zend_result mime_type_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
