// The extension's life-cycle on one screen: two module entries and the table of subsystems between
// them. `stampede` is the module PHP loads; it registers `swoole`, the owner of everything that API
// declares.
#include "module.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "info.h"
#include "subsystems.h"

#include "SAPI.h"

namespace stampede::ext {
namespace {

constexpr Subsystem kSubsystems[] = {
    // name, minit, rinit, rshutdown, mshutdown
    {"ini", ini_minit, nullptr, nullptr, ini_mshutdown},
    {"end of processes", process_end_minit, nullptr, nullptr, nullptr},
    {"log messages", nullptr, log_messages_rinit, nullptr, nullptr},
    {"constants", constants_minit, nullptr, nullptr, nullptr},
    {"system constants", system_constants_minit, nullptr, nullptr, nullptr},
    {"functions", functions_minit, functions_rinit, nullptr, nullptr},
    {"media types", mime_type_minit, nullptr, nullptr, nullptr},
    {"library options", nullptr, library_options_rinit, library_options_rshutdown, nullptr},
    {"Swoole\\Constant", constant_class_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Http\\Status", http_status_minit, nullptr, nullptr, http_status_mshutdown},
    {"exceptions", exceptions_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Timer", timer_minit, nullptr, timer_rshutdown, nullptr},
    {"Swoole\\Event", event_minit, nullptr, event_rshutdown, nullptr},
    {"Stampede\\Blocking", blocking_minit, nullptr, nullptr, nullptr},
    {"Stampede\\Database", mysqli_link_minit, nullptr, nullptr, nullptr},
    {"Stampede\\LoopControl", loop_control_minit, nullptr, loop_control_rshutdown, nullptr},
    {"Swoole\\Coroutine", coroutine_minit, nullptr, coroutine_options_rshutdown, nullptr},
    {"coroutine functions", coroutine_functions_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\System", system_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Channel", channel_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Socket", coroutine_socket_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Client", coroutine_client_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Lock", coroutine_lock_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Client", client_minit, nullptr, client_rshutdown, nullptr},
    {"client functions", client_functions_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Scheduler", scheduler_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\WaitGroup", wait_group_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Barrier", barrier_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Atomic", atomic_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Lock", lock_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Table", table_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Process", process_minit, nullptr, nullptr, nullptr},
    {"renamed functions", renamed_functions_minit, nullptr, nullptr, nullptr},
    {"name resolvers", name_resolvers_minit, nullptr, name_resolvers_rshutdown, nullptr},
    {"value functions", value_functions_minit, nullptr, nullptr, nullptr},
    {"remote object functions", remote_object_functions_minit, nullptr, nullptr, nullptr},
    {"web requests", web_request_minit, web_request_rinit, web_request_rshutdown, nullptr},
    {"functions of the shell", shell_functions_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Process\\Pool", process_pool_minit, nullptr, nullptr, nullptr},
    {"signals of a script", process_signals_minit, nullptr, process_signals_rshutdown, nullptr},
    {"pcntl_fork()", classes::pcntl_fork_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Runtime", runtime_hooks_minit, nullptr, runtime_hooks_rshutdown,
     runtime_hooks_mshutdown},
    {"reports of hooks", hook_reports_minit, nullptr, nullptr, nullptr},
    {"number of workers", worker_count_minit, nullptr, nullptr, nullptr},
    {"Stampede\\FileWatch", file_watch_minit, nullptr, nullptr, nullptr},
    {"counts of objects", object_counts_minit, nullptr, nullptr, nullptr},
    {"metrics of pools", pool_metrics_minit, nullptr, nullptr, nullptr},
    {"growth of the heap", heap_minit, nullptr, nullptr, nullptr},
    {"Stampede\\Checkpoint", checkpoint_minit, nullptr, nullptr, nullptr},
    {"Stampede\\RequestLoop", request_loop_minit, nullptr, request_loop_rshutdown, nullptr},
    {"Stampede\\Metrics", metrics_minit, metrics_rinit, nullptr, nullptr},
    {"traces", trace_minit, nullptr, trace_rshutdown, nullptr},
    {"logging", logging_minit, nullptr, nullptr, nullptr},
    {"limits of computing", compute_limit_minit, nullptr, compute_limit_rshutdown, nullptr},
    {"functions of WebSockets", websocket_functions_minit, nullptr, nullptr, nullptr},
    {"known strings", classes::known_strings_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Http\\Request", classes::http_request_minit, nullptr, nullptr, nullptr},
    {"Stampede\\Http\\Body", classes::http_body_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Http\\Response", classes::http_response_minit, nullptr, nullptr, nullptr},
    {"strings for bodies", nullptr, classes::body_strings_rinit, classes::body_strings_rshutdown,
     nullptr},
    {"header names", nullptr, nullptr, classes::header_names_rshutdown, nullptr},
    {"Swoole\\Http\\Cookie", classes::http_cookie_minit, nullptr, nullptr, nullptr},
    {"Swoole\\WebSocket\\Frame", classes::websocket_frame_minit, nullptr,
     classes::websocket_sending_rshutdown, nullptr},
    {"Swoole\\Coroutine\\Http\\Client", classes::http_client_minit, nullptr, nullptr, nullptr},
    {"functions of Swoole\\Coroutine\\Http", classes::http_functions_minit, nullptr, nullptr,
     nullptr},
    {"Swoole\\Coroutine\\Http2\\Client", classes::http2_client_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Coroutine\\Http\\Server", classes::co_http_server_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Server", classes::server_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Server\\Event", classes::event_objects_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Redis\\Server", classes::redis_server_minit, nullptr, nullptr, nullptr},
    {"Swoole\\WebSocket\\Server", classes::websocket_server_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Server\\Task", classes::server_tasks_minit, nullptr, nullptr, nullptr},
    {"Swoole\\Server\\Port", classes::server_port_minit, nullptr, nullptr, nullptr},
    {"files", files_minit, nullptr, nullptr, nullptr},
    {"children", children_minit, children_rinit, nullptr, nullptr},
    {"resolver", resolver_minit, nullptr, resolver_rshutdown, nullptr},
    {"runtime", runtime_minit, runtime_rinit, runtime_rshutdown, runtime_mshutdown},
    {"profiler", observe_minit, nullptr, observe_rshutdown, observe_mshutdown},
    {"calls on threads", nullptr, nullptr, calls_rshutdown, nullptr},
    {"library", library_minit, nullptr, nullptr, library_mshutdown},
};

zend_result start_all(int type, int module_number) {
    for (const Subsystem& subsystem : kSubsystems) {
        if (subsystem.minit && subsystem.minit(type, module_number) == FAILURE) {
            zend_error(E_CORE_WARNING, "Stampede: the subsystem \"%s\" could not be started.",
                       subsystem.name);
            return FAILURE;
        }
    }
    return SUCCESS;
}

zend_result request_start_all(int type, int module_number) {
    for (const Subsystem& subsystem : kSubsystems) {
        if (subsystem.rinit && subsystem.rinit(type, module_number) == FAILURE) {
            return FAILURE;
        }
    }
    return SUCCESS;
}

zend_result request_stop_all(int type, int module_number) {
    for (auto row = std::rbegin(kSubsystems); row != std::rend(kSubsystems); ++row) {
        if (row->rshutdown) {
            row->rshutdown(type, module_number);
        }
    }
    return SUCCESS;
}

zend_result stop_all(int type, int module_number) {
    for (auto row = std::rbegin(kSubsystems); row != std::rend(kSubsystems); ++row) {
        if (row->mshutdown) {
            row->mshutdown(type, module_number);
        }
    }
    return SUCCESS;
}

zend_module_entry api_module = {
    STANDARD_MODULE_HEADER,
    "swoole",
    nullptr,
    start_all,
    stop_all,
    request_start_all,
    request_stop_all,
    print_api_info,
    STAMPEDE_API_VERSION,
    NO_MODULE_GLOBALS,
    web_request_post_deactivate,
    STANDARD_MODULE_PROPERTIES_EX,
};

// PHP registers every configured extension before it starts the first, so the order of the lines in
// php.ini is no matter.
bool real_api_is_loaded() { return zend_hash_str_exists(&module_registry, ZEND_STRL("swoole")); }

zend_result load(int type, int) {
    if (type != MODULE_PERSISTENT) {
        zend_error(E_CORE_WARNING,
                   "Stampede cannot be loaded by dl(): add extension=stampede to php.ini.");
        return FAILURE;
    }
    if (real_api_is_loaded()) {
        zend_error(E_CORE_ERROR,
                   "Stampede and the extension \"swoole\" provide the same API: remove one of the "
                   "two from php.ini.");
        return FAILURE;
    }
    (void)sapi_allowed();
    zend_module_entry* api = zend_register_internal_module(&api_module);
    return api ? zend_startup_module_ex(api) : FAILURE;
}

// Those that are there start first: their classes, constants and handlers are met when ours are
// made.
const zend_module_dep after_these[] = {
    ZEND_MOD_OPTIONAL("sockets") ZEND_MOD_OPTIONAL("pcntl") ZEND_MOD_OPTIONAL("posix")
        ZEND_MOD_OPTIONAL("curl") ZEND_MOD_OPTIONAL("memcached") ZEND_MOD_OPTIONAL("mongodb")
            ZEND_MOD_OPTIONAL("pdo") ZEND_MOD_OPTIONAL("mysqlnd") ZEND_MOD_OPTIONAL("pgsql")
                ZEND_MOD_OPTIONAL("mysqli") ZEND_MOD_OPTIONAL("redis") ZEND_MOD_END};

zend_module_entry stampede_module = {
    STANDARD_MODULE_HEADER_EX,
    nullptr,
    after_these,
    "stampede",
    nullptr,
    load,
    nullptr,
    nullptr,
    nullptr,
    print_info,
    STAMPEDE_VERSION,
    STANDARD_MODULE_PROPERTIES,
};

}  // namespace

bool sapi_allowed() {
    constexpr std::string_view kAllowed[] = {"cli", "phpdbg", "embed", "micro"};
    // Asked for the first time as the module loads: the name may be another one later.
    static const bool allowed =
        std::ranges::find(kAllowed, std::string_view(sapi_module.name)) != std::end(kAllowed);
    return allowed;
}

}  // namespace stampede::ext

extern "C" ZEND_DLEXPORT zend_module_entry* get_module() { return &stampede::ext::stampede_module; }
