// The Poller on epoll, level-triggered: an interest is registered once and kept, so that a request
// costs no epoll_ctl. Owned by one Loop, its thread only, never parks.
#pragma once

#include <memory>

#include "loop/poller.h"

namespace stampede::loop {

class EpollPoller final : public Poller {
public:
    static Result<std::unique_ptr<EpollPoller>> create();
    ~EpollPoller() override;

    Error add(Watch& watch) override;
    Error modify(Watch& watch) override;
    void remove(Watch& watch) override;
    int wait(Ready* out, int capacity, Nanos timeout) override;
    int descriptor() const override { return fd_; }
    void abandon() override;

private:
    explicit EpollPoller(int fd) : fd_(fd) {}
    int fd_;
};

}  // namespace stampede::loop
