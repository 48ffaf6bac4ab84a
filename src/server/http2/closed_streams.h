// How the streams of an HTTP/2 connection came to their end, for the frames that still come for
// them (RFC 9113 5.1). Only ends by RST_STREAM are kept, the newest ones: every other stream has
// ended in order. Owned by the session; loop thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stampede::server {

class ClosedStreams {
public:
    enum class End : uint8_t {
        kInOrder,      // both sides have ended it: no frame of its peer may follow
        kResetByPeer,  // no frame of its peer may follow
        kReset,        // the peer may not have heard of it yet
    };

    void reset_by_peer(int32_t id) { keep(id & ~1); }
    void reset(int32_t id) { keep(id); }

    End end_of(int32_t id) const {
        for (int32_t entry : entries_) {
            if ((entry | 1) == id) {
                return entry == id ? End::kReset : End::kResetByPeer;
            }
        }
        // What was forgotten may have been any of them: the mildest is right for all.
        return id <= forgotten_ ? End::kReset : End::kInOrder;
    }

private:
    // Two kilobytes at most, searched from end to end: only frames for streams that have ended ask,
    // which honest peers send in the moment after a reset.
    static constexpr size_t kMost = 512;

    void keep(int32_t entry) {
        if (entries_.size() < kMost) {
            entries_.push_back(entry);
            return;
        }
        int32_t& oldest = entries_[oldest_];
        forgotten_ = (oldest | 1) > forgotten_ ? oldest | 1 : forgotten_;
        oldest = entry;
        oldest_ = (oldest_ + 1) % kMost;
    }

    std::vector<int32_t> entries_;  // numbers of clients' streams are odd; even: reset by the peer
    size_t oldest_ = 0;
    int32_t forgotten_ = 0;  // the highest number that is not kept any more
};

}  // namespace stampede::server
