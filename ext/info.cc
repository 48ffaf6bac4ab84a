// The tables of `php --ri stampede` and `php --ri swoole`. See info.h.
#include "info.h"

#include <ares_version.h>
#include <openssl/opensslv.h>
#include <zlib.h>
#include <zstd.h>

#include "ext/standard/info.h"
#include "php_ini.h"

namespace stampede::ext {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

#ifdef STAMPEDE_DEBUG
constexpr const char* kBuild = "debug: assertions, AddressSanitizer, UBSan";
#else
constexpr const char* kBuild = "release";
#endif

void (*info_of_hooks)();
void (*info_of_options)();

void print_row(const char* name, const char* value) { php_info_print_table_row(2, name, value); }

}  // namespace

void print_info(zend_module_entry* module) {
    php_info_print_table_start();
    print_row("Stampede", "enabled");
    print_row("Version", STAMPEDE_VERSION);
    print_row("Implements the API of", "swoole " STAMPEDE_API_VERSION);
    print_row("Build", kBuild);
    print_row("Compiler", kCompiler);
    print_row("Servers can start under this SAPI", sapi_allowed() ? "yes" : "no");
    php_info_print_table_end();
    if (info_of_hooks != nullptr) {
        info_of_hooks();
    }
    if (info_of_options != nullptr) {
        info_of_options();
    }
    display_ini_entries(module);
}

void set_info_of_hooks(void (*print)()) { info_of_hooks = print; }
void set_info_of_options(void (*print)()) { info_of_options = print; }

void print_api_info(zend_module_entry* module) {
    php_info_print_table_start();
    print_row("Swoole", "enabled");
    print_row("Version", STAMPEDE_API_VERSION);
    print_row("Provided by", "stampede " STAMPEDE_VERSION);
    print_row("coroutine", "enabled");
    print_row("epoll", "enabled");
    // By these rows installers and scripts find out what the API can do here.
    print_row("eventfd", "enabled");
    print_row("signalfd", "enabled");
    print_row("spinlock", "enabled");
    print_row("rwlock", "enabled");
    print_row("sockets", "enabled");
    print_row("openssl", OPENSSL_VERSION_TEXT);
    print_row("http2", "enabled");
    print_row("json", "enabled");
    print_row("curl-native", "enabled");
    print_row("c-ares", ARES_VERSION_STR);
    print_row("zlib", ZLIB_VERSION);
    print_row("brotli", "enabled");
    print_row("zstd", ZSTD_VERSION_STRING);
    print_row("mutex_timedlock", "enabled");
    print_row("pthread_barrier", "enabled");
    print_row("futex", "enabled");
    print_row("mysqlnd", "enabled");
    print_row("coroutine_pgsql", "enabled");
    print_row("coroutine_odbc", "enabled");
    print_row("coroutine_sqlite", "enabled");
    php_info_print_table_end();
    display_ini_entries(module);
}

}  // namespace stampede::ext
