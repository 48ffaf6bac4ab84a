// pcntl_fork() inside a coroutine: the child would go on in the middle of an iteration, with the
// loop of its parent. Refused as Process::start() is; the fork that a program is started with is
// another.
#include <cerrno>

#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/php.h"
#include "zend/throw.h"
#include "zend/wrapped_function.h"

namespace stampede::classes {

namespace {

using runtime::Runtime;

void checked_pcntl_fork(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    Runtime* runtime = Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        zend::throw_error(zend::error_classes.error, EOPNOTSUPP,
                          "pcntl_fork() must be called outside the coroutine: the child would "
                          "share the event loop of its parent");
        RETURN_THROWS();
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

}  // namespace

zend_result pcntl_fork_minit(int, int) {
    zend::WrappedFunction<checked_pcntl_fork>::wrap("pcntl_fork");
    return SUCCESS;
}

}  // namespace stampede::classes
