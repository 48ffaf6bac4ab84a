#include "os/stack_slabs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace stampede::os {
namespace {

// Linux 6.13: guard pages without a mapping of their own, so that the limit on mappings is not met.
constexpr int kMadvGuardInstall = 102;
constexpr int kMadvGuardRemove = 103;
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

Result<char*> StackSlabs::take() {
    if (cursor_ == end_) {
        if (Error error = map_slab()) {
            return error;
        }
    }
    if (Error error = close_guard(cursor_, kStackGuardBytes)) {
        return error;
    }
    char* slot = cursor_ + kStackGuardBytes;
    cursor_ += slot_;
    return slot;
}

Error close_guard(char* begin, size_t bytes) {
    if (madvise(begin, bytes, kMadvGuardInstall) == 0) {
        return Error();
    }
    if (mprotect(begin, bytes, PROT_NONE) != 0) {
        return Error::last_errno();
    }
    madvise(begin, bytes, MADV_DONTNEED);
    return Error();
}

// Which of the two has closed it is not known here: removing what is not there changes nothing.
Error open_guard(char* begin, size_t bytes) {
    madvise(begin, bytes, kMadvGuardRemove);
    bool open = mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0;
    return open ? Error() : Error::last_errno();
}

Error forbid_writes(char* begin, size_t bytes) {
    return mprotect(begin, bytes, PROT_READ) == 0 ? Error() : Error::last_errno();
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
