// The one way into PHP code: a held callable and what became of the call.
// A Callable is owned by the object that stores it. PHP thread; the called code may park.
#pragma once

#include <cstdint>

#include "zend/php.h"

namespace stampede::runtime {

// What became of user code.
enum class Outcome : uint8_t { kReturned, kThrew, kExited, kDestroyed, kBailed };

}  // namespace stampede::runtime

namespace stampede::zend {

using runtime::Outcome;

struct Callable {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;

    // An empty one; calling it is a mistake.
    static Callable none();
    // Resolves and holds a value that was already checked to be callable. False when it is not
    // callable.
    static bool hold(zval* value, Callable& out);
    // Holds what argument parsing found.
    static Callable hold(const zend_fcall_info& fci, const zend_fcall_info_cache& fcc);
    void release();

    explicit operator bool() const { return Z_TYPE(fci.function_name) != IS_UNDEF; }
    bool operator==(const Callable& other) const {
        return Z_TYPE(fci.function_name) == Z_TYPE(other.fci.function_name) &&
               Z_PTR(fci.function_name) == Z_PTR(other.fci.function_name);
    }
};

// Runs a user function whose arguments are all passed by value, without what the engine's
// zend_call_function() must look at for others: fewer instructions, and half the C stack below a
// coroutine that waits. False, with nothing done, when it is not such a function. retval must be
// undefined. Nothing of the callee is looked at again once its code runs.
bool call_by_value(const zend_fcall_info_cache& callee, uint32_t argc, zval* argv, zval* retval);

// Inside a coroutine or on the main context. A thrown exception stays in EG(exception); fatal
// errors are not caught here. retval may be null when the value does not matter; otherwise it is
// undefined unless the outcome is kReturned.
Outcome call(const Callable& callable, uint32_t argc, zval* argv, zval* retval);

// For calls on the main context that must come back: a fatal error ends here.
Outcome call_guarded(const Callable& callable, uint32_t argc, zval* argv, zval* retval);

// Where the PHP stack is. A fatal error jumps over the frames that it leaves: restore() puts the
// stack back after the jump. What further pages it had taken goes with the script's memory.
class StackMark {
public:
    void restore() const {
        EG(current_execute_data) = frame_;
        EG(vm_stack) = page_;
        EG(vm_stack_top) = top_;
        EG(vm_stack_end) = end_;
    }

private:
    zend_execute_data* frame_ = EG(current_execute_data);
    zend_vm_stack page_ = EG(vm_stack);
    zval* top_ = EG(vm_stack_top);
    zval* end_ = EG(vm_stack_end);
};

// What EG(exception) says about the code that has just ended; leaves it there.
Outcome outcome_of_exception();

}  // namespace stampede::zend
