// The Poller on epoll: an interest is registered once and kept, so that a request costs no
// epoll_ctl. Owned by one Loop, its thread only, never parks.
//
// A closed descriptor leaves the kernel's set by itself, but only with its last copy: a child
// between fork() and exec() may hold one, and events of it still come. That is why the kernel is
// given no pointers but the descriptor's number and how often that number has been added; an event
// of an earlier count is dropped.
#pragma once

#include <memory>
#include <vector>

#include "loop/poller.h"

namespace stampede::loop {

class EpollPoller final : public Poller {
public:
    static Result<std::unique_ptr<EpollPoller>> create();
    ~EpollPoller() override;

    Error add(Watch& watch) override;
    Error modify(Watch& watch) override;
    void remove(Watch& watch) override;
    void forget(Watch& watch) override;
    int wait(Ready* out, int capacity, Nanos timeout) override;
    int descriptor() const override { return fd_; }
    void abandon() override;

private:
    struct Slot {
        Watch* watch = nullptr;
        uint32_t added = 0;  // times
    };

    explicit EpollPoller(int fd) : fd_(fd) {}
    Error update(int operation, Watch& watch);

    int fd_;
    std::vector<Slot> slots_;  // by descriptor
};

}  // namespace stampede::loop
