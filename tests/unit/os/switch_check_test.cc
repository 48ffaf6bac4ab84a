#include "os/switch_check.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <ucontext.h>

#include <string>

namespace stampede::os {
namespace {

// A switch of stacks by what the C library has for it: a handle is a saved context.
struct Context {
    ucontext_t saved;
    void (*entry)(StackSwitch::Arrival);
};

Context there;
Context here;
StackSwitch::Arrival in_flight;

void* make(void* top, size_t bytes, void (*entry)(StackSwitch::Arrival)) {
    there.entry = entry;
    getcontext(&there.saved);
    there.saved.uc_stack.ss_sp = static_cast<char*>(top) - bytes;
    there.saved.uc_stack.ss_size = bytes;
    there.saved.uc_link = nullptr;
    makecontext(
        &there.saved, [] { there.entry(in_flight); }, 0);
    return &there;
}

StackSwitch::Arrival jump(void* handle, void* data) {
    auto* to = static_cast<Context*>(handle);
    Context* from = to == &there ? &here : &there;
    in_flight = {from, data};
    swapcontext(&from->saved, &to->saved);
    return in_flight;
}

std::string problem(const StackSwitch& functions) {
    const char* text = try_switch(functions);
    return text != nullptr ? text : "";
}

TEST(SwitchCheck, FindsNothingWhereStacksChangeAsTheyShould) {
    EXPECT_EQ(problem({jump, make}), "");
    EXPECT_EQ(problem({jump, make}), "");
}

TEST(SwitchCheck, FindsAJumpThatDoesNothing) {
    StackSwitch::Arrival (*stays)(void*, void*) = [](void* handle, void* data) {
        return StackSwitch::Arrival{handle, data};
    };
    EXPECT_EQ(problem({stays, make}), "the new stack was not reached");
}

TEST(SwitchCheck, FindsDataThatIsLost) {
    StackSwitch::Arrival (*forgets)(void*, void*) = [](void* handle, void*) {
        return jump(handle, nullptr);
    };
    EXPECT_EQ(problem({forgets, make}), "something else arrived than was sent");
}

TEST(SwitchCheck, FindsAHandleThatIsLost) {
    StackSwitch::Arrival (*loses)(void*, void*) = [](void* handle, void* data) {
        StackSwitch::Arrival arrival = jump(handle, data);
        return handle == &there ? StackSwitch::Arrival{nullptr, arrival.data} : arrival;
    };
    EXPECT_EQ(problem({loses, make}), "what was left did not go on as it was");
}

TEST(SwitchCheck, FindsThatNoStackIsMade) {
    void* (*makes_none)(void*, size_t, void (*)(StackSwitch::Arrival)) =
        [](void*, size_t, void (*)(StackSwitch::Arrival)) -> void* { return nullptr; };
    EXPECT_EQ(problem({jump, makes_none}), "no stack could be made");
}

TEST(SwitchCheck, CatchesACrashAndLeavesTheHandlersAsTheyWere) {
    struct sigaction before;
    sigaction(SIGSEGV, nullptr, &before);
    StackSwitch::Arrival (*crashes)(void*, void*) = [](void*, void*) {
        raise(SIGSEGV);
        return StackSwitch::Arrival{nullptr, nullptr};
    };
    for (int time = 0; time < 2; time++) {
        EXPECT_EQ(problem({crashes, make}), "it crashed");
    }
    struct sigaction after;
    sigaction(SIGSEGV, nullptr, &after);
    EXPECT_EQ(reinterpret_cast<void*>(before.sa_sigaction),
              reinterpret_cast<void*>(after.sa_sigaction));
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
}

}  // namespace
}  // namespace stampede::os
