// How a forked process ends. PHP thread, never parks.
//
// At the end of a process the engine takes all of its modules apart and unloads them, which writes
// to thousands of pages that a forked process shares with its parent, so that the kernel copies
// them first: most of what a short process costs. An observer outside of the process sees only what
// the end of the request did before: shutdown functions, destructors, output, sessions, what
// extensions do at the end of a request; and the end of persistent connections. After these the
// process leaves.
#pragma once

namespace stampede::zend {

// The end in full stays with stampede.quick_exit=0 (php.ini), with sanitizers, which report then,
// and in programs other than php.

// In a process that this module has forked. Handlers of atexit() are passed over: nearly all are
// the parent's.
void leave_after_request();
// In the process of a script: those handlers are run.
void exit_after_script();

}  // namespace stampede::zend
