#include "classes/http/body_strings.h"

#include <algorithm>

#include "php_globals.h"

namespace stampede::classes {

namespace {

constexpr size_t kChunk = 2 * 1024 * 1024;  // what the memory manager takes from the kernel at once
constexpr size_t kMostLent = 64 * 1024 * 1024;
constexpr size_t kShareOfLimit = 8;

zend_string* string_of(char* bytes) {
    return reinterpret_cast<zend_string*>(bytes - offsetof(zend_string, val));
}

class BodyStrings final : public server::BodyMemory {
public:
    char* allocate(size_t size) override {
        if (!has_room(size)) {
            return nullptr;
        }
        lent_ += size;
        return ZSTR_VAL(zend_string_alloc(size, 0));
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
        zend_string_release_ex(string, 0);
    }

    void was_shared(size_t room, size_t size) { lent_ -= std::min(lent_, room - size); }

private:
    bool has_room(size_t size) const {
        size_t limit = static_cast<size_t>(PG(memory_limit));  // -1: as large as can be
        return lent_ + size <= std::min(kMostLent, limit / kShareOfLimit) &&
               zend_memory_usage(true) + kChunk + size <= limit;
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

}  // namespace stampede::classes
