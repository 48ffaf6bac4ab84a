#include "runtime/stuck_call.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>

#include "os/stuck_thread.h"
#include "runtime/runtime.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::runtime {
namespace {

// How long past its time a coroutine may still come to an interrupt by itself.
constexpr Nanos kGrace = 100 * kMillisecond;
// Looks that have found it there, past the same time, so that a process that was stopped or starved
// for a while is not taken for one that is stuck.
constexpr int kLooks = 6;

pthread_t watched;
std::atomic<bool> has_watched{false};
int64_t seen_cid = 0;
Nanos seen_until = 0;
int looks = 0;
bool was_stuck = false;

void leave_call() {
    was_stuck = true;
    zend::withdraw_interrupt();
    zend::leave_by_fatal_error(
        "The request was not finished within its time limit, and is in a call that cannot be "
        "interrupted: its worker is replaced");
}

void (*judge())() {
    Runtime* runtime = Runtime::peek();
    Fiber* self = runtime != nullptr ? runtime->current() : nullptr;
    if (self == nullptr || self->compute_until == 0 ||
        monotonic_now() < self->compute_until + kGrace) {
        return nullptr;
    }
    bool is_same = self->cid == seen_cid && self->compute_until == seen_until;
    looks = is_same ? looks + 1 : 1;
    seen_cid = self->cid;
    seen_until = self->compute_until;
    if (looks < kLooks) {
        return nullptr;
    }
    looks = 0;
    self->compute_until = 0;
    return leave_call;
}

// From the first to the last function that the engine's allocator shows. Where the linker has put
// something else between them, that cannot be left either.
os::AddressRange allocator_of_engine() {
    constexpr size_t kMost = 256 * 1024;
    const char* lowest = nullptr;
    const char* highest = nullptr;
    for (const char* name :
         {"_emalloc", "_efree", "_erealloc", "_ecalloc", "_estrdup", "_emalloc_8", "_emalloc_huge",
          "_efree_huge", "_zend_mm_alloc", "_zend_mm_free", "zend_mm_gc", "zend_mm_shutdown",
          "start_memory_manager"}) {
        auto* at = static_cast<const char*>(dlsym(RTLD_DEFAULT, name));
        if (at != nullptr) {
            lowest = lowest == nullptr ? at : std::min(lowest, at);
            highest = std::max(highest, at);
        }
    }
    constexpr size_t kOneFunction = 4096;
    if (lowest == nullptr || static_cast<size_t>(highest - lowest) > kMost) {
        return {};
    }
    return {lowest - kOneFunction, highest + kOneFunction};
}

}  // namespace

void watch_stuck_calls() {
    static const bool installed = [] {
        os::install_stuck_thread_handler(judge, allocator_of_engine());
        return true;
    }();
    static_cast<void>(installed);
    watched = pthread_self();
    has_watched.store(true, std::memory_order_release);
}

void look_for_stuck_call() {
    Runtime* runtime = Runtime::peek();
    if (has_watched.load(std::memory_order_acquire) && runtime != nullptr &&
        runtime->current_from_afar() != nullptr) {
        os::look_at_thread(watched);
    }
}

bool take_stuck_end() {
    bool was = was_stuck;
    was_stuck = false;
    return was;
}

}  // namespace stampede::runtime
