// Descriptors that are not added to epoll yet. Before each iteration one poll(2) checks them all:
// under load most are ready by then, which saves adding each to epoll and removing it again. Owned
// by one Loop, its thread only, never parks.
#pragma once

#include "loop/poller.h"

namespace stampede::loop {

class DeferredWatches {
public:
    static constexpr int kMost = 256;

    // False when there is no room.
    bool add(Watch& watch);
    // False when it is none of them.
    bool remove(const Watch& watch);
    void clear() { count_ = 0; }
    bool empty() const { return count_ == 0; }

    // Puts those that are ready into out, which has room for kMost, and tells the poller of the
    // others; afterwards there are none. Returns how many are in out.
    int ask(Ready* out, Poller& poller);

private:
    // Fewer are not worth a call, which may be in vain.
    static constexpr int kWorthAsking = 4;

    int count_ = 0;
    Watch* watches_[kMost];
};

}  // namespace stampede::loop
