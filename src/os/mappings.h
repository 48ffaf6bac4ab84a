// What lies where in the address space of this process, as the kernel tells it. Reads without
// allocating: asked where the heap must not change. Any thread, never waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"

namespace stampede::os {

struct Mapping {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    uint64_t offset = 0;  // in the file
    uint64_t inode = 0;   // 0: no file
    int protection = 0;   // PROT_*
    bool is_shared = false;
    bool is_stack = false;     // of the main thread: the kernel lets it grow
    bool is_kernels = false;   // vdso and the like
    bool is_kept_out = false;  // forked processes do not have it, or not its content
    bool is_huge = false;      // of huge pages that somebody asked for
};

enum class MappingDetail : uint8_t {
    kPlaces,
    kFlags,  // is_kept_out and is_huge, too; costs more
};

// In the order of addresses; an error also when there are more than `out` has room for.
Result<size_t> read_mappings(std::span<Mapping> out, MappingDetail detail);

}  // namespace stampede::os
