// Where errors become text: exceptions, warnings, and the report of an uncaught exception. PHP
// thread, never parks.
#pragma once

#include <cstdint>

#include "zend/last_error.h"
#include "zend/php.h"

namespace stampede::zend {

// The classes of the API's errors, registered by the runtime at start-up.
struct ErrorClasses {
    zend_class_entry* exception = nullptr;           // Swoole\Exception
    zend_class_entry* error = nullptr;               // Swoole\Error
    zend_class_entry* exit_exception = nullptr;      // Swoole\ExitException
    zend_class_entry* canceled_exception = nullptr;  // Swoole\Coroutine\CanceledException
    zend_class_entry* timeout_exception = nullptr;   // Swoole\Coroutine\TimeoutException
};
extern ErrorClasses error_classes;

bool is_exit_exception(const zend_object* exception);

// Throws ce with a code; in_errors of the API the code is an SWOOLE_ERROR_ number.
void throw_error(zend_class_entry* ce, int64_t code, const char* format, ...)
    ZEND_ATTRIBUTE_FORMAT(printf, 3, 4);

// E_WARNING from the running method, as "Class::method(): text"; silent when swoole.display_errors
// is off.
void warning(const char* format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);
// The same from a function that stands for another.
void warning_from(const char* name, const char* text);
void deprecated(const char* text);

inline bool exception_pending() { return EG(exception) != nullptr; }
// Puts an exception back under way; takes a reference of its own.
void rethrow(zend_object* exception);

// In the engine's interrupt, with an exception under way. A call from outside of the VM leaves it
// to its caller to send the frame to its handlers: the next instruction becomes the one that looks
// for them. Unless the exception has been thrown with this frame as the current one, which has done
// that already.
void go_to_handlers(zend_execute_data* frame);

// Around steps at the end of something, each of which runs as if nothing had been thrown before:
// what was under way when it is made, and what the steps throw, is under way again when it ends.
// The latest exception has the ones before it as previous ones.
class ExceptionsOfSteps {
public:
    ExceptionsOfSteps() { step_done(); }
    ExceptionsOfSteps(const ExceptionsOfSteps&) = delete;
    ExceptionsOfSteps& operator=(const ExceptionsOfSteps&) = delete;
    ~ExceptionsOfSteps();
    // Takes what the step before has thrown out of the way of the next one.
    void step_done();
    // What is out of the way; stays this object's.
    zend_object* pending() const { return thrown_; }

private:
    zend_object* thrown_ = nullptr;
};

// A fatal error with this message, of the code that runs: the coroutine is left, nothing of it runs
// any more. Nothing of C++ that has a destructor may be alive between it and the caller.
[[noreturn]] void leave_by_fatal_error(const char* message);

// Class, message, place and trace, as PHP prints an uncaught exception. The caller owns the string.
zend_string* format_exception(zend_object* exception);

}  // namespace stampede::zend
