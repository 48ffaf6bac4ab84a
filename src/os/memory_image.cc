#include "os/memory_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "os/fd.h"
#include "os/stack_slabs.h"

namespace stampede::os {

namespace {

constexpr size_t kEntries = 512;  // of a page map that are read at once
constexpr uint64_t kPresent = uint64_t{1} << 63;
constexpr uint64_t kSwapped = uint64_t{1} << 62;
constexpr uint64_t kOfFile = uint64_t{1} << 61;
constexpr uint64_t kGuard = uint64_t{1} << 58;
#ifdef MADV_GUARD_INSTALL
constexpr int kInstallGuard = MADV_GUARD_INSTALL;
#else
constexpr int kInstallGuard = 102;
#endif

// Calls `seen` with the address and the entry of every page of [begin, end).
template <typename Seen>
Error read_page_map(int page_map, AddressRange range, Seen seen) {
    size_t page = page_size();
    uint64_t entries[kEntries];
    while (range.begin < range.end) {
        size_t wanted = std::min(kEntries, (range.end - range.begin) / page);
        ssize_t read = pread(page_map, entries, wanted * sizeof(uint64_t),
                             static_cast<off_t>(range.begin / page * sizeof(uint64_t)));
        if (read != static_cast<ssize_t>(wanted * sizeof(uint64_t))) {
            return read < 0 ? Error::last_errno() : Error::system(EIO);
        }
        for (size_t i = 0; i < wanted; i++, range.begin += page) {
            if (Error error = seen(range.begin, entries[i])) {
                return error;
            }
        }
    }
    return Error();
}

// A written page differs in few of its lines, mostly in numbers of references: to compare all of
// them and to write those is less work for the processor's caches than to write the whole page.
void copy_changes(char* to, const char* from, size_t size) {
    using Lane = uint64_t __attribute__((vector_size(16), may_alias));
    constexpr size_t kLine = 64;
    for (size_t at = 0; at < size; at += kLine) {
        auto* now = reinterpret_cast<Lane*>(to + at);
        const auto* before = reinterpret_cast<const Lane*>(from + at);
        Lane difference = (now[0] ^ before[0]) | (now[1] ^ before[1]) | (now[2] ^ before[2]) |
                          (now[3] ^ before[3]);
        if ((difference[0] | difference[1]) != 0) {
            std::copy_n(before, kLine / sizeof(Lane), now);
        }
    }
}

// Not brk() of the C library, which keeps a copy of the result in memory that is put back.
uintptr_t program_break(uintptr_t wanted) {
    return static_cast<uintptr_t>(syscall(SYS_brk, wanted));
}

}  // namespace

Error MemoryImage::choose_regions(AddressRange own) {
    Result<size_t> count = read_mappings(now_, MappingDetail::kFlags);
    if (!count) {
        return count.error();
    }
    region_count_ = 0;
    size_ = 0;
    for (size_t i = 0; i < *count; i++) {
        const Mapping& mapping = now_[i];
        if (mapping.is_shared || (mapping.protection & PROT_WRITE) == 0 || mapping.is_stack ||
            mapping.is_kernels || mapping.is_kept_out || mapping.begin == own.begin) {
            continue;
        }
        if (mapping.is_huge || region_count_ == regions_.size()) {
            return Error::system(ENOTSUP);
        }
        regions_[region_count_++] = {mapping.begin, mapping.end, size_, mapping.protection};
        size_ += mapping.end - mapping.begin;
    }
    return Error();
}

// Pages of no file that were never touched, and those without a content, are left out: they read as
// zero from the file.
Error MemoryImage::write_region(const Region& region, bool is_anonymous) {
    size_t page = page_size();
    return read_page_map(
        page_map_, {region.begin, region.end}, [&](uintptr_t address, uint64_t entry) {
            if ((entry & kGuard) != 0) {
                return note_guard(address);
            }
            if ((is_anonymous && (entry & (kPresent | kSwapped)) == 0) || is_unused(address)) {
                return Error();
            }
            auto at = static_cast<off_t>(region.offset + (address - region.begin));
            ssize_t written = pwrite(file_, reinterpret_cast<const void*>(address), page, at);
            return written == static_cast<ssize_t>(page) ? Error()
                   : written < 0                         ? Error::last_errno()
                                                         : Error::system(ENOSPC);
        });
}

// Pages of a stack that must not be touched; they are not mappings of their own.
Error MemoryImage::note_guard(uintptr_t page) {
    if (guard_count_ > 0 && guards_[guard_count_ - 1].end == page) {
        guards_[guard_count_ - 1].end += page_size();
        return Error();
    }
    if (guard_count_ == guards_.size()) {
        return Error::system(E2BIG);
    }
    guards_[guard_count_++] = {page, page + page_size()};
    return Error();
}

Error MemoryImage::map_region(const Region& region) {
    void* mapped =
        ::mmap(reinterpret_cast<void*>(region.begin), region.end - region.begin, region.protection,
               MAP_PRIVATE | MAP_FIXED, file_, static_cast<off_t>(region.offset));
    if (mapped == MAP_FAILED) {
        return Error::last_errno();
    }
    for (size_t i = 0; i < guard_count_; i++) {
        const AddressRange& guard = guards_[i];
        if (guard.begin >= region.begin && guard.end <= region.end &&
            ::madvise(reinterpret_cast<void*>(guard.begin), guard.end - guard.begin,
                      kInstallGuard) != 0) {
            return Error::last_errno();
        }
    }
    return Error();
}

Error MemoryImage::keep(AddressRange own, std::span<const AddressRange> unused) {
    unused_count_ = std::min(unused.size(), unused_.size());
    std::copy_n(unused.begin(), unused_count_, unused_.begin());
    if (Error error = choose_regions(own)) {
        return error;
    }
    file_ = memfd_create("stampede-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    page_map_ = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file_ < 0 || page_map_ < 0 || ftruncate(file_, static_cast<off_t>(size_)) != 0) {
        return Error::last_errno();
    }
    void* content = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_, 0);
    if (content == MAP_FAILED) {
        return Error::last_errno();
    }
    content_ = static_cast<const char*>(content);
    struct stat status = {};
    fstat(file_, &status);
    file_inode_ = status.st_ino;
    for (size_t i = 0, mapping = 0; i < region_count_; i++) {
        while (now_[mapping].begin != regions_[i].begin) {
            mapping++;
        }
        if (Error error = write_region(regions_[i], now_[mapping].inode == 0)) {
            return error;
        }
    }
    // Not by the application either; where the kernel does not know this, nothing is lost.
    ::fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE);
    program_break_ = program_break(0);
    // From the first mmap() on no variable outside of this object and of the stack may be written
    // with anything that must last: the bytes in the file are older.
    for (size_t i = 0; i < region_count_; i++) {
        if (Error error = map_region(regions_[i])) {
            return error;
        }
    }
    return Error();
}

Error MemoryImage::open_child() {
    close_fd(page_map_);
    page_map_ = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    sizes_ = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    return page_map_ < 0 || sizes_ < 0 ? Error::last_errno() : Error();
}

Error MemoryImage::begin_child() {
    Result<size_t> count = read_mappings(before_, MappingDetail::kPlaces);
    before_count_ = count ? *count : 0;
    forget_growth_of_heap();
    faults_ = 0;  // so that the first settle() looks
    drops_inherited_ = true;
    return count.error();
}

// What the parent's heap has grown by since keep(), and its child still has until settle().
void MemoryImage::forget_growth_of_heap() {
    size_t page = page_size();
    uintptr_t limit = (program_break_ + page - 1) / page * page;
    uintptr_t now = program_break(0);
    size_t left = 0;
    for (size_t i = 0; i < before_count_; i++) {
        Mapping mapping = before_[i];
        if (mapping.begin < now && mapping.end > limit) {
            mapping.end = std::max(mapping.begin, limit);
        }
        if (mapping.begin < mapping.end) {
            before_[left++] = mapping;
        }
    }
    before_count_ = left;
}

void MemoryImage::spare(AddressRange bytes) {
    if (spared_count_ < spared_.size()) {
        spared_[spared_count_++] = bytes;
    }
}

uint64_t MemoryImage::mapped_pages() const {
    char text[32] = {};
    uint64_t pages = 0;
    if (pread(sizes_, text, sizeof(text) - 1, 0) > 0) {
        for (const char* digit = text; *digit >= '0' && *digit <= '9'; digit++) {
            pages = pages * 10 + static_cast<uint64_t>(*digit - '0');
        }
    }
    return pages;
}

// A page that was mapped or written since has cost a fault, and what is mapped besides changes the
// size: without either the pages that are known are all.
bool MemoryImage::settle(uint64_t faults) {
    if (program_break(program_break_) != program_break_) {
        return false;
    }
    if (faults == faults_ && mapped_pages() == mapped_pages_) {
        return true;
    }
    // As of now: what is written from here on, by put_back() too, is found the next time.
    faults_ = faults;
    Result<size_t> count = read_mappings(now_, MappingDetail::kPlaces);
    if (!count) {
        return false;
    }
    std::span<const Mapping> mappings(now_.data(), *count);
    if (!compare_mappings(mappings) || !mend_regions(mappings)) {
        return false;
    }
    mapped_pages_ = mapped_pages();
    return find_written();
}

bool MemoryImage::is_of_image(const Mapping& mapping) const {
    return mapping.inode == file_inode_ && !mapping.is_shared;
}

bool MemoryImage::is_as_before(const Mapping& now, const Mapping& before) const {
    return now.inode == before.inode && now.is_shared == before.is_shared &&
           (now.is_shared || now.protection == before.protection) &&
           (now.inode == 0 || now.offset - now.begin == before.offset - before.begin);
}

// Unmaps what is new, and compares what does not belong to the image. The kernel joins and parts
// mappings as it likes, so places are compared piece by piece.
bool MemoryImage::compare_mappings(std::span<const Mapping> mappings) const {
    uint64_t missing = 0;
    for (size_t i = 0; i < before_count_; i++) {
        bool counts = !before_[i].is_stack && !is_of_image(before_[i]);
        missing += counts ? before_[i].end - before_[i].begin : 0;
    }
    size_t known = 0;
    for (const Mapping& mapping : mappings) {
        for (uintptr_t at = mapping.begin; at < mapping.end && !mapping.is_stack;) {
            while (known < before_count_ && (before_[known].end <= at || before_[known].is_stack)) {
                known++;
            }
            bool is_new = known == before_count_ || before_[known].begin > at;
            uintptr_t limit = known == before_count_ ? mapping.end
                              : is_new               ? before_[known].begin
                                                     : before_[known].end;
            uintptr_t end = std::min(mapping.end, limit);
            if (is_new) {
                ::munmap(reinterpret_cast<void*>(at), end - at);
            } else if (!is_of_image(before_[known])) {
                if (!is_as_before(mapping, before_[known])) {
                    return false;
                }
                missing -= end - at;
            }
            at = end;
        }
    }
    return missing == 0;
}

// A heap that became smaller, a large block that was given back, a page with another protection:
// the region is mapped again.
bool MemoryImage::mend_regions(std::span<const Mapping> mappings) {
    size_t next = 0;
    for (size_t i = 0; i < region_count_; i++) {
        const Region& region = regions_[i];
        uint64_t intact = 0;
        while (next < mappings.size() && mappings[next].end <= region.begin) {
            next++;
        }
        for (size_t j = next; j < mappings.size() && mappings[j].begin < region.end; j++) {
            const Mapping& now = mappings[j];
            bool same = is_of_image(now) && now.protection == region.protection &&
                        now.offset - now.begin == region.offset - region.begin;
            intact += same ? std::min(now.end, region.end) - std::max(now.begin, region.begin) : 0;
        }
        if (intact != region.end - region.begin && map_region(region)) {
            return false;
        }
    }
    return true;
}

bool MemoryImage::find_written() {
    written_count_ = 0;
    drops_ = std::exchange(drops_inherited_, false);
    for (size_t i = 0; i < region_count_ && !drops_; i++) {
        const Region& region = regions_[i];
        Error error = read_page_map(
            page_map_, {region.begin, region.end}, [&](uintptr_t address, uint64_t entry) {
                if ((entry & (kPresent | kSwapped)) == 0 || (entry & (kOfFile | kGuard)) != 0 ||
                    is_unused(address)) {
                    return Error();
                }
                if (written_count_ == written_.size()) {
                    drops_ = true;
                    return Error();
                }
                written_[written_count_++] = {address, region.offset + (address - region.begin)};
                return Error();
            });
        if (error) {
            return false;
        }
    }
    return true;
}

bool MemoryImage::is_unused(uintptr_t page) const {
    const auto* end = unused_.begin() + unused_count_;
    const auto* after = std::upper_bound(
        unused_.begin(), end, page,
        [](uintptr_t address, const AddressRange& range) { return address < range.begin; });
    return after != unused_.begin() && page < (after - 1)->end;
}

void MemoryImage::drop_written() {
    for (size_t i = 0; i < region_count_; i++) {
        ::madvise(reinterpret_cast<void*>(regions_[i].begin), regions_[i].end - regions_[i].begin,
                  MADV_DONTNEED);
    }
    written_count_ = 0;
}

void MemoryImage::put_back() {
    constexpr size_t kMostBytes = 64;
    char bytes[kMostSpared][kMostBytes];
    for (size_t i = 0; i < spared_count_; i++) {
        memcpy(bytes[i], reinterpret_cast<const void*>(spared_[i].begin),
               std::min(kMostBytes, spared_[i].end - spared_[i].begin));
    }
    if (drops_) {
        drop_written();
        drops_ = false;
    }
    size_t page = page_size();
    for (size_t i = 0; i < written_count_; i++) {
        copy_changes(reinterpret_cast<char*>(written_[i].page), content_ + written_[i].offset,
                     page);
    }
    for (size_t i = 0; i < spared_count_; i++) {
        memcpy(reinterpret_cast<void*>(spared_[i].begin), bytes[i],
               std::min(kMostBytes, spared_[i].end - spared_[i].begin));
    }
}

const char* MemoryImage::kept(uintptr_t address) const {
    for (size_t i = 0; i < region_count_; i++) {
        if (address >= regions_[i].begin && address < regions_[i].end) {
            return content_ + regions_[i].offset + (address - regions_[i].begin);
        }
    }
    return nullptr;
}

}  // namespace stampede::os
