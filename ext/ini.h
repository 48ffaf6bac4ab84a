// The settings of php.ini, all of them under the module `swoole` as that API documents them.
// One set per process, read on the PHP thread, never parks.
#pragma once

#include "module.h"

namespace stampede::ext {

struct Settings {
    bool enable_library;
    bool enable_fiber_mock;
    bool enable_preemptive_scheduler;
    bool display_errors;
    bool use_shortname;
    zend_long socket_buffer_size;
    bool blocking_detection;
    zend_long blocking_threshold;  // microseconds
    bool profile;
    bool leak_detection;
    bool io_uring;
    bool inline_switch;
    bool redirect_calls;
    bool quick_exit;
    char* hook_include;  // starts of names of libraries
    char* hook_exclude;
    char* sapi_name;       // empty: that of the command line
    zend_long log_output;  // the descriptor to which objects of JSON go
    char* log_messages;    // "text", "json"; else as the SAPI writes them
};

const Settings& settings();

}  // namespace stampede::ext
