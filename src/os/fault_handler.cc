#include "os/fault_handler.h"

#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "os/registers.h"

namespace stampede::os {
namespace {

constexpr size_t kAlternateStackBytes = 64 * 1024;

alignas(16) char alternate_stack[kAlternateStackBytes];
JudgeFault judges[2];  // one of coroutines, one of scripts
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
struct sigaction previous_actions[std::size(kFaults)];

void say(const char* text, size_t length) {
    ssize_t ignored = write(STDERR_FILENO, text, length);
    static_cast<void>(ignored);
}

struct sigaction& previous_of(int signal_number) {
    size_t i = 0;
    while (kFaults[i] != signal_number) {
        i++;
    }
    return previous_actions[i];
}

// Where the process was, for the log: nobody else will know.
void say_backtrace(int signal_number) {
    char text[] = "Stampede: this process ends by signal 00; its native stack:\n";
    char* digits = text + sizeof("Stampede: this process ends by signal ") - 1;
    digits[0] = static_cast<char>('0' + signal_number / 10);
    digits[1] = static_cast<char>('0' + signal_number % 10);
    say(text, sizeof(text) - 1);
    void* frames[48];
    backtrace_symbols_fd(frames, backtrace(frames, std::size(frames)), STDERR_FILENO);
}

void on_fault(int signal_number, siginfo_t* info, void* context) {
    FaultAnswer answer;
    if (signal_number == SIGSEGV && info->si_code > 0) {
        Registers registers(context);
        for (JudgeFault judge : judges) {
            if (judge != nullptr && answer.kind == FaultAnswer::Kind::kUnknown) {
                judge(info->si_addr, registers.stack(), answer);
            }
        }
        if (answer.kind == FaultAnswer::Kind::kRetry) {
            return;
        }
        if (answer.kind == FaultAnswer::Kind::kDivert) {
            registers.call(answer.divert);
            return;
        }
    }
    struct sigaction& previous = previous_of(signal_number);
    if (answer.kind == FaultAnswer::Kind::kFatal) {
        say(answer.line, answer.length);
        signal(signal_number, SIG_DFL);
    } else {
        if (previous.sa_handler == SIG_DFL) {
            say_backtrace(signal_number);
        }
        sigaction(signal_number, &previous, nullptr);
    }
    if (info->si_code <= 0) {  // sent by kill() or abort(): nothing repeats it
        raise(signal_number);
    }
    // Otherwise returning repeats the faulting instruction: the process dies of it, with a core
    // where one is wanted.
}

}  // namespace

void install_fault_handler(JudgeFault judge) {
    JudgeFault* place = std::find_if(std::begin(judges), std::end(judges), [&](JudgeFault each) {
        return each == nullptr || each == judge;
    });
    bool is_installed = judges[0] != nullptr;
    if (place != std::end(judges)) {
        *place = judge;
    }
    if (is_installed) {
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
    for (size_t i = 0; i < std::size(kFaults); i++) {
        sigaction(kFaults[i], &action, &previous_actions[i]);
    }
    void* warm_up[1];
    backtrace(warm_up, 1);  // loads what it needs now: a signal handler must not
}

}  // namespace stampede::os
