#include "zend/process_end.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "ini.h"
#include "os/process.h"
#include "subsystems.h"
#include "zend/php.h"

#include "SAPI.h"
#include "zend_extensions.h"

namespace stampede::zend {

namespace {

// Modules whose end frees memory and takes back what they have registered in this process, and
// does nothing else. The ends of all others are run: they may write a report, remove a file or
// tell a server.
constexpr std::string_view kEndsInMemory[] = {
    "Core",      "FFI",          "PDO",       "PDO_ODBC",   "Phar",    "Reflection", "SPL",
    "SimpleXML", "Zend OPcache", "apcu",      "bcmath",     "bz2",     "calendar",   "ctype",
    "curl",      "date",         "dom",       "ds",         "exif",    "fileinfo",   "filter",
    "ftp",       "gd",           "gearman",   "gettext",    "gmp",     "hash",       "iconv",
    "igbinary",  "imap",         "intl",      "json",       "ldap",    "libxml",     "mbstring",
    "memcached", "msgpack",      "mysqli",    "mysqlnd",    "odbc",    "openssl",    "pcntl",
    "pcre",      "pdo_mysql",    "pdo_pgsql", "pdo_sqlite", "pgsql",   "posix",      "random",
    "readline",  "redis",        "session",   "shmop",      "soap",    "sockets",    "sodium",
    "sqlite3",   "ssh2",         "standard",  "sysvmsg",    "sysvsem", "sysvshm",    "tidy",
    "tokenizer", "xml",          "xmlreader", "xmlwriter",  "xsl",     "zip",        "zlib",
};
static_assert(std::ranges::is_sorted(kEndsInMemory));

enum class End : uint8_t {
    kInFull,
    kWithHandlers,  // those of atexit()
    kAtOnce,
};
End chosen = End::kInFull;
bool is_program_php;

bool ends_in_memory(const char* name) {
    return std::ranges::binary_search(kEndsInMemory, std::string_view(name));
}

// In the process of a script imports lead to functions of this module, whose variables go before
// those of libraries that were loaded earlier do.
bool is_ours(const zend_module_entry& module) {
    std::string_view name = module.name;
    return name == "stampede" || name == "swoole";
}

// As the engine ends it, but for what it frees afterwards.
void end_module(const zend_module_entry& module) {
    if (module.module_started && module.module_shutdown_func != nullptr) {
        module.module_shutdown_func(module.type, module.module_number);
    }
    if (module.globals_size > 0 && module.globals_dtor != nullptr) {
        module.globals_dtor(module.globals_ptr);
    }
}

void end_extension(void* data) {
    auto* extension = static_cast<zend_extension*>(data);
    if (extension->shutdown != nullptr && !ends_in_memory(extension->name)) {
        extension->shutdown(extension);
    }
}

// The engine destroys its persistent resources between the end of the last request and the end of
// the modules, the newest first. This one was made before any other.
void on_last_resource(zend_resource*) {
    if (chosen == End::kInFull) {
        return;
    }
    zval* entry;
    ZEND_HASH_REVERSE_FOREACH_VAL(&module_registry, entry) {
        auto* module = static_cast<zend_module_entry*>(Z_PTR_P(entry));
        bool is_passed_over =
            is_ours(*module) ? chosen == End::kAtOnce : ends_in_memory(module->name);
        if (!is_passed_over) {
            end_module(*module);
        }
    }
    ZEND_HASH_FOREACH_END();
    zend_llist_apply(&zend_extensions, end_extension);
    if (chosen == End::kAtOnce) {
        os::exit_flushed(EG(exit_status));
    }
    std::exit(EG(exit_status));
}

void choose(End end) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    // The JIT writes its dumps for perf and gdb to the end when opcache is shut down.
    bool is_jit_dumped = zend_ini_long(ZEND_STRL("opcache.jit_debug"), 0) != 0;
    if (is_program_php && ext::settings().quick_exit && !is_jit_dumped) {
        chosen = std::max(chosen, end);
    }
#else
    (void)end;
#endif
}

}  // namespace

void leave_after_request() { choose(End::kAtOnce); }

void exit_after_script() { choose(End::kWithHandlers); }

}  // namespace stampede::zend

namespace stampede::ext {

zend_result process_end_minit(int, int module_number) {
    zend::is_program_php = std::string_view(sapi_module.name) == "cli";
    int type = zend_register_list_destructors_ex(nullptr, zend::on_last_resource,
                                                 "end of a process", module_number);
    return zend_register_persistent_resource(ZEND_STRL("stampede: end of a process"), nullptr,
                                             type) != nullptr
               ? SUCCESS
               : FAILURE;
}

}  // namespace stampede::ext
