// Asks the runtime about a memory fault before the process dies of it: a stack that is full can get
// more room, or the code on it can be ended. Installed on the PHP thread; the
// question is asked in a signal handler on a stack of its own.
#pragma once

#include <cstddef>

namespace stampede::os {

struct FaultAnswer {
    enum class Kind {
        kUnknown,  // none of ours: what was there before handles it
        kRetry,    // the memory is there now
        kDivert,   // the faulting code ends there: `divert` runs on its stack, and never returns
        kFatal,    // the process ends, after `line`
    };
    Kind kind = Kind::kUnknown;
    void (*divert)() = nullptr;
    char line[256];
    size_t length = 0;
};

// Async-signal-safe. `stack` is the stack pointer of the code that has faulted, null where the
// machine is an unknown one.
using JudgeFault = void (*)(const void* address, const void* stack, FaultAnswer& answer);

// Keeps the handler that was there for every other fault. Called again it adds another judge, which
// is asked about what those before do not know.
void install_fault_handler(JudgeFault judge);

// What it says of the end of a process is an object of JSON from now on, and goes to this
// descriptor.
void write_faults_as_objects(int fd);

}  // namespace stampede::os
