// The engine's change of contexts, in line: the same protocol and the same state as
// zend_fiber_switch_context(), without the function around it, whose return the processor never
// predicts. Used where the engine exports what it takes and the state to carry over is known;
// elsewhere the engine's function is called. PHP thread.
#pragma once

#include "zend/php.h"

namespace stampede::runtime {

// Calls a function that switches. It was called in one place of the VM and the coroutine that goes
// on was called in another, so the processor would mispredict its return; a jump it predicts by
// what was jumped to before. Where the processor keeps a shadow stack, which knows calls alone, it
// returns by a return.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
void return_by_jump(INTERNAL_FUNCTION_PARAMETERS, zif_handler function);
#else
zend_always_inline void return_by_jump(INTERNAL_FUNCTION_PARAMETERS, zif_handler function) {
    function(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
#endif

// What a switch hands over on arrival: where the context that was left goes on, and its transfer.
struct Arrival {
    void* handle;
    zend_fiber_transfer* transfer;
};

struct SwitchFunctions {
    Arrival (*jump)(void* handle, zend_fiber_transfer* transfer) = nullptr;
    void(ZEND_FASTCALL* notify)(zend_fiber_context* from, zend_fiber_context* to) = nullptr;
};
extern SwitchFunctions switch_functions;

// Looks them up and tries them, once. Both stay null where switching is the engine's: where they
// do not work, which the log hears, and where a shadow stack would find that jump_to() has called
// nothing.
void find_switch_functions();

// What belongs to running code and not to the process, as the engine's own switch sees it
// (zend_fiber_capture_vm_state()). Saved on the C stack of the context that is left, so it comes
// back with that stack. A field that a later engine adds must be added here: without it two
// coroutines would share the field's value. find_switch_functions() therefore ends at a known
// version.
struct VmState {
    zend_vm_stack stack = EG(vm_stack);
    zval* stack_top = EG(vm_stack_top);
    zval* stack_end = EG(vm_stack_end);
    size_t page_size = EG(vm_stack_page_size);
    zend_execute_data* execute_data = EG(current_execute_data);
    int error_reporting = EG(error_reporting);
    uint32_t jit_trace_num = EG(jit_trace_num);
    JMP_BUF* bailout = EG(bailout);
    zend_fiber* active_fiber = EG(active_fiber);
#ifdef ZEND_CHECK_STACK_LIMIT
    void* c_stack_base = EG(stack_base);
    void* c_stack_limit = EG(stack_limit);
#endif

    zend_always_inline void restore() const {
        EG(vm_stack) = stack;
        EG(vm_stack_top) = stack_top;
        EG(vm_stack_end) = stack_end;
        EG(vm_stack_page_size) = page_size;
        EG(current_execute_data) = execute_data;
        EG(error_reporting) = error_reporting;
        EG(jit_trace_num) = jit_trace_num;
        EG(bailout) = bailout;
        EG(active_fiber) = active_fiber;
#ifdef ZEND_CHECK_STACK_LIMIT
        EG(stack_base) = c_stack_base;
        EG(stack_limit) = c_stack_limit;
#endif
    }
};

// Jumps to the function that changes stacks instead of calling it: a call whose return happens on
// another stack would spoil the processor's prediction of every return that follows.
//
//   lea -128        the red zone: a function that calls nothing may keep values below the stack
//                   pointer, and to the compiler this function calls nothing
//   push 1f         the return address that jump_fcontext() expects on top of the stack; it saves
//                   the registers that a function must keep below it, and that is the handle
//   jmp jump        goes on at `1` of the context that is resumed, with its stack
//
// All other registers are named as overwritten: the code that runs meanwhile may use any of them. A
// build for a processor with more of them (-march) has more to name.
zend_always_inline Arrival jump_to(decltype(SwitchFunctions::jump) jump, void* handle,
                                   zend_fiber_transfer* transfer) {
#ifdef __x86_64__
    Arrival arrival;
    asm volatile(
        "lea -128(%%rsp), %%rsp\n\t"  // what the compiler may keep below the stack
        "lea 1f(%%rip), %%rax\n\t"
        "push %%rax\n\t"
        "jmp *%[jump]\n"
        "1:\n\t"
        "lea 128(%%rsp), %%rsp"
        : "=&a"(arrival.handle), "=&d"(arrival.transfer), "+D"(handle), "+S"(transfer)
        : [jump] "r"(jump)
        : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
          "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
#ifdef __AVX512F__
          "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
          "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",
          "k7",
#endif
          "memory", "cc");
    return arrival;
#else
    return jump(handle, transfer);
#endif
}

// The protocol of zend_fiber_switch_context(), in its order:
//
//   observers hear of it while everything is still as it was
//   what running code owns is saved on this stack
//   EG(current_fiber_context) is set before the jump: a new context finds itself by it
//   (jump: other code runs, and some time later resumes this context)
//   the context that has resumed this one gets its handle, by which it is gone on with later
//   EG(current_fiber_context) and what running code owns are put back
//
// `transfer` lies on this stack and stays valid until a context arrives. The engine's function also
// destroys a context that has died; here none can arrive: coroutines' contexts never end, and a
// user Fiber that ends goes back to where it was resumed, which is the engine's function.
zend_always_inline void switch_directly(zend_fiber_transfer& transfer) {
    zend_fiber_context* from = EG(current_fiber_context);
    zend_fiber_context* to = transfer.context;
    switch_functions.notify(from, to);
    VmState state;
    to->status = ZEND_FIBER_STATUS_RUNNING;
    from->status = ZEND_FIBER_STATUS_SUSPENDED;
    transfer.context = from;
    EG(current_fiber_context) = to;
    Arrival arrival = jump_to(switch_functions.jump, to->handle, &transfer);
    arrival.transfer->context->handle = arrival.handle;
    EG(current_fiber_context) = from;
    state.restore();
}

}  // namespace stampede::runtime
