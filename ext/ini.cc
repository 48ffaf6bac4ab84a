// Registration and storage of the php.ini settings. See ini.h.
#include "ini.h"

#include "subsystems.h"

#include "php_ini.h"

namespace stampede::ext {
namespace {

Settings current;

PHP_INI_BEGIN()
    STD_PHP_INI_BOOLEAN("swoole.enable_library", "On", PHP_INI_ALL, OnUpdateBool, enable_library,
                        Settings, current)
    STD_PHP_INI_BOOLEAN("swoole.enable_fiber_mock", "Off", PHP_INI_ALL, OnUpdateBool,
                        enable_fiber_mock, Settings, current)
    STD_PHP_INI_BOOLEAN("swoole.enable_preemptive_scheduler", "Off", PHP_INI_ALL, OnUpdateBool,
                        enable_preemptive_scheduler, Settings, current)
    STD_PHP_INI_BOOLEAN("swoole.display_errors", "On", PHP_INI_ALL, OnUpdateBool, display_errors,
                        Settings, current)
    STD_PHP_INI_BOOLEAN("swoole.use_shortname", "On", PHP_INI_SYSTEM, OnUpdateBool, use_shortname,
                        Settings, current)
    STD_PHP_INI_ENTRY("swoole.socket_buffer_size", "8388608", PHP_INI_ALL, OnUpdateLong,
                      socket_buffer_size, Settings, current)
    STD_PHP_INI_BOOLEAN("swoole.blocking_detection", "Off", PHP_INI_SYSTEM, OnUpdateBool,
                        blocking_detection, Settings, current)
    STD_PHP_INI_ENTRY("swoole.blocking_threshold", "100000", PHP_INI_SYSTEM, OnUpdateLong,
                      blocking_threshold, Settings, current)
    STD_PHP_INI_BOOLEAN("swoole.profile", "Off", PHP_INI_SYSTEM, OnUpdateBool, profile, Settings,
                        current)
    STD_PHP_INI_BOOLEAN("swoole.leak_detection", "Off", PHP_INI_SYSTEM, OnUpdateBool,
                        leak_detection, Settings, current)
    STD_PHP_INI_BOOLEAN("stampede.io_uring", "On", PHP_INI_SYSTEM, OnUpdateBool, io_uring, Settings,
                        current)
    STD_PHP_INI_BOOLEAN("stampede.inline_switch", "On", PHP_INI_SYSTEM, OnUpdateBool, inline_switch,
                        Settings, current)
    STD_PHP_INI_BOOLEAN("stampede.redirect_calls", "On", PHP_INI_SYSTEM, OnUpdateBool,
                        redirect_calls, Settings, current)
    STD_PHP_INI_BOOLEAN("stampede.quick_exit", "On", PHP_INI_SYSTEM, OnUpdateBool, quick_exit,
                        Settings, current)
    STD_PHP_INI_ENTRY("stampede.hook_include", "", PHP_INI_SYSTEM, OnUpdateString, hook_include,
                      Settings, current)
    STD_PHP_INI_ENTRY("stampede.hook_exclude", "", PHP_INI_SYSTEM, OnUpdateString, hook_exclude,
                      Settings, current)
    STD_PHP_INI_ENTRY("stampede.sapi_name", "", PHP_INI_SYSTEM, OnUpdateString, sapi_name, Settings,
                      current)
    STD_PHP_INI_ENTRY("stampede.log_messages", "", PHP_INI_SYSTEM, OnUpdateString, log_messages,
                      Settings, current)
    PHP_INI_ENTRY("stampede.log_level", "notice", PHP_INI_SYSTEM, nullptr)
    STD_PHP_INI_ENTRY("stampede.log_output", "2", PHP_INI_SYSTEM, OnUpdateLong, log_output,
                      Settings, current)
PHP_INI_END()

}  // namespace

const Settings& settings() { return current; }

zend_result ini_minit(int type, int module_number) {
#if PHP_VERSION_ID < 80300
    (void)type;
    return zend_register_ini_entries(ini_entries, module_number);
#else
    return zend_register_ini_entries_ex(ini_entries, module_number, type);
#endif
}

zend_result ini_mshutdown(int, int module_number) {
    zend_unregister_ini_entries(module_number);
    return SUCCESS;
}

}  // namespace stampede::ext
