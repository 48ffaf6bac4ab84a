// PHP calls exit(1) where the system has no memory for it: in a worker that would cut all its
// requests off, and only one of them has asked for too much.
#include <cerrno>
#include <cstdlib>

#include "hooks/hooks.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::hooks {

using runtime::Runtime;

namespace {

// A second time, also while the first is being reported, the process ends as it would have.
bool has_failed;

// In PHP it is zend_out_of_memory() that ends like that: malloc() has refused memory that outlives
// the script (__zend_malloc()). No lock is held there. The jump goes to the entry of the coroutine.
void hooked_exit(int status) {
    bool is_out_of_memory = status == 1 && errno == ENOMEM;
    if (is_out_of_memory && !has_failed && on_php_thread()) {
        Runtime* runtime = Runtime::peek();
        if (runtime != nullptr && runtime->outlives_fatal_errors() &&
            runtime->current() != nullptr) {
            // The request fails, those beside it are finished, the worker is replaced: what was
            // being allocated may stay half made.
            has_failed = true;
            zend::leave_by_fatal_error("Out of memory: the system gives this process no more");
        }
    }
    ::exit(status);
}

}  // namespace

const Redirect kExitRedirects[] = {
    as_it_is("exit", reinterpret_cast<void*>(hooked_exit), Group::kCall),
};
const size_t kExitRedirectCount = sizeof(kExitRedirects) / sizeof(kExitRedirects[0]);

}  // namespace stampede::hooks
