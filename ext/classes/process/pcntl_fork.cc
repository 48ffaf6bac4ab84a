// pcntl_fork() inside a coroutine: the child would go on in the middle of an iteration, with the
// loop of its parent. Refused as Process::start() is; the fork that a program is started with is
// another.
#include <cerrno>

#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/php.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using runtime::Runtime;

zif_handler of_pcntl;

ZEND_FUNCTION(checked_pcntl_fork) {
    Runtime* runtime = Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        zend::throw_error(zend::error_classes.error, EOPNOTSUPP,
                          "pcntl_fork() must be called outside the coroutine: the child would "
                          "share the event loop of its parent");
        RETURN_THROWS();
    }
    of_pcntl(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// Null without pcntl.
zend_internal_function* pcntl_fork_function() {
    auto* function = static_cast<zend_function*>(
        zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("pcntl_fork")));
    return function != nullptr ? &function->internal_function : nullptr;
}

}  // namespace

zend_result pcntl_fork_minit(int, int) {
    if (zend_internal_function* function = pcntl_fork_function()) {
        of_pcntl = function->handler;
        function->handler = ZEND_FN(checked_pcntl_fork);
    }
    return SUCCESS;
}

zend_result pcntl_fork_mshutdown(int, int) {
    zend_internal_function* function = pcntl_fork_function();
    if (function != nullptr && function->handler == ZEND_FN(checked_pcntl_fork)) {
        function->handler = of_pcntl;
    }
    return SUCCESS;
}

}  // namespace stampede::classes
