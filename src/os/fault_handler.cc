#include "os/fault_handler.h"

#include <signal.h>
#include <unistd.h>

namespace stampede::os {
namespace {

constexpr size_t kAlternateStackBytes = 64 * 1024;

alignas(16) char alternate_stack[kAlternateStackBytes];
DescribeFault describe_fault = nullptr;
struct sigaction previous_action;

void on_fault(int signal_number, siginfo_t* info, void*) {
    char line[256];
    size_t length = describe_fault(info->si_addr, line, sizeof(line));
    if (length > 0) {
        ssize_t ignored = write(STDERR_FILENO, line, length);
        static_cast<void>(ignored);
        signal(signal_number, SIG_DFL);
    } else {
        sigaction(signal_number, &previous_action, nullptr);
    }
    // Returning repeats the faulting instruction: the process dies of it, with a core where one is wanted.
}

}  // namespace

void install_fault_handler(DescribeFault describe) {
    bool first = describe_fault == nullptr;
    describe_fault = describe;
    if (!first) {
        return;
    }
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) != 0) {
        stack_t stack = {};
        stack.ss_sp = alternate_stack;
        stack.ss_size = sizeof(alternate_stack);
        sigaltstack(&stack, nullptr);
    }
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_action);
}

}  // namespace stampede::os
