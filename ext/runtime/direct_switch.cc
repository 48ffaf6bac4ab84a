#include "runtime/direct_switch.h"

#include <dlfcn.h>

namespace stampede::runtime {

SwitchFunctions switch_functions;

void find_switch_functions() {
    // Later engines may carry more over: theirs decides until that has been looked at. Sanitizers
    // are told of switches around the engine's function.
#if PHP_VERSION_ID < 80600 && (defined(__x86_64__) || defined(__aarch64__)) && \
    !defined(__SANITIZE_ADDRESS__)
    void* jump = dlsym(RTLD_DEFAULT, "jump_fcontext");
    void* notify = dlsym(RTLD_DEFAULT, "zend_observer_fiber_switch_notify");
    if (jump != nullptr && notify != nullptr) {
        switch_functions.jump = reinterpret_cast<decltype(switch_functions.jump)>(jump);
        switch_functions.notify = reinterpret_cast<decltype(switch_functions.notify)>(notify);
    }
#endif
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SHSTK__)
__attribute__((naked)) void return_by_jump(INTERNAL_FUNCTION_PARAMETERS, zif_handler) {
    asm("sub $8, %rsp\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        "call *%rdx\n\t"
        "add $8, %rsp\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
        "pop %rcx\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
        "jmp *%rcx");
}
#endif

}  // namespace stampede::runtime
