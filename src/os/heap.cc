#include "os/heap.h"

#include <malloc.h>
#include <sys/resource.h>

namespace stampede::os {

namespace {

constexpr int kLargestBlock = 32 << 20;  // the most that glibc takes for M_MMAP_THRESHOLD
constexpr int kNever = 0x7fffffff;
constexpr int kStep = 1 << 20;  // what the heap grows by at least

}  // namespace

// Another C library has its own ways; there these calls do nothing.
#ifdef __GLIBC__

void keep_freed_memory() {
    mallopt(M_MMAP_THRESHOLD, kLargestBlock);
    mallopt(M_TRIM_THRESHOLD, kNever);
    mallopt(M_TOP_PAD, kStep);
}

#if __GLIBC_PREREQ(2, 33)

HeapUse heap_use() {
    struct mallinfo2 info = mallinfo2();
    return {info.uordblks + info.hblkhd, info.fordblks};
}

#else

// Its numbers are of 32 bits: above 4 GiB they are too small.
HeapUse heap_use() {
    struct mallinfo info = mallinfo();
    return {static_cast<size_t>(static_cast<unsigned>(info.uordblks)) +
                static_cast<unsigned>(info.hblkhd),
            static_cast<unsigned>(info.fordblks)};
}

#endif

void give_back_free_memory() { malloc_trim(0); }

#else

void keep_freed_memory() {}

HeapUse heap_use() { return {}; }

void give_back_free_memory() {}

#endif

uint64_t page_faults() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_minflt);
}

}  // namespace stampede::os
