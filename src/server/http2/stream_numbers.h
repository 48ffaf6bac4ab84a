// Which numbers of streams an HTTP/2 client has used. nghttp2 takes a stream below the newest
// one for one that was closed; it may also be one that was passed over. Owned by the session; loop
// thread; never parks.
#pragma once

#include <cstdint>

namespace stampede::server {

class StreamNumbers {
public:
    // A head comes for the stream. False: its number was passed over, which closed it for good
    // (RFC 9113 5.1.1). Only the newest gap is kept.
    bool use(int32_t id) {
        if (id > newest_) {
            gap_begin_ = id > newest_ + 2 ? newest_ : gap_begin_;
            gap_end_ = id > newest_ + 2 ? id : gap_end_;
            newest_ = id;
            return true;
        }
        return id <= gap_begin_ || id >= gap_end_;
    }

    // The stream was opened here, or refused.
    void take(int32_t id) { last_taken_ = id; }
    int32_t last_taken() const { return last_taken_; }
    bool was_taken(int32_t id) const { return (id & 1) != 0 && id <= last_taken_; }

private:
    int32_t newest_ = -1;
    int32_t last_taken_ = 0;
    int32_t gap_begin_ = 0;  // streams between these two were passed over
    int32_t gap_end_ = 0;
};

}  // namespace stampede::server
