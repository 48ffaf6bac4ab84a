#include "ext/server/api_options.h"

#include <algorithm>
#include <iterator>

#include "ext/server/event_job.h"
#include "ext/server/objects.h"
#include "ext/standard/info.h"
#include "os/log.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using enum OptionState;

constexpr std::string_view kOneThread =
    "each worker reads and writes its own connections in its one thread";
constexpr std::string_view kOwnThreads =
    "helper threads come and go with the work, file operations use io_uring where it is allowed";
constexpr std::string_view kNoThreads = "servers consist of processes, not of threads";
constexpr std::string_view kLogs = "the log has levels alone: log_level";
constexpr std::string_view kOwnSignals = "signals are read by signalfd or handlers as is needed";

constexpr ApiOption kApiOptions[] = {
    {"aio_core_worker_num", kNoEffect, kOwnThreads},
    {"aio_max_idle_time", kNoEffect, kOwnThreads},
    {"aio_max_wait_time", kNoEffect, kOwnThreads},
    {"aio_worker_num", kNoEffect, kOwnThreads},
    {"bootstrap", kMissing, kNoThreads},
    {"cpu_affinity_ignore", kNoEffect, "the kernel places the processes"},
    {"debug_mode", kNoEffect, kLogs},
    {"display_errors", kNoEffect, "php.ini and ini_set() say what PHP displays"},
    {"enable_signalfd", kNoEffect, kOwnSignals},
    {"enable_unsafe_event", kNoEffect, "connect and close are always told"},
    {"http2_enable_push", kNoEffect, "no client takes pushed responses any more"},
    {"init_arguments", kMissing, kNoThreads},
    {"iouring_entries", kNoEffect, kOwnThreads},
    {"iouring_flag", kNoEffect, kOwnThreads},
    {"iouring_workers", kNoEffect, kOwnThreads},
    {"max_thread_num", kNoEffect, kOwnThreads},
    {"min_thread_num", kNoEffect, kOwnThreads},
    {"open_cpu_affinity", kNoEffect, "the kernel places the processes"},
    {"reactor_num", kNoEffect, kOneThread},
    {"single_thread", kNoEffect, kOneThread},
    {"socket_dontwait", kNoEffect, "sockets never wait in the kernel"},
    {"start_session_id", kNoEffect, "the number of a connection says which worker has it"},
    {"thread_num", kNoEffect, kOwnThreads},
    {"trace_flags", kNoEffect, kLogs},
    {"use_async_resolver", kNoEffect, "names are always resolved without waiting"},
    {"wait_signal", kNoEffect, kOwnSignals},
};
static_assert(std::ranges::is_sorted(kApiOptions, {}, &ApiOption::name));

bool is_set(zval* value) {
    ZVAL_DEREF(value);
    return Z_TYPE_P(value) != IS_NULL && Z_TYPE_P(value) != IS_FALSE;
}

std::string note_given(HashTable* given) {
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(given, name, value) {
        const ApiOption* option =
            name != nullptr ? find_api_option({ZSTR_VAL(name), ZSTR_LEN(name)}) : nullptr;
        if (option == nullptr || !is_set(value)) {
            continue;
        }
        if (option->state == kMissing) {
            return "the option " + std::string(option->name) +
                   " is not there: " + std::string(option->why);
        }
        os::Log::get().write(os::LogLevel::kNotice, "the option %s has no effect: %s",
                             option->name.data(), option->why.data());
    }
    ZEND_HASH_FOREACH_END();
    return {};
}

constexpr std::string_view kOptionsOfWorkers[] = {
    "admin_server",
    "boot_timeout",
    "chroot",
    "control_socket",
    "daemonize",
    "dispatch_mode",
    "group",
    "max_request",
    "max_request_grace",
    "message_queue_key",
    "only_worker",
    "pid_file",
    "reload_async",
    "task_ipc_mode",
    "task_timeout",
    "task_max_request",
    "task_tmpdir",
    "task_worker_num",
    "user",
    "watchdog_timeout",
    "worker_max_age",
    "max_replace_time",
    "max_stop_time",
    "drain_time",
    "enable_metrics",
    "metrics_isolation",
    "worker_max_memory",
    "worker_num",
    "worker_start_num",
    "worker_start_timeout",
};

// Of the classes that are written in PHP.
bool hold_function(const char* name, zend::Callable& out) {
    zval value;
    ZVAL_STRING(&value, name);
    bool found = zend::Callable::hold(&value, out);
    zval_ptr_dtor(&value);
    return found;
}

constexpr std::string_view kCoroutineOptions[] = {
    "dns_server",
    "dns_cache_expire",
    "dns_cache_capacity",
    "dns_cache_refresh_time",
    "dns_lookup_random",
    "enable_deadlock_check",
    "enable_preemptive_scheduler",
    "name_resolver",
    "socket_connect_timeout",
    "socket_dns_timeout",
    "socket_read_timeout",
    "socket_recv_timeout",
    "socket_send_timeout",
    "socket_timeout",
    "socket_write_timeout",
};

}  // namespace

const ApiOption* find_api_option(std::string_view name) {
    const ApiOption* found = std::ranges::lower_bound(kApiOptions, name, {}, &ApiOption::name);
    return found != std::end(kApiOptions) && found->name == name ? found : nullptr;
}

void print_api_options() {
    php_info_print_table_start();
    php_info_print_table_header(2, "Option of servers", "what it does here");
    for (const ApiOption& option : kApiOptions) {
        std::string text =
            (option.state == kMissing ? "missing, refused at start(): " : "no effect: ") +
            std::string(option.why);
        php_info_print_table_row(2, option.name.data(), text.c_str());
    }
    php_info_print_table_end();
}

void use_coroutine_options(ServerState& state) {
    zval chosen;
    array_init(&chosen);
    for (std::string_view name : kCoroutineOptions) {
        zval* value = zend_hash_str_find(Z_ARRVAL(state.given), name.data(), name.size());
        if (value != nullptr && Z_TYPE_P(value) != IS_NULL) {
            Z_TRY_ADDREF_P(value);
            zend_hash_str_update(Z_ARRVAL(chosen), name.data(), name.size(), value);
        }
    }
    if (zend_hash_num_elements(Z_ARRVAL(chosen)) > 0) {
        objects.set_coroutine_options(Z_ARRVAL(chosen));
    }
    zval_ptr_dtor(&chosen);
}

void start_stats_file(ServerState& state) {
    zval* file = zend_hash_str_find(Z_ARRVAL(state.given), ZEND_STRL("stats_file"));
    zend::Callable helper = zend::Callable::none();
    if (file != nullptr && is_set(file) && state.place.worker == 0 &&
        hold_function("Swoole\\Server\\Helper::onWorkerStart", helper)) {
        zval arguments[2];
        ZVAL_OBJ(&arguments[0], state.object);
        ZVAL_LONG(&arguments[1], 0);
        log_guarded(zend::call_guarded(helper, 2, arguments, nullptr));
        helper.release();
    }
}

bool prepare_admin_server(ServerState& state) {
    zend::Callable helper = zend::Callable::none();
    if (!state.settings.admin_server.empty() &&
        hold_function("Swoole\\Server\\Helper::onBeforeStart", helper)) {
        zval server;
        ZVAL_OBJ(&server, state.object);
        (void)zend::call(helper, 1, &server, nullptr);
        helper.release();
    }
    return !zend::exception_pending();
}

void note_options_of_workers(HashTable* given) {
    std::string names;
    for (std::string_view name : kOptionsOfWorkers) {
        zval* value = zend_hash_str_find(given, name.data(), name.size());
        if (value != nullptr && is_set(value)) {
            names += (names.empty() ? "" : ", ") + std::string(name);
        }
    }
    if (!names.empty()) {
        os::Log::get().write(os::LogLevel::kNotice,
                             "without effect for a server of coroutines, which has no workers and "
                             "no supervisor: %s",
                             names.c_str());
    }
}

std::string note_api_options(ServerState& state) {
    std::string error = note_given(Z_ARRVAL(state.given));
    for (auto& port : state.ports) {
        if (error.empty() && Z_TYPE(port->settings) == IS_ARRAY) {
            error = note_given(Z_ARRVAL(port->settings));
        }
    }
    return error;
}

}  // namespace stampede::classes
