#include "runtime/direct_switch.h"

#include <dlfcn.h>

#include <cstdint>

#include "ini.h"
#include "os/log.h"
#include "os/switch_check.h"

namespace stampede::runtime {

// Written once, when the module starts, before there is a coroutine: each switch reads it without
// more.
SwitchFunctions switch_functions;

namespace {

// A program may only have a shadow stack when all of it was built for one, this module too
// (-fcf-protection). Elsewhere the instruction does nothing.
#if defined(__x86_64__) && defined(__CET__) && (__CET__ & 2) != 0
#define STAMPEDE_SHADOW_STACK 1
[[maybe_unused]] bool has_shadow_stack() {
    uint64_t pointer = 0;
    asm volatile("rdsspq %0" : "+r"(pointer));
    return pointer != 0;
}
#else
[[maybe_unused]] bool has_shadow_stack() { return false; }
#endif

using Jump = decltype(SwitchFunctions::jump);

// The same jump as every switch makes, with the types of the check.
Jump jump_on_trial;
[[maybe_unused]] os::StackSwitch::Arrival jump_for_check(void* handle, void* data) {
    Arrival arrival = jump_to(jump_on_trial, handle, static_cast<zend_fiber_transfer*>(data));
    return {arrival.handle, arrival.transfer};
}

[[maybe_unused]] bool works(Jump jump, void* make) {
    jump_on_trial = jump;
    const char* problem =
        os::try_switch({jump_for_check, reinterpret_cast<decltype(os::StackSwitch::make)>(make)});
    if (problem != nullptr) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "coroutines are switched by PHP's own function, which costs more: "
                             "trying the direct way, %s",
                             problem);
    }
    return problem == nullptr;
}

}  // namespace

void find_switch_functions() {
    // Later engines may carry more over: their own function switches until that has been looked at.
    // Sanitizers are told of switches around the engine's function.
#if PHP_VERSION_ID < 80600 && (defined(__x86_64__) || defined(__aarch64__)) && \
    !defined(__SANITIZE_ADDRESS__)
    if (has_shadow_stack() || !ext::settings().inline_switch) {
        return;
    }
    // All three or none: with a jump of one and the notes of another the state would be half
    // changed.
    auto jump = reinterpret_cast<Jump>(dlsym(RTLD_DEFAULT, "jump_fcontext"));
    void* make = dlsym(RTLD_DEFAULT, "make_fcontext");
    void* notify = dlsym(RTLD_DEFAULT, "zend_observer_fiber_switch_notify");
    if (jump != nullptr && make != nullptr && notify != nullptr && works(jump, make)) {
        switch_functions.jump = jump;
        switch_functions.notify = reinterpret_cast<decltype(switch_functions.notify)>(notify);
    }
#endif
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
// Called with (execute_data, return_value, function) in rdi, rsi and rdx. The stack is aligned for
// the call, the arguments stay where the callee expects them, and rcx, which a function may
// overwrite, takes the return address. `naked`: the compiler must add nothing of its own around it.
// The unwinder finds its way by the .cfi lines. rdsspq reads the shadow stack's pointer, and leaves
// rcx at 0 where there is none.
__attribute__((naked)) void return_by_jump(INTERNAL_FUNCTION_PARAMETERS, zif_handler) {
    asm("sub $8, %rsp\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        "call *%rdx\n\t"
        "add $8, %rsp\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
#ifdef STAMPEDE_SHADOW_STACK
        "xor %ecx, %ecx\n\t"
        "rdsspq %rcx\n\t"
        "test %rcx, %rcx\n\t"
        "jz 1f\n\t"
        "ret\n"
        "1:\n\t"
#endif
        "pop %rcx\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
        "jmp *%rcx");
}
#endif

}  // namespace stampede::runtime
