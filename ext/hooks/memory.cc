// Room behind the large blocks of PHP's memory. A string, an array or an output buffer that grows
// is made longer in place where the addresses behind its block are free, and copied as a whole
// where they are not: some 30 ms for 50 MB in which no other coroutine runs, again and again while
// it grows. The kernel hands addresses out downwards without a gap, so that they never are free. So
// the engine's own allocator gets its large blocks far from each other, in a part of the address
// space where nothing else is put, and asks for huge pages there. Nothing is reserved: a place that
// is taken is no error, the kernel then chooses another as it does without us.
#include <sys/mman.h>

#include <cstdint>

#include "hooks/hooks.h"

namespace stampede::hooks {

namespace {

constexpr size_t kChunk = size_t{2} * 1024 * 1024;  // of the engine's allocator: not one that grows
// 4 GiB apart. Below the addresses that processors of both kinds give to a process (47 bits), and
// above those that the address sanitizer uses for itself.
constexpr uintptr_t kFirst = uintptr_t{0x200000000000};
constexpr uintptr_t kEnd = uintptr_t{0x400000000000};
constexpr uintptr_t kApart = uintptr_t{4} * 1024 * 1024 * 1024;

uintptr_t next_place = kFirst;

void* place_with_room() {
    next_place = next_place + kApart < kEnd ? next_place + kApart : kFirst;
    return reinterpret_cast<void*>(next_place);
}

bool is_large_block(void* place, size_t size, int protection, int flags, int fd) {
    return place == nullptr && size > kChunk && protection == (PROT_READ | PROT_WRITE) &&
           flags == (MAP_PRIVATE | MAP_ANONYMOUS) && fd == -1;
}

void* hooked_mmap(void* place, size_t size, int protection, int flags, int fd, off_t offset) {
    if (is_large_block(place, size, protection, flags, fd) && on_php_thread()) {
        void* block = ::mmap(place_with_room(), size, protection, flags, fd, offset);
        if (block != MAP_FAILED) {
            // Most of what a large value costs is the faults of its pages: huge ones are one for
            // 512.
            ::madvise(block, size, MADV_HUGEPAGE);
        }
        return block;
    }
    return ::mmap(place, size, protection, flags, fd, offset);
}

}  // namespace

const Redirect kMemoryRedirects[] = {
    redirect<hooked_mmap>("mmap", Group::kMemory),
    redirect<hooked_mmap>("mmap64", Group::kMemory),
};
const size_t kMemoryRedirectCount = sizeof(kMemoryRedirects) / sizeof(kMemoryRedirects[0]);

}  // namespace stampede::hooks
