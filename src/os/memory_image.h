// The writable private memory of a process as it was at one moment, and the way back to it. keep()
// writes that memory into a file in memory and maps the file over it, privately: what is written
// from then on goes to pages of the process's own, which the kernel can tell from those of the
// file. Children forked after that share the file. put_back() copies the file's content over the
// pages that this process has written.
//
// Everything here runs on a stack, and with variables, that are not part of the image; nothing
// allocates. Memory that processes share, and memory that a forked child does not get (generators
// of random numbers ask for that), is left as it is. The thread that calls must be the only one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "os/mappings.h"

namespace stampede::os {

struct AddressRange {
    uintptr_t begin = 0;
    uintptr_t end = 0;
};

class MemoryImage {
public:
    // With this many written pages (16 MiB) they are dropped instead of copied: a request that
    // needed much memory once must not cost those after it.
    static constexpr size_t kMostWritten = 4096;
    static constexpr size_t kMostRegions = 2048;
    static constexpr size_t kMostMappings = 8192;
    static constexpr size_t kMostSpared = 8;
    static constexpr size_t kMostGuards = 512;
    static constexpr size_t kMostUnused = 4096;

    // `own` is where this object and the caller's stack are. `unused` holds nothing, in order of
    // the addresses: whatever is there after put_back() will do.
    Error keep(AddressRange own, std::span<const AddressRange> unused);
    // In a forked child, before anything is asked of it: opens the kernel's files about this
    // process, and then notes what is mapped; that, and no more, must be mapped later.
    Error open_child();
    Error begin_child();
    // These bytes stay as they are: what the kernel and the C library have noted of this process.
    void spare(AddressRange bytes);

    // Finds what was written, unmaps what was mapped, and maps again what was unmapped of the
    // image. False: something else is mapped no more, or differently. `faults` of pages that this
    // process has had.
    bool settle(uint64_t faults);
    // After settle().
    void put_back();

    // For a list of mappings, as long as nothing else is called.
    std::span<Mapping> room() { return now_; }
    // The content that the image has for an address; null when it is not part of it.
    const char* kept(uintptr_t address) const;

private:
    struct Region {
        uintptr_t begin;
        uintptr_t end;
        uint64_t offset;  // in the file
        int protection;
    };

    Error choose_regions(AddressRange own);
    Error write_region(const Region& region, bool is_anonymous);
    Error note_guard(uintptr_t page);
    Error map_region(const Region& region);
    void forget_growth_of_heap();
    uint64_t mapped_pages() const;
    bool compare_mappings(std::span<const Mapping> mappings) const;
    bool mend_regions(std::span<const Mapping> mappings);
    bool is_of_image(const Mapping& mapping) const;
    bool is_as_before(const Mapping& now, const Mapping& before) const;
    bool find_written();
    void drop_written();
    bool is_unused(uintptr_t page) const;

    int file_ = -1;
    uint64_t file_inode_ = 0;
    const char* content_ = nullptr;
    uint64_t size_ = 0;
    uintptr_t program_break_ = 0;

    int page_map_ = -1;
    int sizes_ = -1;  // /proc/self/statm
    uint64_t faults_ = 0;
    uint64_t mapped_pages_ = 0;
    bool drops_ = false;
    bool drops_inherited_ = false;  // what the parent has written since keep(): the child may never

    size_t region_count_ = 0;
    size_t written_count_ = 0;
    size_t spared_count_ = 0;
    size_t guard_count_ = 0;
    size_t before_count_ = 0;
    size_t unused_count_ = 0;
    std::array<Region, kMostRegions> regions_;
    std::array<AddressRange, kMostSpared> spared_;
    std::array<AddressRange, kMostGuards> guards_;
    std::array<AddressRange, kMostUnused> unused_;
    struct Written {
        uintptr_t page;
        uint64_t offset;
    };
    std::array<Written, kMostWritten> written_;
    std::array<Mapping, kMostMappings> before_;
    std::array<Mapping, kMostMappings> now_;
};

}  // namespace stampede::os
