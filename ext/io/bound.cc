#include "io/bound.h"

#include "error_numbers.h"
#include "zend/caller.h"
#include "zend/throw.h"

namespace stampede::io {

void throw_bound(Bound what, const runtime::Fiber& holder, const char* doing, const char* wanting) {
    runtime::Runtime& runtime = runtime::Runtime::get();
    runtime::Place there = runtime::place_of(holder);
    zend::Line here = zend::current_line();
    if (runtime.current() != nullptr) {
        runtime::Place place = runtime::place_of(*runtime.current());
        here = {place.file, place.line};
    }
    if (!zend::exception_pending()) {
        zend::throw_error(zend::error_classes.error, api_error::kHasBeenBound,
                          "%s has already been bound to another coroutine#%ld, which is %s in "
                          "%s:%u; %s of the same %s in coroutine#%ld at the same time, in %s:%u, "
                          "is not allowed: %s",
                          what.name, static_cast<long>(holder.cid), doing, there.file, there.line,
                          wanting, what.kind, static_cast<long>(runtime.current_cid()), here.file,
                          here.number, what.advice);
    }
}

void throw_bound_socket(int fd, const runtime::Fiber& holder, const char* doing,
                        const char* wanting, const char* advice) {
    char name[24] = "The socket";
    if (fd >= 0) {
        snprintf(name, sizeof(name), "Socket#%d", fd);
    }
    throw_bound({name, "socket", advice}, holder, doing, wanting);
}

}  // namespace stampede::io
