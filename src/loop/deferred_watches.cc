#include "loop/deferred_watches.h"

#include <poll.h>

#include <algorithm>

#include "os/epoll.h"

namespace stampede::loop {

namespace {

short wanted_by(const Watch& watch) {
    int events = ((watch.interest & kReadable) != 0 ? POLLIN : 0) |
                 ((watch.interest & kWritable) != 0 ? POLLOUT : 0) |
                 ((watch.interest & kEdge) != 0 ? POLLRDHUP : 0) |
                 ((watch.interest & kUrgent) != 0 ? POLLPRI : 0);
    return static_cast<short>(events);
}

uint32_t events_of(short bits) {
    return ((bits & POLLIN) != 0 ? kReadable : 0) | ((bits & POLLOUT) != 0 ? kWritable : 0) |
           ((bits & POLLRDHUP) != 0 ? kEdge : 0) | ((bits & POLLPRI) != 0 ? kUrgent : 0) |
           ((bits & (POLLHUP | POLLERR | POLLNVAL)) != 0 ? kHangup : 0);
}

}  // namespace

bool DeferredWatches::add(Watch& watch) {
    if (count_ == kMost) {
        return false;
    }
    watches_[count_++] = &watch;
    return true;
}

bool DeferredWatches::remove(const Watch& watch) {
    Watch** end = watches_ + count_;
    Watch** found = std::find(watches_, end, &watch);
    if (found == end) {
        return false;
    }
    std::copy(found + 1, end, found);
    count_--;
    return true;
}

int DeferredWatches::ask(Ready* out, Poller& poller) {
    pollfd asked[kMost];
    for (int i = 0; i < count_; i++) {
        asked[i] = {watches_[i]->fd, wanted_by(*watches_[i]), 0};
    }
    if (count_ >= kWorthAsking) {
        os::poll_now(asked, count_);
    }
    int ready = 0;
    for (int i = 0; i < count_; i++) {
        uint32_t events = events_of(asked[i].revents);
        if (events != 0 || poller.add(*watches_[i])) {
            out[ready++] = {watches_[i], events | kAskFirst};
        }
    }
    count_ = 0;
    return ready;
}

}  // namespace stampede::loop
