// The registers of the code that a signal has interrupted, where they are known, for its handler;
// or those of a context that getcontext() has filled.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstring>

namespace stampede::os {

class Registers {
public:
    explicit Registers(void* context) : machine_(static_cast<ucontext_t*>(context)->uc_mcontext) {}

#if defined(__x86_64__)
    static constexpr bool known() { return true; }
    const void* stack() const { return reinterpret_cast<const void*>(machine_.gregs[REG_RSP]); }
    const void* code() const { return reinterpret_cast<const void*>(machine_.gregs[REG_RIP]); }
    bool after_system_call() const {
        return std::memcmp(static_cast<const char*>(code()) - 2, "\x0f\x05", 2) == 0;
    }
    // As if the code had called it: below its red zone, where the return address would make the
    // stack uneven.
    void call(void (*function)()) {
        auto top = (static_cast<uintptr_t>(machine_.gregs[REG_RSP]) - kRedZone) & ~kAlignment;
        machine_.gregs[REG_RSP] = static_cast<greg_t>(top - sizeof(void*));
        machine_.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
    }
#elif defined(__aarch64__)
    static constexpr bool known() { return true; }
    const void* stack() const { return reinterpret_cast<const void*>(machine_.sp); }
    const void* code() const { return reinterpret_cast<const void*>(machine_.pc); }
    bool after_system_call() const {
        return std::memcmp(reinterpret_cast<const char*>(machine_.pc) - 4, "\x01\x00\x00\xd4", 4) ==
               0;
    }
    void call(void (*function)()) {
        machine_.sp &= ~kAlignment;
        machine_.pc = reinterpret_cast<uintptr_t>(function);
    }
#else
    static constexpr bool known() { return false; }
    const void* stack() const { return nullptr; }
    const void* code() const { return nullptr; }
    bool after_system_call() const { return false; }
    void call(void (*)()) {}
#endif

private:
    [[maybe_unused]] static constexpr uintptr_t kRedZone = 128;
    [[maybe_unused]] static constexpr uintptr_t kAlignment = 15;
    mcontext_t& machine_;
};

}  // namespace stampede::os
