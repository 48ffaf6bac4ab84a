// What a forked worker must not share with its siblings, and what it needs of the engine to end
// well. PHP thread.
#pragma once

#include <cstddef>

#include "zend/php.h"

namespace stampede::zend {

// After a fork random generators continue from the parent's state otherwise, and all workers would
// draw the same numbers; after a request that has chosen its numbers the next ones would be known.
void reseed();
// A worker loads the code that is there when it starts: what the supervisor and the workers before
// it have learnt of paths (a symbolic link to a release may lead elsewhere now) and of the times of
// files is looked up anew, by opcache with each include. That goes for validate_timestamps=0, too:
// opcache notes no times then, and a reload would bring the old code for ever.
void forget_paths();
// After a request ran out of memory: those beside it get the usual amount again, on top of what is
// lost; false when too much is lost for that.
bool grant_memory_after_limit();
// Ends the script of a worker after start(): nothing after it runs, shutdown functions do.
void leave_script(int status);
int exit_status();  // as it is now, 255 after a fatal error
// What ps shows; result is what PHP's own function says, false where the SAPI has none.
void set_process_title(zend_string* title, zval* result);
// From a signal handler: the running PHP code is ended with a fatal error at its next step. To be
// installed when the module starts: the JIT of PHP 8.2 compiles the address of the interrupt
// function into its code when opcache starts, and code that it has compiled never calls one that
// came later.
void install_interrupt();
void remove_interrupt();
void request_interrupt();
// The code that it was for has been ended otherwise: it must not meet what runs next.
void withdraw_interrupt();

}  // namespace stampede::zend
