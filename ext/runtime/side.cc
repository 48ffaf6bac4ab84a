// A switch between coroutines must not pay for state that hardly any of them has. So nothing is
// copied as long as a side has the usual state: leave() and enter() compare a few words. Only a
// side that differs packs its state into a stash, and resets the engine's globals to what a script
// has when it begins. What must hold at every switch:
//
//   running side    engine's globals = its state     stash == nullptr
//   other sides     state in stash, or usual         handlers: a reference to its set
//   live_handlers   describes the handlers that are installed now
#include "runtime/side.h"

#include <utility>

#include "ext/standard/php_array.h"
#include "zend/call.h"

namespace stampede::runtime {

HandlerSet* live_handlers = nullptr;

// Values are moved in and out bit by bit: a reference that was the global's is the stash's while
// the side does not run. A stash that is not given back (a side that was killed) must be dropped.
//
//   output_*       ob_start() and what belongs to it; a callback of a buffer may wait
//   exception, prev_exception, opline_before_exception
//                  an exception under way while other code runs: finally, destructors, a class that
//                  is loaded for a catch. The instruction is where the frame goes on, so it belongs
//                  to that frame
//   error_handling, exception_class
//                  an internal constructor has asked for exceptions in place of warnings, and waits
//                  in what it calls
//   fake_scope     internal code reads private properties, and __get() waits
//   class_names    being loaded: the engine takes a second request for such a class for a recursion
//   compare_*      usort() keeps its callback in globals, and puts back what was there when it
//                  returns: in the order of nested calls, which coroutines do not keep
//   memory_limit   noted by the allocator, reported at the next interrupt
struct Stash {
    bool has_output;
    zend_stack output_handlers;
    php_output_handler* output_active;
    php_output_handler* output_running;
    zend_object* exception;
    zend_object* prev_exception;
    const zend_op* opline_before_exception;
    zend_error_handling_t error_handling;
    zend_class_entry* exception_class;
    decltype(zend_executor_globals::fake_scope) fake_scope;
    zend::ClassNamesUnderWay class_names;
    zend_fcall_info compare_fci;
    zend_fcall_info_cache compare_fcc;
#ifdef ZEND_HAS_OOM
    zend_oom_info memory_limit;
#endif
};

namespace {

// The engine's stacks own their elements, so a set that describes them has copies: each may be
// destroyed without a look at the other.
void copy_values(zend_stack& to, const zend_stack& from) {
    zend_stack_init(&to, sizeof(zval));
    auto* values = static_cast<zval*>(from.elements);
    for (int i = 0; i < from.top; i++) {
        Z_TRY_ADDREF(values[i]);
        zend_stack_push(&to, &values[i]);
    }
}

void copy_masks(zend_stack& to, const zend_stack& from) {
    zend_stack_init(&to, sizeof(int));
    auto* masks = static_cast<int*>(from.elements);
    for (int i = 0; i < from.top; i++) {
        zend_stack_push(&to, &masks[i]);
    }
}

void destroy_values(zend_stack& stack) {
    auto* values = static_cast<zval*>(stack.elements);
    for (int i = 0; i < stack.top; i++) {
        zval_ptr_dtor(&values[i]);
    }
    zend_stack_destroy(&stack);
}

HandlerSet* capture_handlers() {
    auto* set = static_cast<HandlerSet*>(emalloc(sizeof(HandlerSet)));
    set->references = 1;
    set->error_mask = EG(user_error_handler_error_reporting);
    ZVAL_COPY(&set->error_handler, &EG(user_error_handler));
    ZVAL_COPY(&set->exception_handler, &EG(user_exception_handler));
    copy_masks(set->error_masks, EG(user_error_handlers_error_reporting));
    copy_values(set->error_handlers, EG(user_error_handlers));
    copy_values(set->exception_handlers, EG(user_exception_handlers));
    return set;
}

void release(HandlerSet* set) {
    if (set == nullptr || --set->references > 0) {
        return;
    }
    zval_ptr_dtor(&set->error_handler);
    zval_ptr_dtor(&set->exception_handler);
    zend_stack_destroy(&set->error_masks);
    destroy_values(set->error_handlers);
    destroy_values(set->exception_handlers);
    efree(set);
}

// Everything the engine's globals hold is also held by the live set, so nothing is destroyed here.
void install_handlers(HandlerSet* set) {
    zval_ptr_dtor(&EG(user_error_handler));
    zval_ptr_dtor(&EG(user_exception_handler));
    zend_stack_destroy(&EG(user_error_handlers_error_reporting));
    destroy_values(EG(user_error_handlers));
    destroy_values(EG(user_exception_handlers));
    EG(user_error_handler_error_reporting) = set->error_mask;
    ZVAL_COPY(&EG(user_error_handler), &set->error_handler);
    ZVAL_COPY(&EG(user_exception_handler), &set->exception_handler);
    copy_masks(EG(user_error_handlers_error_reporting), set->error_masks);
    copy_values(EG(user_error_handlers), set->error_handlers);
    copy_values(EG(user_exception_handlers), set->exception_handlers);
}

// The running side has called set_error_handler() or the like since it was entered: its set no
// longer says what is installed. References: one of the side, one of live_handlers.
ZEND_COLD void recapture_handlers(Side& side) {
    HandlerSet* changed = capture_handlers();
    HandlerSet* before = side.handlers;
    HandlerSet* described = live_handlers;
    changed->references = 2;
    side.handlers = live_handlers = changed;
    release(before);
    release(described);
}

// The reference to the former set is dropped last: its destructors may run PHP code, which must
// find the new handlers complete.
ZEND_COLD void make_live(HandlerSet* set) {
    HandlerSet* before = live_handlers;
    install_handlers(set);
    set->references++;
    live_handlers = set;
    release(before);
}

// The buffers are a side's own; whether and where output has begun is the process's.
void store_output(Stash& stash) {
    stash.has_output = OG(active) != nullptr || OG(running) != nullptr;
    if (stash.has_output) {
        stash.output_handlers = OG(handlers);
        stash.output_active = OG(active);
        stash.output_running = OG(running);
        zend_stack_init(&OG(handlers), sizeof(php_output_handler*));
        OG(active) = OG(running) = nullptr;
    }
}

void restore_output(Stash& stash) {
    if (stash.has_output) {
        zend_stack_destroy(&OG(handlers));
        OG(handlers) = stash.output_handlers;
        OG(active) = stash.output_active;
        OG(running) = stash.output_running;
    }
}

#ifdef ZEND_HAS_OOM

// The error belongs to the side that allocated, not to the one that meets the next interrupt.
void store_memory_limit(Stash& stash) {
    stash.memory_limit = EG(delayed_oom);
    memset(&EG(delayed_oom), 0, sizeof(EG(delayed_oom)));
}

void restore_memory_limit(Stash& stash) {
    if (stash.memory_limit.state != ZEND_OOM_STATE_NONE) {
        EG(delayed_oom) = stash.memory_limit;
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    }
}

#else

void store_memory_limit(Stash&) {}
void restore_memory_limit(Stash&) {}

#endif

// The order matters: the exception is taken before error_handling and the scope, since these are
// what the code that threw has set, and each global gets the value that it has at the start of a
// script. A field that is forgotten here leaks into the next coroutine (see engine-contact.md).
ZEND_COLD Stash* make_stash() {
    auto* stash = static_cast<Stash*>(emalloc(sizeof(Stash)));
    store_output(*stash);
    store_memory_limit(*stash);
    // Bit by bit, without a change of counts: the reference of the global is the stash's now.
    stash->exception = EG(exception);
    stash->prev_exception = zend::exception_put_aside();
    stash->opline_before_exception = EG(opline_before_exception);
    stash->error_handling = EG(error_handling);
    stash->exception_class = EG(exception_class);
    stash->fake_scope = EG(fake_scope);
    stash->class_names.take();
    stash->compare_fci = BG(user_compare_fci);
    stash->compare_fcc = BG(user_compare_fci_cache);
    EG(exception) = nullptr;
    zend::set_exception_put_aside(nullptr);
    EG(opline_before_exception) = nullptr;
    EG(error_handling) = EH_NORMAL;
    EG(exception_class) = nullptr;
    EG(fake_scope) = nullptr;
    BG(user_compare_fci) = empty_fcall_info;
    BG(user_compare_fci_cache) = empty_fcall_info_cache;
    return stash;
}

ZEND_COLD void unpack_stash(Stash* stash) {
    restore_output(*stash);
    restore_memory_limit(*stash);
    EG(exception) = stash->exception;
    zend::set_exception_put_aside(stash->prev_exception);
    EG(opline_before_exception) = stash->opline_before_exception;
    EG(error_handling) = stash->error_handling;
    EG(exception_class) = stash->exception_class;
    EG(fake_scope) = stash->fake_scope;
    stash->class_names.give_back();
    BG(user_compare_fci) = stash->compare_fci;
    BG(user_compare_fci_cache) = stash->compare_fcc;
    efree(stash);
}

}  // namespace

void Side::leave_unusual() {
    if (!handlers_unchanged()) {
        recapture_handlers(*this);
    }
    if (has_unusual_state()) {
        stash = make_stash();
    }
}

// The request first: whatever runs from here on may look at superglobals. The stash before the
// handlers: to exchange those may destroy closures, and destructors are code of this side, which
// needs its state.
void Side::enter_unusual() {
    if (request != zend::live_web_request) {
        if (request != nullptr && zend::has_ended(*request)) {
            leave_request();
        }
        zend::make_live(request);
    }
    if (stash != nullptr) {
        Stash* mine = stash;
        stash = nullptr;
        unpack_stash(mine);
    }
    if (handlers != live_handlers) {
        make_live(handlers);
    }
}

// A new coroutine starts with its creator's handlers: a reference to the same set, and a copy is
// only made when one of them changes them.
void Side::begin() {
    handlers = live_handlers;
    live_handlers->references++;
    stash = nullptr;
    request = zend::live_web_request;
    if (UNEXPECTED(request != nullptr)) {
        zend::hold(*request);
    }
}

// Output is flushed while the request is live, and the request is dropped while the handlers of its
// code are installed: either may run PHP code, which may still change handlers, so these come last.
void Side::end() {
    if (UNEXPECTED(OG(active) != nullptr)) {
        php_output_end_all();
    }
    if (UNEXPECTED(request != nullptr)) {
        zend::drop_web_request();
        leave_request();
    }
    if (UNEXPECTED(!handlers_unchanged())) {
        recapture_handlers(*this);
    }
    HandlerSet* mine = handlers;
    handlers = nullptr;
    release(mine);
}

void Side::have_request(zend::WebRequest* begun) {
    leave_request();
    request = begun;
}

void Side::leave_request() {
    if (request != nullptr) {
        zend::release(*std::exchange(request, nullptr));
    }
}

// `this` is the main side: the shutdown functions of the request are called by PHP's own end of the
// script, which runs there.
void Side::inherit_request(Side& failed) {
    if (failed.request != nullptr && zend::disown(*failed.request) && request == nullptr) {
        request = std::exchange(failed.request, nullptr);
    }
}

// The stack of this side has gone, so its buffers and its exception were freed with it: the stash
// gives nothing back to the engine.
void Side::discard() {
    HandlerSet* mine = handlers;
    handlers = nullptr;
    if (stash != nullptr) {
        stash->class_names.drop();
        efree(stash);
        stash = nullptr;
    }
    leave_request();
    release(mine);
}

namespace {

bool memory_was_exhausted() {
    return PG(last_error_type) == E_ERROR && PG(last_error_message) != nullptr &&
           zend_string_starts_with_literal(PG(last_error_message), "Allowed memory size of ");
}

// A fatal error in it has jumped out of the engine's call of this handler. The engine would refuse
// all further output as printed by the handler, so the buffer is treated as if the handler had
// failed: what it was given goes on as it is.
void abandon_running_handler() {
    php_output_handler* handler = std::exchange(OG(running), nullptr);
    if (handler == nullptr) {
        return;
    }
    handler->flags |= PHP_OUTPUT_HANDLER_DISABLED;
    size_t length = std::exchange(handler->buffer.used, 0);
    if (!memory_was_exhausted()) {
        php_output_write(handler->buffer.data, length);
    }
}

}  // namespace

// Each round ends one buffer at least, or forbids one handler: a fatal error in a handler jumps
// here, and the rest is for the next round.
void end_buffers_after_fatal_error() {
    for (int rounds = zend_stack_count(&OG(handlers)); OG(active) != nullptr && rounds >= 0;
         rounds--) {
        zend::StackMark mark;
        zend_try {
            abandon_running_handler();
            if (memory_was_exhausted()) {
                php_output_discard_all();
            } else {
                php_output_end_all();
            }
        }
        zend_catch {
            mark.restore();
            EG(exception) = nullptr;
        }
        zend_end_try();
    }
}

void forget_memory_limit() {
#ifdef ZEND_HAS_OOM
    EG(delayed_oom).state = ZEND_OOM_STATE_NONE;
#endif
}

void sides_start(Side& main_side) {
    live_handlers = capture_handlers();
    main_side.handlers = live_handlers;
    live_handlers->references++;
    main_side.request = zend::live_web_request;
    if (main_side.request != nullptr) {
        zend::hold(*main_side.request);
    }
}

void sides_stop(Side& main_side) {
    main_side.discard();
    release(live_handlers);
    live_handlers = nullptr;
    classes_under_way = 0;
}

}  // namespace stampede::runtime
