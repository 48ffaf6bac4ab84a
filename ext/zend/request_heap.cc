#include "zend/request_heap.h"

#include <algorithm>
#include <cstdint>

#include "zend/php.h"

#include "zend_alloc.h"
#include "zend_alloc_sizes.h"

namespace stampede::zend {

namespace {

// For requests besides what the boot has left: memory that is mapped during a request must be
// unmapped after it.
constexpr size_t kChunksOfRequests = 2;

constexpr size_t kBins[] = {
#define STAMPEDE_SIZE_OF_BIN(number, size, elements, pages, x, y) (size),
    ZEND_MM_BINS_INFO(STAMPEDE_SIZE_OF_BIN, x, y)
#undef STAMPEDE_SIZE_OF_BIN
};

constexpr size_t kPagesOfChunk = ZEND_MM_PAGES - ZEND_MM_FIRST_PAGE;

uintptr_t chunk_of(uintptr_t address) { return address & ~(ZEND_MM_CHUNK_SIZE - 1); }

bool has_room() {
    size_t most = (kChunksOfRequests + 2) * ZEND_MM_CHUNK_SIZE;
    auto limit = static_cast<size_t>(PG(memory_limit));
    return PG(memory_limit) <= 0 || zend_memory_usage(true) + most < limit;
}

// Takes all free pages, and one of a chunk that is mapped for it, which is the last of them.
void take_pages(std::vector<uintptr_t>* pages) {
    for (size_t before = zend_memory_usage(true); zend_memory_usage(true) == before;) {
        pages->push_back(reinterpret_cast<uintptr_t>(emalloc(ZEND_MM_PAGE_SIZE)));
    }
}

void give_page(uintptr_t page) { efree(reinterpret_cast<void*>(page)); }

// Small blocks fill the gaps beside lasting ones, for good, until they come from `chunk`.
void fill_gaps(uintptr_t chunk) {
    for (size_t size : kBins) {
        void* block = emalloc(size);
        while (chunk_of(reinterpret_cast<uintptr_t>(block)) != chunk) {
            block = emalloc(size);
        }
        efree(block);
    }
    zend_mm_gc(zend_mm_get_heap());
}

// A chunk of which all pages are free would be unmapped: it keeps one.
std::vector<os::AddressRange> give_back(std::vector<uintptr_t>* pages) {
    std::sort(pages->begin(), pages->end());
    std::vector<os::AddressRange> ranges;
    for (size_t i = 0; i < pages->size(); i++) {
        uintptr_t page = (*pages)[i];
        size_t last_of_empty = i + kPagesOfChunk - 1;
        if (page == chunk_of(page) + ZEND_MM_FIRST_PAGE * ZEND_MM_PAGE_SIZE &&
            last_of_empty < pages->size() && chunk_of((*pages)[last_of_empty]) == chunk_of(page)) {
            continue;
        }
        if (!ranges.empty() && ranges.back().end == page) {
            ranges.back().end += ZEND_MM_PAGE_SIZE;
        } else {
            ranges.push_back({page, page + ZEND_MM_PAGE_SIZE});
        }
        give_page(page);
    }
    return ranges;
}

}  // namespace

std::vector<os::AddressRange> part_heap_of_requests() {
    if (!is_zend_mm() || !has_room()) {
        return {};
    }
    zend_mm_gc(zend_mm_get_heap());
    std::vector<uintptr_t> pages;
    take_pages(&pages);
    fill_gaps(chunk_of(pages.back()));
    for (size_t i = 0; i < kChunksOfRequests; i++) {
        take_pages(&pages);
    }
    give_page(pages.back());
    pages.pop_back();
    return give_back(&pages);
}

}  // namespace stampede::zend
