#include "library/library.h"

#include <algorithm>
#include <iterator>

#include "ini.h"
#include "library/classes.h"
#include "subsystems.h"
#include "zend/php.h"

// The assembler puts the files into the module as they are; it finds them by the include path of
// ext. A compiler knows nothing of that, so tools/gen-library notes their digests in classes.h.
#define STAMPEDE_EMBED(symbol, name, path)                                                   \
    asm(".pushsection .rodata.stampede_library,\"a\",@progbits\n"                            \
        ".hidden stampede_library_" #symbol "\n.globl stampede_library_" #symbol             \
        "\n"                                                                                 \
        ".hidden stampede_library_end_" #symbol "\n.globl stampede_library_end_" #symbol     \
        "\n"                                                                                 \
        "stampede_library_" #symbol ":\n.incbin \"library/" path                             \
        "\"\n"                                                                               \
        "stampede_library_end_" #symbol ":\n.byte 0\n.popsection\n");                        \
    extern "C" __attribute__((visibility("hidden"))) const char stampede_library_##symbol[]; \
    extern "C" __attribute__((visibility("hidden"))) const char stampede_library_end_##symbol[];
STAMPEDE_LIBRARY(STAMPEDE_EMBED)
#undef STAMPEDE_EMBED

namespace stampede::library {

namespace {

#define STAMPEDE_ROW(symbol, name, path) \
    {name, "stampede://" path, stampede_library_##symbol, stampede_library_end_##symbol},
constexpr Source kSources[] = {STAMPEDE_LIBRARY(STAMPEDE_ROW)};
#undef STAMPEDE_ROW

using Autoload = zend_class_entry* (*)(zend_string* name, zend_string* lc_name);
Autoload previous;

// Which bodies the table holds is decided when the module is built: it is sorted by class.
const Source* find(std::string_view lc_name) {
    const Source* source = std::lower_bound(
        std::begin(kSources), std::end(kSources), lc_name,
        [](const Source& entry, std::string_view name) { return entry.class_name < name; });
    return source != std::end(kSources) && source->class_name == lc_name ? source : nullptr;
}

void load(const Source& source) {
    zend_string* text =
        zend_string_init(source.begin, static_cast<size_t>(source.end - source.begin), false);
    zend_op_array* code = zend_compile_string(text, source.file, ZEND_COMPILE_POSITION_AT_OPEN_TAG);
    zend_string_release(text);
    if (code == nullptr) {
        return;
    }
    zval result;
    ZVAL_UNDEF(&result);
    zend_execute(code, &result);
    zval_ptr_dtor(&result);
    zend_destroy_static_vars(code);
    destroy_op_array(code);
    efree_size(code, sizeof(zend_op_array));
}

// Co\Server is Swoole\Coroutine\Server, as with the classes of the module.
zend_class_entry* load_short_name(zend_string* name, std::string_view lc_name) {
    constexpr std::string_view kShort = "co\\";
    if (!ext::settings().use_shortname || !lc_name.starts_with(kShort)) {
        return nullptr;
    }
    zend_string* full =
        zend_string_concat2(ZEND_STRL("Swoole\\Coroutine\\"), ZSTR_VAL(name) + kShort.size(),
                            ZSTR_LEN(name) - kShort.size());
    zend_string* lc_full = zend_string_tolower(full);
    zend_class_entry* ce = nullptr;
    if (find({ZSTR_VAL(lc_full), ZSTR_LEN(lc_full)}) != nullptr) {
        ce = zend_lookup_class(full);
        if (ce != nullptr) {
            zend_register_class_alias_ex(lc_name.data(), lc_name.size(), ce, /* persistent */ 0);
        }
    }
    zend_string_release(lc_full);
    zend_string_release(full);
    return ce;
}

// Old names that are always there.
zend_class_entry* load_old_name(std::string_view lc_name) {
    if (lc_name != "swoole\\process\\processmanager") {
        return nullptr;
    }
    zend_string* full = zend_string_init(ZEND_STRL("Swoole\\Process\\Manager"), false);
    zend_class_entry* ce = zend_lookup_class(full);
    zend_string_release(full);
    if (ce != nullptr) {
        zend_register_class_alias_ex(lc_name.data(), lc_name.size(), ce, /* persistent */ 0);
    }
    return ce;
}

zend_class_entry* load_class(zend_string* name, zend_string* lc_name) {
    std::string_view wanted(ZSTR_VAL(lc_name), ZSTR_LEN(lc_name));
    if (const Source* source = find(wanted)) {
        load(*source);
        return static_cast<zend_class_entry*>(zend_hash_find_ptr(CG(class_table), lc_name));
    }
    if (zend_class_entry* ce = load_short_name(name, wanted)) {
        return ce;
    }
    if (zend_class_entry* ce = load_old_name(wanted)) {
        return ce;
    }
    return previous != nullptr ? previous(name, lc_name) : nullptr;
}

// What a Composer package of the same library declares: with swoole.enable_library off the package
// does so, and ours must not be in its way.
constexpr std::string_view kFunctions[] = {
    "swoole_library_set_options",
    "swoole_library_get_options",
    "swoole_library_set_option",
    "swoole_library_get_option",
    "swoole_string",
    "swoole_mbstring",
    "swoole_array",
    "swoole_array_list",
    "swoole_table",
    "swoole_array_default_value",
    "swoole_is_in_container",
    "swoole_container_cpu_num",
    "swoole_exec",
    "swoole_shell_exec",
    "swoole_curl_init",
    "swoole_curl_setopt",
    "swoole_curl_setopt_array",
    "swoole_curl_exec",
    "swoole_curl_getinfo",
    "swoole_curl_errno",
    "swoole_curl_error",
    "swoole_curl_reset",
    "swoole_curl_close",
    "swoole_curl_multi_getcontent",
    "swoole_get_default_remote_object_client",
    "swoole_get_default_remote_object_server_dir",
    "swoole_init_default_remote_object_server",
    "swoole\\coroutine\\run",
    "swoole\\coroutine\\go",
    "swoole\\coroutine\\defer",
    "swoole\\coroutine\\batch",
    "swoole\\coroutine\\parallel",
    "swoole\\coroutine\\map",
    "swoole\\coroutine\\deadlock_check",
    "swoole\\coroutine\\http\\request",
    "swoole\\coroutine\\http\\request_with_http_client",
    "swoole\\coroutine\\http\\request_with_curl",
    "swoole\\coroutine\\http\\request_with_stream",
    "swoole\\coroutine\\http\\post",
    "swoole\\coroutine\\http\\get",
    "co\\run",
    "co\\go",
    "co\\defer",
    "_string",
    "_mbstring",
    "_array",
};

void remove_functions() {
    for (std::string_view name : kFunctions) {
        zend_hash_str_del(CG(function_table), name.data(), name.size());
    }
}

}  // namespace
}  // namespace stampede::library

namespace stampede::ext {

zend_result library_minit(int, int) {
    if (!settings().enable_library) {
        library::remove_functions();
        return SUCCESS;
    }
    library::previous = zend_autoload;
    zend_autoload = library::load_class;
    return SUCCESS;
}

zend_result library_mshutdown(int, int) {
    if (zend_autoload == library::load_class) {
        zend_autoload = library::previous;
    }
    return SUCCESS;
}

}  // namespace stampede::ext
