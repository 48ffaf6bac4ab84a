#include "zend/processes.h"

#include "zend/php.h"

#include "ext/standard/proc_open.h"
#include "zend_signal.h"

namespace stampede::zend {

namespace {

const void* engine_handler = nullptr;

}  // namespace

void remember_signal_handler(const void* handler) { engine_handler = handler; }

// The engine's own signal layer (ZEND_SIGNALS) puts one handler in front of some signals, whatever
// the script has asked for, and keeps what was asked for in a table by number.
bool is_default_action(int signal_number, const void* handler) {
#ifdef ZEND_SIGNALS
    return handler == engine_handler &&
           SIGG(handlers)[signal_number - 1].handler == reinterpret_cast<void*>(SIG_DFL);
#else
    (void)signal_number;
    return handler == engine_handler && handler == nullptr;
#endif
}

// Resources are found by the number that proc_open() has registered its kind under;
// php_process_handle is described in PHP's headers.
std::vector<pid_t> proc_open_children() {
    std::vector<pid_t> pids;
    int type = zend_fetch_list_dtor_id("process");
    zval* entry;
    ZEND_HASH_FOREACH_VAL(&EG(regular_list), entry) {
        const zend_resource* resource = Z_RES_P(entry);
        if (resource->type == type && resource->ptr != nullptr) {
            pids.push_back(static_cast<const php_process_handle*>(resource->ptr)->child);
        }
    }
    ZEND_HASH_FOREACH_END();
    return pids;
}

}  // namespace stampede::zend
