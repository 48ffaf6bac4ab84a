#include "os/stack_slabs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace stampede::os {
namespace {

// Linux 6.13: guard pages without a mapping of their own, so that the limit on mappings is not met.
constexpr int kMadvGuardInstall = 102;
constexpr size_t kMaxSlotsPerSlab = 256;

size_t round_up(size_t bytes) {
    size_t page = page_size();
    return (bytes + page - 1) / page * page;
}

}  // namespace

size_t page_size() {
    static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

StackSlabs::StackSlabs(size_t usable_bytes)
    : usable_(round_up(usable_bytes)), slot_(usable_ + kStackGuardBytes) {}

StackSlabs::~StackSlabs() {
    for (const Slab& slab : slabs_) {
        munmap(slab.begin, slab.bytes);
    }
}

Error StackSlabs::map_slab() {
    for (size_t count = next_count_; count > 0; count /= 2) {
        size_t bytes = count * slot_;
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (memory != MAP_FAILED) {
            madvise(memory, bytes, MADV_NOHUGEPAGE);
            cursor_ = static_cast<char*>(memory);
            end_ = cursor_ + bytes;
            slabs_.push_back({cursor_, bytes});
            next_count_ = count < kMaxSlotsPerSlab ? count * 2 : count;
            return Error();
        }
    }
    return Error::last_errno();
}

Error StackSlabs::protect_guard(char* guard) {
    if (madvise(guard, kStackGuardBytes, kMadvGuardInstall) == 0) {
        return Error();
    }
    return mprotect(guard, kStackGuardBytes, PROT_NONE) == 0 ? Error() : Error::last_errno();
}

Result<char*> StackSlabs::take() {
    if (cursor_ == end_) {
        if (Error error = map_slab()) {
            return error;
        }
    }
    if (Error error = protect_guard(cursor_)) {
        return error;
    }
    char* slot = cursor_ + kStackGuardBytes;
    cursor_ += slot_;
    return slot;
}

void discard_pages(char* begin, char* end) {
    uintptr_t page = page_size();
    uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) / page * page;
    uintptr_t last = reinterpret_cast<uintptr_t>(end) / page * page;
    if (first < last) {
        madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
    }
}

}  // namespace stampede::os
