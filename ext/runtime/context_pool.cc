#include "runtime/context_pool.h"

#include "runtime/direct_switch.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__) || defined(__aarch64__)
#define STAMPEDE_KNOWN_SWITCH 1
#endif

namespace stampede::runtime {
namespace {

constexpr size_t kMinStackBytes = 128 * 1024;
constexpr size_t kMaxStackBytes = size_t{1} << 50;  // there is no room for it, but it can be added
// Of the page that the C stack begins in: what small functions need of the PHP stack.
constexpr size_t kVmBytesBesideStack = 1536;
// Only pages that were touched cost memory, but a page table is for 2 MiB of addresses: a stack
// that long has one to itself, 4 KiB of the kernel's. What is longer costs nothing more until tens
// of thousands of coroutines wait, whose entries of the next level no longer fit into the caches
// then.
constexpr size_t kDefaultStackBytes = 2 * 1024 * 1024;

// The functions of Boost.Context that the engine brings along in assembly. make() writes a first
// frame below stack_top and returns its address, the handle. jump() saves the registers that a
// function must keep, stores the stack pointer as the handle of the context that is left, and hands
// that handle over to the context it arrives in. A handle is good for one jump.
using MakeContext = void* (*)(void* stack_top, size_t size, void (*entry)(Arrival));

// Its address marks contexts as ours: `kind` of a user Fiber's context is zend_ce_fiber.
char fiber_kind;
zend_internal_function bottom_function;

MakeContext find_make_context() {
#ifdef STAMPEDE_KNOWN_SWITCH
    static const auto found = reinterpret_cast<MakeContext>(dlsym(RTLD_DEFAULT, "make_fcontext"));
    return found;
#else
    return nullptr;
#endif
}

// The first switch into a context arrives here: the engine expects to be told where the one that
// was left goes on. What the engine's own trampoline does besides, to destroy the context that was
// left when that is dead, cannot come up: only a user Fiber dies, and it leaves to the context that
// has resumed it, which is no new one.
void arrive(Arrival arrival) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    zend_fiber_transfer transfer = *arrival.transfer;
    transfer.context->handle = arrival.handle;
    zend_fiber_context* self = EG(current_fiber_context);
    self->function(&transfer);
    abort();  // the entry function never returns
}

// The frame at the bottom is the current one while the last variables of a coroutine's function are
// freed, and between its functions. Messages name the current function then, and PHP 8.2 reads the
// name without a look whether there is one. It is what a message at the same place of a script
// without coroutines says: that of the outermost code. Lives as long as the process.
void name_bottom_function() {
    if (bottom_function.function_name == nullptr) {
        bottom_function.type = ZEND_INTERNAL_FUNCTION;
        bottom_function.function_name = zend_string_init(ZEND_STRL("main"), true);
        GC_MAKE_PERSISTENT_LOCAL(bottom_function.function_name);
    }
}

// What zend_fiber_init_context() tells observers (debuggers, profilers); since such a context is
// never destroyed, they see one long fiber that is suspended between two tasks.
void notify_observers_of_start(zend_fiber_context* context) {
    using Notify = void(ZEND_FASTCALL*)(zend_fiber_context*);
    static const auto notify =
        reinterpret_cast<Notify>(dlsym(RTLD_DEFAULT, "zend_observer_fiber_init_notify"));
    if (notify != nullptr) {
        notify(context);
    }
}

}  // namespace

ContextPool::ContextPool(Entry entry) : entry_(entry), stack_size_(kDefaultStackBytes) {
    name_bottom_function();
}

ContextPool::~ContextPool() = default;

// Blocks of another size stay where they are: those in use go back to the list of their size, by
// `stack_size` of the block.
void ContextPool::set_stack_size(size_t bytes) {
    size_t page = os::page_size();
    bytes = std::min(bytes, kMaxStackBytes);
    bytes = (bytes + page - 1) / page * page;
    bytes = bytes < kMinStackBytes ? kMinStackBytes : bytes;
    if (bytes == stack_size_) {
        return;
    }
    if (!slabs_.empty()) {
        current().free.swap(free_);
    }
    stack_size_ = bytes;
    if (Slabs* slabs = find(bytes)) {
        free_.swap(slabs->free);
    }
}

ContextPool::Slabs* ContextPool::find(size_t stack_size) {
    for (Slabs& slabs : slabs_) {
        if (slabs.stack_size == stack_size) {
            return &slabs;
        }
    }
    return nullptr;
}

ContextPool::Slabs& ContextPool::current() {
    if (Slabs* slabs = find(stack_size_)) {
        return *slabs;
    }
    slabs_.push_back(
        {stack_size_, std::make_unique<os::StackSlabs>(stack_size_ + kVmPageBytes), {}});
    return slabs_.back();
}

Fiber* ContextPool::take() {
    if (UNEXPECTED(free_.empty())) {
        return make();
    }
    Fiber* fiber = free_.back();
    free_.pop_back();
    least_free_ = std::min(least_free_, free_.size());
    fiber->trimmed = false;
    return fiber;
}

// Called on the stack of that very block, see Runtime::release(). Last in, first out: the block
// whose pages and cache lines were used last is used next.
void ContextPool::give(Fiber& fiber) {
    if (EXPECTED(fiber.stack_size == stack_size_)) {
        free_.push_back(&fiber);
    } else if (Slabs* slabs = find(fiber.stack_size)) {
        slabs->free.push_back(&fiber);
    }
}

// Each once until it is used again. The warmest are taken first, so the contexts below the least
// that was ever free meanwhile are those that the present load does not need: a load that comes in
// bursts keeps its pages.
void ContextPool::trim(size_t most) {
    size_t cold = std::min(least_free_, free_.size());
    least_free_ = free_.size();
    for (size_t i = 0; i < std::min(most, cold); i++) {
        Fiber& fiber = *free_[trim_cursor_++ % cold];
        if (fiber.trimmed || fiber.stack_base == nullptr) {
            continue;
        }
        fiber.trimmed = true;
        // A context in the pool is suspended in its switch: what lies below its saved stack pointer
        // is unused. Of the VM page only whole pages go: its head, and the frame at the bottom,
        // share the page with the control block and stay.
        auto* lowest_in_use = static_cast<char*>(fiber.context.handle);
        os::discard_pages(fiber.stack_base, lowest_in_use);
        auto* page = reinterpret_cast<char*>(fiber.vm_page);
        os::discard_pages(page, page + kVmPageBytes);
    }
}

Fiber* ContextPool::make() {
    Fiber* fiber = find_make_context() != nullptr ? make_in_slab() : make_by_engine();
    if (fiber != nullptr) {
        created_++;
    }
    return fiber;
}

// A slot of a slab, low addresses on the left, `+` where a page of memory begins:
//
//   +---------+----------------------+--------------------------+-----------------+
//   |  guard  |       C stack        | frames | Fiber | VM page | VM page, the    |
//   | 128 KiB |      grows down      |        |       | 1.5 KiB | rest, grows up  |
//   +---------+----------------------+--------------------------+-----------------+
//             ^ stack_base = slot             ^ top   ^ vm_page
//                                      one page of memory
//
// What a coroutine that waits has touched of the three lies in one page of memory: the outermost
// frames of its C stack, its control block, and the frames of a few PHP functions. An overflow of
// the C stack runs into the guard of its own slot, never into a neighbour (stack_overflow.h). The
// VM page needs none: the engine looks at `end` before each frame and takes a further page from its
// heap.
Fiber* ContextPool::make_in_slab() {
    Result<char*> slot = current().slabs->take();
    if (!slot) {
        return nullptr;
    }
    char* vm_page = *slot + stack_size_ - kVmBytesBesideStack;
    char* top = vm_page - kBlockBytes;
    auto* fiber = new (top) Fiber();
    fiber->stack_base = *slot;
    fiber->stack_size = stack_size_;
    fiber->context.handle = find_make_context()(top, static_cast<size_t>(top - *slot), arrive);
    fiber->context.kind = &fiber_kind;
    fiber->context.function = entry_;
    fiber->context.status = ZEND_FIBER_STATUS_INIT;
    notify_observers_of_start(&fiber->context);
    prepare(*fiber, vm_page);
    return fiber;
}

// The stack is the engine's own then, with a guard of its making, and the control block lies apart
// from it: stack_base stays null, so that nothing here trims it or takes its guard for one of ours.
Fiber* ContextPool::make_by_engine() {
    auto* memory = static_cast<char*>(std::calloc(1, sizeof(Fiber) + kVmPageBytes));
    if (memory == nullptr) {
        return nullptr;
    }
    auto* fiber = new (memory) Fiber();
    fiber->stack_size = stack_size_;
    zend_fiber_init_context(&fiber->context, &fiber_kind, entry_, stack_size_);
    if (fiber->context.stack == nullptr) {
        zend_clear_exception();
        std::free(memory);
        return nullptr;
    }
    engine_made_.push_back(fiber);
    prepare(*fiber, memory + sizeof(Fiber));
    return fiber;
}

void ContextPool::prepare(Fiber& fiber, char* vm_page) {
    fiber.top = &fiber.context;
    fiber.ready.fiber = fiber.deadline.fiber = fiber.wait.fiber = &fiber;
    fiber.vm_page = reinterpret_cast<zend_vm_stack>(vm_page);
    fiber.vm_page->prev = nullptr;
    fiber.vm_page->end = reinterpret_cast<zval*>(vm_page + kVmPageBytes);
    // Not a frame of user code: nothing may store an instruction or variables in it. Traces leave
    // it out, since nothing is below it.
    auto* bottom = reinterpret_cast<zend_execute_data*>(ZEND_VM_STACK_ELEMENTS(fiber.vm_page));
    memset(bottom, 0, sizeof(*bottom));
    bottom->func = reinterpret_cast<zend_function*>(&bottom_function);
    fiber.vm_page->top = reinterpret_cast<zval*>(bottom) + ZEND_CALL_FRAME_SLOT;
}

const Fiber* ContextPool::owner_of(const zend_fiber_context* context) {
    return context->kind == &fiber_kind ? block_around(context) : nullptr;
}

bool ContextPool::in_guard(const Fiber& fiber, const void* address) {
    auto* at = static_cast<const char*>(address);
    return fiber.stack_base != nullptr && at < fiber.stack_base &&
           at >= fiber.stack_base - os::kStackGuardBytes;
}

void ContextPool::destroy_engine_contexts() {
    for (Fiber* fiber : engine_made_) {
        zend_fiber_destroy_context(&fiber->context);
        std::free(fiber);
    }
    engine_made_.clear();
}

// What describes a stack of the engine's making lies in the script's heap, so such a context ends
// with the script. Those in slabs serve the next one. No coroutine may be suspended in PHP code by
// now: its frames go with the heap.
void ContextPool::end_of_script() {
    destroy_engine_contexts();
    if (find_make_context() == nullptr) {
        free_.clear();
    }
}

}  // namespace stampede::runtime
