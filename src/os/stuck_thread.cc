#include "os/stuck_thread.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <ucontext.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "os/registers.h"

namespace stampede::os {
namespace {

// Nothing else uses it: pcntl can, and nobody does.
constexpr int kLook = SIGSTKFLT;
// Enough to get from an allocator's depths to its entry.
constexpr int kFrames = 16;

JudgeStuckThread judge = nullptr;
AddressRange program_allocator;
AddressRange libc;

bool contains(const AddressRange& range, const void* address) {
    return address >= range.begin && address < range.end;
}

// All segments of the object that has malloc().
AddressRange find_libc() {
    Dl_info facts{};
    AddressRange found;
    if (::dladdr(reinterpret_cast<void*>(&std::malloc), &facts) == 0) {
        return found;
    }
    found.begin = facts.dli_fbase;
    dl_iterate_phdr(
        [](dl_phdr_info* object, size_t, void* out) {
            auto& range = *static_cast<AddressRange*>(out);
            for (int i = 0; i < object->dlpi_phnum; i++) {
                const auto& segment = object->dlpi_phdr[i];
                auto* end = reinterpret_cast<const char*>(object->dlpi_addr) + segment.p_vaddr +
                            segment.p_memsz;
                if (reinterpret_cast<const void*>(object->dlpi_addr) == range.begin &&
                    segment.p_type == PT_LOAD && end > range.end) {
                    range.end = end;
                }
            }
            return 0;
        },
        &found);
    return found;
}

// In libc only what waits in the kernel may be left: no list of free memory is half changed there,
// and no lock of its own is held. In the program, anything but its allocator.
bool may_leave(const Registers& registers) {
    if (!registers.known()) {
        return false;
    }
    if (contains(libc, registers.code()) && !registers.after_system_call()) {
        return false;
    }
    void* frames[kFrames];
    int count = ::backtrace(frames, kFrames);
    for (int i = 0; i < count; i++) {
        if (contains(program_allocator, frames[i])) {
            return false;
        }
    }
    return true;
}

void on_look(int, siginfo_t*, void* context) {
    int error = errno;
    Registers registers(context);
    if (may_leave(registers)) {
        if (void (*leave)() = judge()) {
            registers.call(leave);
        }
    }
    errno = error;
}

}  // namespace

void install_stuck_thread_handler(JudgeStuckThread leave, AddressRange allocator) {
    judge = leave;
    program_allocator = allocator;
    libc = find_libc();
    void* warm_up[1];
    backtrace(warm_up, 1);  // loads what it needs now: a signal handler must not
    struct sigaction action = {};
    action.sa_sigaction = on_look;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(kLook, &action, nullptr);
}

void look_at_thread(pthread_t thread) { pthread_kill(thread, kLook); }

}  // namespace stampede::os
