#include "zend/process_state.h"

#include <atomic>
#include <cstring>

#include "ext/random/php_random.h"
#if __has_include("ext/standard/php_mt_rand.h")
#include "ext/standard/php_mt_rand.h"  // part of ext/random since PHP 8.4
#endif
#include "zend/php.h"

namespace stampede::zend {

namespace {

std::atomic<bool> interrupted{false};
void (*previous_interrupt)(zend_execute_data*) = nullptr;

void on_interrupt(zend_execute_data* frame) {
    if (interrupted.exchange(false)) {
        zend_error(
            E_ERROR,
            "The worker's loop was held for longer than watchdog_timeout allows: this code runs "
            "endlessly or calls something that blocks");
    }
    if (previous_interrupt != nullptr) {
        previous_interrupt(frame);
    }
}

}  // namespace

void reseed_after_fork() {
    RANDOM_G(combined_lcg_seeded) = false;
    RANDOM_G(mt19937_seeded) = false;
}

void forget_paths() {
    zval function, all, result;
    ZVAL_STRING(&function, "clearstatcache");
    ZVAL_TRUE(&all);
    if (call_user_function(nullptr, nullptr, &function, &result, 1, &all) == SUCCESS) {
        zval_ptr_dtor(&result);
    }
    zval_ptr_dtor(&function);
    struct Entry {
        const char* name;
        const char* value;
    };
    for (const Entry& entry :
         {Entry{"opcache.revalidate_path", "1"}, Entry{"opcache.revalidate_freq", "0"}}) {
        zend_string* name = zend_string_init(entry.name, strlen(entry.name), false);
        // It fails where opcache is not loaded.
        (void)zend_alter_ini_entry_chars(name, entry.value, strlen(entry.value), ZEND_INI_SYSTEM,
                                         ZEND_INI_STAGE_RUNTIME);
        zend_string_release(name);
    }
}

void grant_memory_after_limit() {
    if (PG(memory_limit) > 0) {
        size_t limit = zend_memory_usage(true) + static_cast<size_t>(PG(memory_limit));
        (void)zend_set_memory_limit(limit);
    }
}

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

void request_interrupt() {
    interrupted.store(true);
    zend_atomic_bool_store(&EG(vm_interrupt), true);
}

}  // namespace stampede::zend
