// Counts what a peer of HTTP/2 makes this side do for nothing: streams that are reset, frames that
// carry no request and no body. Owned by the session; loop thread; never parks.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace stampede::server {

class Http2Guard {
public:
    // Far above what a peer in good faith sends without bringing a request or bytes of a body in
    // between; each costs this side some work, and some of them a frame in response.
    static constexpr uint32_t kIdleFrames = 10000;
    // A browser whose page is left resets all its streams at once, an attacker goes on and resets
    // most of its requests. So there are too many when both hold: more than this in a period, and
    // no less than half as many as requests.
    static constexpr uint32_t kResets = 100;
    static constexpr Nanos kPeriod = 10 * kSecond;

    // A frame without use came. False: there were too many.
    bool idle_frame() { return ++idle_frames_ <= kIdleFrames; }
    // A request or bytes of a body, in either direction: what keeps a long transfer's window
    // updates from adding up.
    void useful() { idle_frames_ -= idle_frames_ > 0 ? 1 : 0; }

    void request(Nanos now) {
        begin_period(now);
        requests_++;
    }
    // A stream was ended that its peer may be about to reset, without knowing: a reset of a stream
    // that is no more is that one.
    void dismissed() { dismissed_++; }
    bool reset_crossed() {
        bool crossed = dismissed_ > 0;
        dismissed_ -= crossed ? 1 : 0;
        return crossed;
    }
    // A stream was reset, by the peer or because of what it sent. False: there were too many, both
    // in number and in proportion to the requests.
    bool reset(Nanos now) {
        begin_period(now);
        resets_++;
        return resets_ <= kResets || resets_ * 2 < requests_;
    }

private:
    void begin_period(Nanos now) {
        if (now - since_ > kPeriod) {
            since_ = now;
            requests_ = resets_ = 0;
        }
    }

    Nanos since_ = 0;
    uint32_t idle_frames_ = 0;
    uint32_t requests_ = 0;
    uint32_t resets_ = 0;
    uint32_t dismissed_ = 0;
};

}  // namespace stampede::server
