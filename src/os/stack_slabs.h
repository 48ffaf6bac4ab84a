// Address space for many C stacks, mapped a slab at a time so that a hundred thousand of them need
// few mappings. Each slot has an inaccessible guard below its usable bytes. Owned by one runtime,
// its thread only, never parks.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"

namespace stampede::os {

inline constexpr size_t kStackGuardBytes = 128 * 1024;

size_t page_size();

class StackSlabs {
public:
    // usable_bytes is rounded up to whole pages.
    explicit StackSlabs(size_t usable_bytes);
    StackSlabs(const StackSlabs&) = delete;
    StackSlabs& operator=(const StackSlabs&) = delete;
    ~StackSlabs();

    size_t usable_bytes() const { return usable_; }
    // The lowest usable byte of a slot that was never handed out; slots live until the slabs do.
    Result<char*> take();

private:
    struct Slab {
        char* begin;
        size_t bytes;
    };

    Error map_slab();

    size_t usable_;
    size_t slot_;
    size_t next_count_ = 8;
    char* cursor_ = nullptr;
    char* end_ = nullptr;
    std::vector<Slab> slabs_;
};

// Whole pages. A guard that is opened reads as zero and can be written; one that is closed loses
// what was in it. Both are safe in a signal handler.
Error close_guard(char* begin, size_t bytes);
Error open_guard(char* begin, size_t bytes);
// What is in the pages stays, and the first write to them is a fault.
Error forbid_writes(char* begin, size_t bytes);

// Gives the physical memory of whole pages in [begin, end) back; they read as zero afterwards.
void discard_pages(char* begin, char* end);

}  // namespace stampede::os
