#include "os/checkpoint.h"

#include "os/process.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "os/mappings.h"
#include "os/registers.h"
#include "os/stack_slabs.h"

// Where the C library has the kernel note things about a thread, relative to the thread pointer.
extern "C" {
extern const ptrdiff_t rseq_offset __asm__("__rseq_offset") __attribute__((weak));
extern const unsigned rseq_size __asm__("__rseq_size") __attribute__((weak));
}

namespace stampede::os {

namespace {

constexpr size_t kThreadBlock = 2304;  // the C library's own part of a thread, at most

uintptr_t thread_pointer() { return reinterpret_cast<uintptr_t>(__builtin_thread_pointer()); }

// What a request allocates from the C library must find room without a system call: a mapping of
// its own for a large block, and a heap that grows, have to be removed after each request, by a
// look at all mappings.
void make_room_in_heap() {
    constexpr size_t kRoom = 2 * 1024 * 1024;
    constexpr size_t kLargeBlock = 1024 * 1024;
    ::mallopt(M_TRIM_THRESHOLD, 2 * kRoom);
    ::mallopt(M_MMAP_THRESHOLD, 2 * kRoom);
    // The compiler must not take the pair for one without effect.
    void* volatile room = ::malloc(kRoom);
    ::free(room);
    ::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
}

AddressRange main_stack(std::span<Mapping> room) {
    Result<size_t> count = read_mappings(room, MappingDetail::kPlaces);
    for (size_t i = 0; count && i < *count; i++) {
        if (room[i].is_stack) {
            return {room[i].begin, room[i].end};
        }
    }
    return {};
}

}  // namespace

const char* Checkpoint::obstacle() {
#if defined(__SANITIZE_ADDRESS__)
    return "the address sanitizer keeps notes about memory that cannot be put back";
#elif !defined(__x86_64__)
    return "it is written for processors of the x86-64 kind";
#else
    return nullptr;
#endif
}

Checkpoint* Checkpoint::create() {
    make_room_in_heap();
    // Inaccessible pages on both sides, so that the kernel does not join it with its neighbours.
    size_t page = page_size();
    size_t size = (sizeof(Checkpoint) + page - 1) / page * page;
    void* range = ::mmap(nullptr, size + 2 * page, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        return nullptr;
    }
    char* own = static_cast<char*>(range) + page;
    if (::mprotect(own, size, PROT_READ | PROT_WRITE) != 0) {
        ::munmap(range, size + 2 * page);
        return nullptr;
    }
    auto* checkpoint = new (own) Checkpoint;
    checkpoint->own_ = {reinterpret_cast<uintptr_t>(own), reinterpret_cast<uintptr_t>(own) + size};
    return checkpoint;
}

void Checkpoint::enter(unsigned high, unsigned low) {
    uintptr_t address = (static_cast<uintptr_t>(high) << 32) | low;
    reinterpret_cast<Checkpoint*>(address)->work();
}

// Everything that touches the image happens here, on a stack that does not belong to it.
void Checkpoint::work() {
    for (;;) {
        if (command_ == Command::kKeep) {
            error_ = keep_stack();
            if (!error_) {
                error_ = image_.keep(own_, unused_);
            }
            swapcontext(&work_, &kept_);
        } else {
            obstacle_ = restore();
            swapcontext(&work_, obstacle_ == nullptr ? &kept_ : &caller_);
        }
    }
}

Error Checkpoint::keep_stack() {
    static constexpr size_t kBelow = 4096;  // of what keep() has on the stack
    AddressRange whole = main_stack(image_.room());
    auto pointer = reinterpret_cast<uintptr_t>(Registers(&kept_).stack());
    if (pointer < whole.begin + kBelow || pointer >= whole.end) {
        return Error::system(ENOTSUP);  // called from a coroutine
    }
    stack_ = {pointer - kBelow, whole.end};
    if (stack_.end - stack_.begin > stack_content_.size()) {
        return Error::system(E2BIG);
    }
    memcpy(stack_content_.data(), reinterpret_cast<const void*>(stack_.begin),
           stack_.end - stack_.begin);
    return Error();
}

// The compiler must not keep anything of its caller in a way that a second return would break.
__attribute__((noinline)) Result<Arrival> Checkpoint::keep(std::span<const AddressRange> unused) {
    if (obstacle() != nullptr) {
        return Error::system(ENOTSUP);
    }
    auto self = reinterpret_cast<uintptr_t>(this);
    getcontext(&work_);
    work_.uc_stack.ss_sp = work_stack_.data();
    work_.uc_stack.ss_size = work_stack_.size();
    work_.uc_link = nullptr;
    makecontext(&work_, reinterpret_cast<void (*)()>(&Checkpoint::enter), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
    parent_ = static_cast<int32_t>(own_pid());
    unused_ = unused;
    command_ = Command::kKeep;
    swapcontext(&kept_, &work_);
    if (command_ == Command::kGoBack) {
        forget_own_pid();  // the memory that came back has the parent's
        return Arrival::kReturned;
    }
    if (error_) {
        return error_;
    }
    is_kept_ = true;
    return Arrival::kKept;
}

// fork() has written the number of the new process where the C library keeps it, and the kernel
// writes the processor's number into an area of the thread: both would be those of the parent.
void Checkpoint::spare_identity_of_thread() {
    // The part is at the thread pointer on x86, and below it elsewhere.
#if defined(__x86_64__)
    uintptr_t block = thread_pointer();
#else
    uintptr_t block = thread_pointer() - kThreadBlock;
#endif
    for (uintptr_t at = block; at < block + kThreadBlock; at += sizeof(int32_t)) {
        const char* before = image_.kept(at);
        int32_t then = 0;
        int32_t now = 0;
        if (before == nullptr) {
            continue;
        }
        memcpy(&then, before, sizeof(then));
        memcpy(&now, reinterpret_cast<const void*>(at), sizeof(now));
        if (then == parent_ && now == static_cast<int32_t>(getpid())) {
            image_.spare({at, at + sizeof(int32_t)});
        }
    }
    if (&rseq_size != nullptr && rseq_size > 0) {
        uintptr_t area = thread_pointer() + static_cast<uintptr_t>(rseq_offset);
        image_.spare({area, area + 32});
    }
}

Error Checkpoint::begin_child(const Note& note) {
    if (!is_kept_) {
        return Error::system(EINVAL);
    }
    note_ = note;
    spare_identity_of_thread();
    if (Error error = image_.open_child()) {
        return error;
    }
    if (Error error = baseline_.note()) {
        return error;
    }
    return image_.begin_child();
}

const char* Checkpoint::restore() {
    if (const char* phrase = baseline_.put_back(looked_at_)) {
        return phrase;
    }
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    if (!image_.settle(static_cast<uint64_t>(usage.ru_minflt + usage.ru_majflt))) {
        return "it has changed mappings of memory that were there before";
    }
    image_.put_back();
    memcpy(reinterpret_cast<void*>(stack_.begin), stack_content_.data(), stack_.end - stack_.begin);
    return nullptr;
}

const char* Checkpoint::go_back(LookAt looked_at) {
    looked_at_ = looked_at;
    command_ = Command::kGoBack;
    swapcontext(&caller_, &work_);
    return obstacle_;
}

}  // namespace stampede::os
