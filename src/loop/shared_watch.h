// Several watches of one descriptor, of which the kernel knows one: this. It is registered by
// change (kEdge) for what its members want together, and hands each the events of its interest; a
// member that wants to hear as long as something is ready (no kEdge) is heard again because the
// descriptor is rearmed after each event that it was told of. Owned by the poller, loop thread,
// never parks.
#pragma once

#include <vector>

#include "loop/poller.h"

namespace stampede::loop {

class SharedWatch final : public Watch {
public:
    SharedWatch(Poller& poller, int fd);
    SharedWatch(const SharedWatch&) = delete;
    SharedWatch& operator=(const SharedWatch&) = delete;

    void add(Watch& watch);
    // kOnce is over: it hears of the next event.
    void arm(Watch& watch);
    // False when it is none of them. Safe while they are being told of an event.
    bool remove(const Watch& watch);
    void clear();
    bool has(const Watch& watch) const;
    bool empty() const;

private:
    struct Member {
        Watch* watch;  // null: removed while events are handed out
        bool armed;
    };

    Member* find(const Watch& watch);
    void unite();
    void tell(uint32_t events);
    bool tell_one(Member& member, uint32_t events);

    Poller& poller_;
    std::vector<Member> members_;
    bool telling_ = false;
};

}  // namespace stampede::loop
