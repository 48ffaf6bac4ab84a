// What the head of a response says about its body, and what of it is still to come. Owned by its
// exchange, kept by the session that writes the response; loop thread; never parks.
#pragma once

#include <cstdint>

namespace stampede::server {

inline constexpr uint64_t kUnknownLength = UINT64_MAX;

class BodyPromise {
public:
    // suppressed: bytes are counted and dropped (HEAD, 204, 205, 304).
    void make(uint64_t length, bool suppressed) {
        remaining_ = length;
        suppressed_ = suppressed;
    }
    // The end has been sent: nothing is owed.
    void settle() { remaining_ = kUnknownLength; }
    void clear() { make(kUnknownLength, false); }

    bool suppressed() const { return suppressed_; }
    // Of so many bytes, those that the promised length has room for. take() counts them as sent.
    uint64_t fitting(uint64_t size) const { return size < remaining_ ? size : remaining_; }
    bool fits(uint64_t size) const { return size <= remaining_; }
    uint64_t take(uint64_t size) {
        uint64_t taken = fitting(size);
        remaining_ -= remaining_ != kUnknownLength ? taken : 0;
        return taken;
    }
    // Whether these bytes are the last that were promised, and whether none are to come at all.
    bool ends_with(uint64_t size) const {
        return !suppressed_ && remaining_ != kUnknownLength && size >= remaining_;
    }
    bool is_kept() const { return suppressed_ || remaining_ == 0; }
    // Fewer came than promised: the peer must not wait for the rest.
    bool is_short() const { return !suppressed_ && remaining_ != kUnknownLength && remaining_ > 0; }

private:
    uint64_t remaining_ = kUnknownLength;
    bool suppressed_ = false;
};

}  // namespace stampede::server
