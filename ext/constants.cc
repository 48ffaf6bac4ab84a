// Registers the constants of the API: the integers of constants_table.h and the few of another
// type. Runs once when the process starts, PHP thread, never parks.
#include "constants_table.h"
#include "ini.h"
#include "module.h"
#include "subsystems.h"
#include "zend_constants.h"

namespace stampede::ext {
namespace {

constexpr int kFlags = CONST_CS | CONST_PERSISTENT;

void add_integer(const char* name, zend_long value, int module_number) {
    size_t length = strlen(name);
    // A few names (SOCKET_ECANCELED, TCP_INFO) may already come from ext/sockets.
    if (!zend_get_constant_str(name, length)) {
        zend_register_long_constant(name, length, value, kFlags, module_number);
    }
}

void add_version(int module_number) {
    add_integer("SWOOLE_VERSION_ID", STAMPEDE_API_VERSION_ID, module_number);
    add_integer("SWOOLE_MAJOR_VERSION", STAMPEDE_API_VERSION_ID / 10000, module_number);
    add_integer("SWOOLE_MINOR_VERSION", STAMPEDE_API_VERSION_ID / 100 % 100, module_number);
    add_integer("SWOOLE_RELEASE_VERSION", STAMPEDE_API_VERSION_ID % 100, module_number);
    REGISTER_STRING_CONSTANT("SWOOLE_VERSION", STAMPEDE_API_VERSION, kFlags);
    REGISTER_STRING_CONSTANT("SWOOLE_EXTRA_VERSION", "", kFlags);
}

void add_abilities(int module_number) {
    REGISTER_BOOL_CONSTANT("SWOOLE_DEBUG", false, kFlags);
    // Packages of the API's library declare its functions themselves where this is not defined.
    REGISTER_BOOL_CONSTANT("SWOOLE_LIBRARY", true, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_HAVE_COMPRESSION", true, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_HAVE_ZLIB", true, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_HAVE_BROTLI", true, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_USE_HTTP2", true, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_USE_SHORTNAME", settings().use_shortname, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_SOCK_SYNC", false, kFlags);
    REGISTER_BOOL_CONSTANT("SWOOLE_SOCK_ASYNC", true, kFlags);
}

void add_timer_limits(int module_number) {
    add_integer("SWOOLE_TIMER_MIN_MS", 1, module_number);
    add_integer("SWOOLE_TIMER_MAX_MS", ZEND_LONG_MAX, module_number);
    REGISTER_DOUBLE_CONSTANT("SWOOLE_TIMER_MIN_SEC", 0.001, kFlags);
    REGISTER_DOUBLE_CONSTANT("SWOOLE_TIMER_MAX_SEC", static_cast<double>(ZEND_LONG_MAX / 1000),
                             kFlags);
}

}  // namespace

zend_result constants_minit(int, int module_number) {
    for (const IntegerConstant& constant : kIntegerConstants) {
        add_integer(constant.name, constant.value, module_number);
    }
    add_version(module_number);
    add_abilities(module_number);
    add_timer_limits(module_number);
    return SUCCESS;
}

}  // namespace stampede::ext
