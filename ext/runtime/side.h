// What the engine keeps in globals and every coroutine must have to itself, beyond what the engine's own switch saves:
// error and exception handlers, output buffers, exceptions under way, class loading, sorting callbacks.
// The main script is a side of its own. Owned by the coroutine (or the runtime, for main), PHP thread, never parks.
#pragma once

#include "zend/php.h"

namespace stampede::runtime {

struct HandlerSet;  // user error and exception handlers, shared until one side changes them
struct Stash;       // the rest, present only while a side that has such state is not running

struct Side {
    HandlerSet* handlers = nullptr;
    Stash* stash = nullptr;

    // The running side is about to be switched out / has just been switched in.
    void leave();
    void enter();
    // The first moments of a new side: handlers like its creator's, nothing else.
    void begin();
    // The end of a side that is running: what it left behind is finished, flushed or dropped.
    void end();
    // Drops what a side that will never run again holds.
    void discard();
};

// Describes the handlers in force when the first coroutine of a script is made, and forgets them at its end.
void sides_start(Side& main_side);
void sides_stop(Side& main_side);

}  // namespace stampede::runtime
