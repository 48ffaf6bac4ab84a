// The C library's heap as the kernel sees it: memory that was freed is kept for the next request
// instead of being given back and taken again, and goes back when heap users ask for it.
// Process-wide; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stampede::os {

// glibc gives memory at the end of its heap back as soon as 128 KiB of it are free, and maps larger
// blocks one by one: a request with a body of 100 KiB costs a brk and 13 page faults that way, five
// times what the rest of it costs. After this call freed memory stays with the process until
// give_back_free_memory().
void keep_freed_memory();

struct HeapUse {
    size_t used = 0;
    size_t free = 0;  // kept by the heap; page by page it may be the kernel's already
};
HeapUse heap_use();

// Returns the pages of free blocks to the kernel. Takes up to some milliseconds for a large heap.
void give_back_free_memory();

// Page faults of this process so far that did not need the disk.
uint64_t page_faults();

}  // namespace stampede::os
