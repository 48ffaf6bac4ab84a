#include "classes/http/body_strings.h"

#include <algorithm>
#include <bit>

#include "runtime/runtime.h"
#include "subsystems.h"

#include "php_globals.h"

namespace stampede::classes {

namespace {

constexpr size_t kChunk = 2 * 1024 * 1024;  // what the memory manager takes from the kernel at once
constexpr size_t kMostLent = 64 * 1024 * 1024;
constexpr size_t kShareOfLimit = 8;

zend_string* string_of(char* bytes) {
    return reinterpret_cast<zend_string*>(bytes - offsetof(zend_string, val));
}

// Strings that nobody has any more, for the next bodies. The memory manager gives back a chunk of
// 2 MiB as soon as it is empty, and takes it again, with a page fault for each 4 KiB of it, where
// the number of bodies that come at once goes up and down. The kept ones hold the chunks; those
// that were not needed for a period are freed.
class SpareStrings {
public:
    static constexpr size_t kSmallest = 8 * 1024;
    static constexpr size_t kLargest = 144 * 1024;

    // The size of a block for a string of that length: an eighth more at most, so that strings of
    // about the same length can take each other's place.
    static size_t block_for(size_t length) {
        size_t size = _ZSTR_STRUCT_SIZE(length);
        size_t step = std::max(kPage, std::bit_floor(size) / 8);
        return (size + step - 1) / step * step;
    }

    // Null when there is none.
    zend_string* take(size_t block) {
        if (block < kSmallest || block > kLargest || free_[index_of(block)] == nullptr) {
            return nullptr;
        }
        Spare*& first = free_[index_of(block)];
        Spare* spare = first;
        first = spare->next;
        bytes_ -= block;
        least_ = std::min(least_, bytes_);
        auto* string = reinterpret_cast<zend_string*>(spare);
        GC_SET_REFCOUNT(string, 1);
        GC_TYPE_INFO(string) = GC_STRING;
        ZSTR_H(string) = 0;
        return string;
    }

    // Whether it was kept; the caller's was the last reference.
    bool keep(zend_string* string) {
        size_t block = zend_mem_block_size(string);
        if (!open_ || block < kSmallest || block > kLargest ||
            block != block_for(block - _ZSTR_HEADER_SIZE - 1) || bytes_ + block > most()) {
            return false;
        }
        auto* spare = reinterpret_cast<Spare*>(string);
        spare->next = free_[index_of(block)];
        free_[index_of(block)] = spare;
        bytes_ += block;
        return true;
    }

    void give_up(size_t bytes) {
        size_t left = bytes_ - std::min(bytes_, bytes);
        for (size_t i = kClasses; i-- > 0 && bytes_ > left;) {
            while (free_[i] != nullptr && bytes_ > left) {
                Spare* spare = free_[i];
                free_[i] = spare->next;
                bytes_ -= zend_mem_block_size(spare);
                efree(spare);
            }
        }
        least_ = bytes_;
    }
    void trim() { give_up(least_); }
    size_t bytes() const { return bytes_; }

    // Of a script.
    void open() { open_ = true; }
    void close() {
        give_up(bytes_);
        open_ = false;
    }

private:
    struct Spare {
        Spare* next;
    };

    static constexpr size_t kPage = 4096;
    static constexpr size_t kMost = 16 * 1024 * 1024;
    static constexpr size_t kShareOfLimit = 32;
    static constexpr size_t kClasses = 5 * 8;

    static size_t index_of(size_t block) {
        size_t power = std::bit_floor(block);
        return static_cast<size_t>(std::countr_zero(power / kSmallest)) * 8 +
               (block - power) * 8 / power;
    }
    static size_t most() {
        return std::min(kMost, static_cast<size_t>(PG(memory_limit)) / kShareOfLimit);
    }

    Spare* free_[kClasses] = {};
    size_t bytes_ = 0;
    size_t least_ = 0;  // since the last trim()
    bool open_ = false;
};

SpareStrings spares;

loop::SpareMemory spare_memory{{}, [] { spares.trim(); }};

void release(zend_string* string) {
    if (GC_REFCOUNT(string) > 1 || !spares.keep(string)) {
        zend_string_release_ex(string, 0);
    } else if (!spare_memory.linked()) {
        runtime::Runtime::get().memory().add(spare_memory);
    }
}

class BodyStrings final : public server::BodyMemory {
public:
    char* allocate(size_t size) override {
        if (!has_room(size)) {
            return nullptr;
        }
        lent_ += size;
        size_t block = SpareStrings::block_for(size);
        zend_string* string = spares.take(block);
        if (string == nullptr) {
            string = zend_string_alloc(block - _ZSTR_HEADER_SIZE - 1, 0);
        }
        ZSTR_LEN(string) = size;
        return ZSTR_VAL(string);
    }

    // While a body grows nobody has its string yet.
    char* grow(char* bytes, size_t size) override {
        zend_string* present = string_of(bytes);
        if (!has_room(size)) {
            return nullptr;
        }
        // The length is the room until the body is whole: free() counts it back.
        lent_ += size - ZSTR_LEN(present);
        return ZSTR_VAL(zend_string_extend(present, size, 0));
    }

    void free(char* bytes) override {
        zend_string* string = string_of(bytes);
        lent_ -= std::min(lent_, ZSTR_LEN(string));
        release(string);
    }

    void was_shared(size_t room, size_t size) { lent_ -= std::min(lent_, room - size); }

private:
    bool has_room(size_t size) const {
        size_t limit = static_cast<size_t>(PG(memory_limit));  // -1: as large as can be
        if (lent_ + size > std::min(kMostLent, limit / kShareOfLimit)) {
            return false;
        }
        if (zend_memory_usage(true) + kChunk + size > limit) {
            spares.give_up(spares.bytes());
        }
        return zend_memory_usage(true) + kChunk + size <= limit;
    }

    size_t lent_ = 0;  // of bodies whose exchanges have not ended
};

BodyStrings strings;

}  // namespace

server::BodyMemory& body_strings() { return strings; }

zend_string* share_body_string(char* bytes, size_t size) {
    zend_string* string = string_of(bytes);
    if (ZSTR_LEN(string) != size) {
        strings.was_shared(ZSTR_LEN(string), size);
        ZSTR_LEN(string) = size;
        bytes[size] = '\0';
    }
    return zend_string_copy(string);
}

zend_result body_strings_rinit(int, int) {
    spares.open();
    return SUCCESS;
}

zend_result body_strings_rshutdown(int, int) {
    spares.close();
    return SUCCESS;
}

}  // namespace stampede::classes
