#include "os/switch_check.h"

#include <setjmp.h>
#include <signal.h>

#include <cstdint>
#include <memory>

namespace stampede::os {

namespace {

constexpr size_t kStackBytes = 64 * 1024;
constexpr int kRounds = 2;
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
constexpr size_t kFaultCount = sizeof(kFaults) / sizeof(kFaults[0]);

// The new stack has no arguments but what a jump brings, so what both sides need lies here.
struct Trial {
    StackSwitch functions;
    char there = 0;  // addresses to tell data by
    char back = 0;
    bool reached = false;
    bool data_arrived = true;
};
Trial* trial;
sigjmp_buf before_fault;

void bounce(StackSwitch::Arrival arrival) {
    Trial& own = *trial;
    own.reached = true;
    for (;;) {  // the side that asked does not come again after the last round
        own.data_arrived = own.data_arrived && arrival.data == &own.there;
        arrival = own.functions.jump(arrival.handle, &own.back);
    }
}

const char* go_there_and_back(void* stack) {
    Trial& own = *trial;
    void* handle = own.functions.make(static_cast<char*>(stack) + kStackBytes, kStackBytes, bounce);
    if (handle == nullptr) {
        return "no stack could be made";
    }
    // In a register that the functions have to preserve: the compiler cannot know its value.
    uintptr_t kept = reinterpret_cast<uintptr_t>(stack);
    asm volatile("" : "+r"(kept));
    for (int round = 0; round < kRounds; round++) {
        StackSwitch::Arrival arrival = own.functions.jump(handle, &own.there);
        asm volatile("" : "+r"(kept));
        if (!own.reached) {
            return "the new stack was not reached";
        }
        if (!own.data_arrived || arrival.data != &own.back) {
            return "something else arrived than was sent";
        }
        if (arrival.handle == nullptr || kept != reinterpret_cast<uintptr_t>(stack)) {
            return "what was left did not go on as it was";
        }
        handle = arrival.handle;
    }
    return nullptr;
}

// Ends in siglongjmp(), so nothing that needs its end may be between try_switch() and a fault.
class CaughtFaults {
public:
    CaughtFaults() {
        stack_t own = {};
        own.ss_sp = memory_.get();
        own.ss_size = kStackBytes;
        sigaltstack(&own, &stack_before_);
        struct sigaction action = {};
        action.sa_handler = [](int signal) { siglongjmp(before_fault, signal); };
        action.sa_flags = SA_ONSTACK;
        for (size_t i = 0; i < kFaultCount; i++) {
            sigaction(kFaults[i], &action, &actions_before_[i]);
        }
    }
    CaughtFaults(const CaughtFaults&) = delete;
    CaughtFaults& operator=(const CaughtFaults&) = delete;
    ~CaughtFaults() {
        for (size_t i = 0; i < kFaultCount; i++) {
            sigaction(kFaults[i], &actions_before_[i], nullptr);
        }
        sigaltstack(&stack_before_, nullptr);
    }

private:
    std::unique_ptr<char[]> memory_ = std::make_unique_for_overwrite<char[]>(kStackBytes);
    stack_t stack_before_ = {};
    struct sigaction actions_before_[kFaultCount] = {};
};

}  // namespace

const char* try_switch(const StackSwitch& functions) {
    auto stack = std::make_unique_for_overwrite<char[]>(kStackBytes);
    Trial own = {functions};
    trial = &own;
    CaughtFaults caught;
    // 1: the signal mask as well, since the handler's signal is blocked in it.
    return sigsetjmp(before_fault, 1) == 0 ? go_there_and_back(stack.get()) : "it crashed";
}

}  // namespace stampede::os
