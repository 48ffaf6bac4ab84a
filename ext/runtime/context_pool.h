// Makes and keeps coroutine contexts: C stack, control block and the first page of the VM stack lie
// in one slot of a slab, so that a waiting coroutine costs one page or two. Where the engine does
// not export what that takes, the engine makes the stack. Owned by the Runtime, PHP thread, never
// parks.
#pragma once

#include <memory>
#include <vector>

#include "os/stack_slabs.h"
#include "runtime/fiber.h"

namespace stampede::runtime {

// The first page of a coroutine's PHP stack, and the size of those that follow.
inline constexpr size_t kVmPageBytes = 16 * 1024;

class ContextPool {
public:
    using Entry = void (*)(zend_fiber_transfer*);

    explicit ContextPool(Entry entry);
    ~ContextPool();

    // For contexts made from now on. Rounded up to whole pages, at least 128 KiB.
    void set_stack_size(size_t bytes);
    size_t stack_size() const { return stack_size_; }

    // Null when there is no memory for another stack.
    Fiber* take();
    void give(Fiber& fiber);

    // Gives back the memory of stacks that no coroutine has used since the call before, at most so
    // many.
    static constexpr size_t kFewCold = 16;
    static constexpr size_t kAllCold = SIZE_MAX;
    void trim(size_t most);

    // A burst of waiting coroutines lives in as many pages: fetches what a switch to this one will
    // touch. Any address is harmless.
    static void prefetch(const Fiber* fiber);
    // For the take() after the next, when a burst is likely.
    void prefetch_ahead() const {
        if (free_.size() > 1) {
            prefetch(free_[free_.size() - 2]);
        }
    }

    // The coroutine whose stack's guard the address lies in is running: true.
    // Called in a signal handler: reads the block alone.
    static bool in_guard(const Fiber& fiber, const void* address);
    // Null when the context is no coroutine's.
    static const Fiber* owner_of(const zend_fiber_context* context);
    size_t created() const { return created_; }

    // Engine memory does not outlive a script: nothing may be suspended.
    void end_of_script();

private:
    struct Slabs {
        size_t stack_size;
        std::unique_ptr<os::StackSlabs> slabs;
        std::vector<Fiber*> free;
    };

    Slabs& current();
    Slabs* find(size_t stack_size);
    Fiber* make();
    Fiber* make_in_slab();
    Fiber* make_by_engine();
    void prepare(Fiber& fiber, char* vm_page);
    void destroy_engine_contexts();

    // Pointers into slabs, which live as long as the pool: a block is never freed, only its pages
    // are.
    Entry entry_;
    size_t stack_size_;
    size_t created_ = 0;
    std::vector<Fiber*> free_;  // of the present stack size, the warmest last
    size_t trim_cursor_ = 0;
    size_t least_free_ = 0;  // since the last trim(): the contexts below it lay unused
    std::vector<Slabs> slabs_;
    std::vector<Fiber*> engine_made_;
};

// From the control block to the VM page after it.
inline constexpr size_t kBlockBytes = (sizeof(Fiber) + 63) / 64 * 64;

// Not the builtin: GCC 12 takes a function of nothing but prefetches for one without effect and
// drops the calls.
zend_always_inline void fetch_line(uintptr_t address) {
#if defined(__x86_64__)
    asm volatile("prefetcht0 %0" : : "m"(*reinterpret_cast<const char*>(address)));
#elif defined(__aarch64__)
    asm volatile("prfm pldl1keep, %0" : : "Q"(*reinterpret_cast<const char*>(address)));
#else
    static_cast<void>(address);
#endif
}

zend_always_inline void ContextPool::prefetch(const Fiber* fiber) {
    constexpr uintptr_t kStackLines = 17;  // from the engine's switch up to the entry function
    constexpr uintptr_t kBlockLines = 4;
    constexpr uintptr_t kVmLines = 3;
    auto block = reinterpret_cast<uintptr_t>(fiber);  // may be null
    uintptr_t lowest = block - kStackLines * 64;
    for (uintptr_t line = 0; line < kStackLines + kBlockLines; line++) {
        fetch_line(lowest + line * 64);
    }
    for (uintptr_t line = 0; line < kVmLines; line++) {
        fetch_line(block + kBlockBytes + line * 64);
    }
}

}  // namespace stampede::runtime
