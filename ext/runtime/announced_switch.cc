// Builds with AddressSanitizer only: it has to be told of every change of stacks, which the engine
// does only when it was built with it itself.
#include "runtime/runtime.h"

#ifdef __SANITIZE_ADDRESS__

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

namespace stampede::runtime {
namespace {

struct StackBounds {
    void* bottom;
    size_t size;
};

// What the engine keeps of a stack (zend_fiber_stack, which no header describes) begins with these.
struct EngineStack {
    void* pointer;
    size_t size;
};

// Of the thread that first switches, which is the PHP thread; asked once, for it reads /proc.
StackBounds main_bounds() {
    StackBounds bounds = {};
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bounds.bottom, &bounds.size);
    pthread_attr_destroy(&attributes);
    return bounds;
}

StackBounds bounds_of(zend_fiber_context* context) {
    if (const Fiber* fiber = ContextPool::owner_of(context);
        fiber != nullptr && fiber->stack_base != nullptr) {
        return {fiber->stack_base, fiber->stack_size};
    }
    if (context->stack != nullptr) {
        auto* stack = reinterpret_cast<EngineStack*>(context->stack);
        return {stack->pointer, stack->size};
    }
    static const StackBounds main = main_bounds();
    return main;
}

}  // namespace

// AddressSanitizer keeps locals of functions in a "fake stack" of each real one, to find uses after
// a return. start tells it which stack comes next and puts this one's fake stack aside; finish, on
// arrival, takes it out again. A context that begins has none yet: arrive() calls finish with null.
void Runtime::announced_switch(zend_fiber_transfer& transfer) {
    StackBounds target = bounds_of(transfer.context);
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, target.bottom, target.size);
    zend_fiber_switch_context(&transfer);
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

}  // namespace stampede::runtime

#endif
