#include "zend/process_state.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "ext/random/php_random.h"
#if __has_include("ext/standard/php_mt_rand.h")
#include "ext/standard/php_mt_rand.h"  // part of ext/random since PHP 8.4
#endif
#include "zend/php.h"
#include "zend/opcache_time.h"

namespace stampede::zend {

namespace {

// Set in a signal handler, taken by the PHP thread: the flag of the engine alone does not say who
// has raised it.
std::atomic<bool> interrupted{false};
void (*previous_interrupt)(zend_execute_data*) = nullptr;

// Between two instructions. zend_error() with E_ERROR leaves by a jump to the entry of the
// coroutine (or of the request): nothing of C++ is alive here, and the functions that were
// installed earlier, which would come after it, are passed over.
void on_interrupt(zend_execute_data* frame) {
    if (interrupted.exchange(false)) {
        zend_error(E_ERROR,
                   "The worker's loop was held for longer than watchdog_timeout, or a task than "
                   "task_timeout, allows: this code runs "
                   "endlessly or calls something that blocks");
    }
    if (previous_interrupt != nullptr) {
        previous_interrupt(frame);
    }
}

// A setting of an extension that may not be loaded.
// As if set in php.ini, at a time when the engine takes changes of settings for those of the
// running script: the forked process has one script until it ends.
void set_if_known(const char* name, const char* value) {
    zend_string* key = zend_string_init(name, strlen(name), false);
    (void)zend_alter_ini_entry_chars(key, value, strlen(value), ZEND_INI_SYSTEM,
                                     ZEND_INI_STAGE_RUNTIME);
    zend_string_release(key);
}

}  // namespace

// The flags alone are enough: the generators seed themselves anew when they are next asked.
void reseed() {
    RANDOM_G(combined_lcg_seeded) = false;
    RANDOM_G(mt19937_seeded) = false;
    // That of GMP ends with each request of PHP, and with nothing else.
    auto* gmp =
        static_cast<zend_module_entry*>(zend_hash_str_find_ptr(&module_registry, ZEND_STRL("gmp")));
    if (gmp != nullptr && gmp->request_shutdown_func != nullptr) {
        gmp->request_shutdown_func(gmp->type, gmp->module_number);
    }
}

void forget_paths() {
    zval function, all, result;
    ZVAL_STRING(&function, "clearstatcache");
    ZVAL_TRUE(&all);
    if (call_user_function(nullptr, nullptr, &function, &result, 1, &all) == SUCCESS) {
        zval_ptr_dtor(&result);
    }
    zval_ptr_dtor(&function);
    set_if_known("opcache.revalidate_path", "1");
    set_if_known("opcache.revalidate_freq", "0");
    set_if_known("opcache.validate_timestamps", "1");
    tell_opcache_the_time();
}

// What the failed request had allocated stays allocated: its frames are not unwound. So each
// failure would add a whole limit to what the process takes: after some of them the rest has what
// ends it in order.
bool grant_memory_after_limit() {
    constexpr size_t kMostLimits = 3;
    constexpr size_t kToEnd = 4 * 1024 * 1024;
    if (PG(memory_limit) <= 0) {
        return true;
    }
    size_t used = zend_memory_usage(true);
    auto usual = static_cast<size_t>(PG(memory_limit));
    bool is_whole = used + usual <= kMostLimits * usual;
    (void)zend_set_memory_limit(used + (is_whole ? usual : std::min(usual, kToEnd)));
    return is_whole;
}

// The engine's own exception for exit(): no catch and no finally sees it.
void leave_script(int status) {
    EG(exit_status) = status;
    zend_throw_unwind_exit();
}

int exit_status() { return EG(exit_status); }

void set_process_title(zend_string* title, zval* result) {
    zval function, argument;
    ZVAL_STRING(&function, "cli_set_process_title");
    ZVAL_STR(&argument, title);
    if (call_user_function(nullptr, nullptr, &function, result, 1, &argument) == FAILURE) {
        ZVAL_FALSE(result);  // only the cli has that function
    }
    zval_ptr_dtor(&function);
}

void install_interrupt() {
    previous_interrupt = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
}

void remove_interrupt() {
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = previous_interrupt;
    }
}

// In a signal handler: two stores to atomics that need no lock, and the first is there before the
// PHP thread can see the second.
void withdraw_interrupt() { interrupted.store(false); }

void request_interrupt() {
    interrupted.store(true);
    zend_atomic_bool_store(&EG(vm_interrupt), true);
}

}  // namespace stampede::zend
