// What the engine keeps in globals and every coroutine must have to itself, beyond what the
// engine's own switch saves: error and exception handlers, output buffers, exceptions under way,
// class loading, sorting callbacks, the web request. The main script is a side of its own. Owned by
// the coroutine (or the runtime, for main), PHP thread, never parks.
#pragma once

#include "runtime/inheritance.h"
#include "zend/engine_version.h"
#include "zend/web_request.h"

namespace stampede::runtime {

struct Stash;  // present only while a side that has unusual state is not running

// User error and exception handlers, shared until one side changes them.
struct HandlerSet {
    uint32_t references;
    int error_mask;
    zval error_handler;
    zval exception_handler;
    zend_stack error_masks;
    zend_stack error_handlers;
    zend_stack exception_handlers;
};

// Describes what the engine's globals hold now.
extern HandlerSet* live_handlers;

// How many autoloaders are running, in all sides together.
extern uintptr_t classes_under_way;

// What a switch does with it, where A runs and B is resumed:
//
//   A.leave()    A's handlers changed?   a new set describes them
//                A has unusual state?    it goes into A's stash, the globals are reset
//   (switch)
//   B.enter()    B has a stash?          it goes back into the globals
//                another set than the live one, another web request?   they are exchanged
//
// In a new coroutine begin() stands in place of enter().
struct Side {
    HandlerSet* handlers = nullptr;
    Stash* stash = nullptr;
    // That it runs in; a reference. May have ended meanwhile, which enter() finds out.
    zend::WebRequest* request = nullptr;
    Inheritance inheritance;  // no part of a switch: the engine has no such state

    // The running side is about to be switched out / has just been switched in. In line: they are
    // part of every switch.
    void leave();
    void enter();
    // The first moments of a new side: handlers like its creator's, nothing else.
    void begin();
    // The end of a side that is running: what it left behind is finished, flushed or dropped.
    void end();
    // Drops what a side that will never run again holds.
    void discard();
    // It has begun a web request / its request has ended.
    void have_request(zend::WebRequest* begun);
    void leave_request();
    // The coroutine of a request has met a fatal error: what is left of the request, its shutdown
    // functions above all, is for the end of the process.
    void inherit_request(Side& failed);

private:
    // Both are part of every switch: all words are read and combined before the one branch, since a
    // branch for each costs more than the reads.
    static bool handlers_unchanged();
    static bool has_unusual_state();
    void leave_unusual();
    void enter_unusual();
};

// The memory limit that ended a coroutine is not the next one's: left as it is, the engine would
// take the next interrupt for another.
void forget_memory_limit();

// The output buffers of the running side, whose code a fatal error has ended: what they hold is
// printed, as at the end of a script, but not after an exhausted memory limit. Their handlers run,
// but for one that was left by the error. The PHP stack must be in order again.
void end_buffers_after_fatal_error();

// Describes the handlers in force when the first coroutine of a script is made, and forgets them at
// its end.
void sides_start(Side& main_side);
void sides_stop(Side& main_side);

zend_always_inline bool Side::handlers_unchanged() {
    const HandlerSet& live = *live_handlers;
    auto differs = [](const zval& a, const zval& b) {
        return (reinterpret_cast<uintptr_t>(Z_PTR(a)) ^ reinterpret_cast<uintptr_t>(Z_PTR(b))) |
               (Z_TYPE_INFO(a) ^ Z_TYPE_INFO(b));
    };
    // A new mask for the same handler comes with a longer stack.
    auto counts =
        static_cast<unsigned>((EG(user_error_handlers).top ^ live.error_handlers.top) |
                              (EG(user_exception_handlers).top ^ live.exception_handlers.top));
    return (differs(EG(user_error_handler), live.error_handler) |
            differs(EG(user_exception_handler), live.exception_handler) | counts) == 0;
}

// Since 8.2.35 a memory limit is reported at the next interrupt instead of at once.
zend_always_inline uintptr_t memory_limit_state() {
#ifdef ZEND_HAS_OOM
    return EG(delayed_oom).state;
#else
    return 0;
#endif
}

zend_always_inline bool Side::has_unusual_state() {
    auto bits = [](const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); };
    static_assert(EH_NORMAL == 0);
    // Each of these is zero in a side without unusual state. A stash keeps more than they say: what
    // is only set together with one of them.
    return (bits(OG(active)) | bits(EG(exception)) | bits(zend::exception_put_aside()) |
            bits(EG(fake_scope)) | static_cast<uintptr_t>(EG(error_handling)) |
            BG(user_compare_fci).size | classes_under_way | memory_limit_state()) != 0;
}

zend_always_inline void Side::leave() {
    if (UNEXPECTED(!handlers_unchanged() || has_unusual_state())) {
        leave_unusual();
    }
}

zend_always_inline void Side::enter() {
    if (UNEXPECTED((stash != nullptr) | (handlers != live_handlers) |
                   (request != zend::live_web_request))) {
        enter_unusual();
    }
}

}  // namespace stampede::runtime
