// The Poller on epoll: an interest is registered once and kept, so that a request costs no
// epoll_ctl. Owned by one Loop, its thread only, never parks.
//
// A closed descriptor leaves the kernel's set by itself, but only with its last copy: a child
// between fork() and exec() may hold one, and events of it still come. That is why the kernel is
// given no pointers but the descriptor's number and how often that number has been added; an event
// of an earlier count is dropped.
//
// Any number of watches may have the same descriptor; the kernel knows one entry for it.
#pragma once

#include <memory>
#include <vector>

#include "loop/shared_watch.h"

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
    Error part() override;

private:
    struct Slot {
        Watch* watch = nullptr;               // the one that the kernel's entry is of
        uint32_t added = 0;                   // times
        std::unique_ptr<SharedWatch> shared;  // made once needed, kept: events may be under way

        bool is_shared() const { return watch != nullptr && watch == shared.get(); }
        bool is_of(const Watch& other) const {
            return watch == &other || (is_shared() && shared->has(other));
        }
    };

    explicit EpollPoller(int fd) : fd_(fd) {}
    Slot* find(int fd);
    Error add_alone(Slot& slot, Watch& watch);
    Error share(Slot& slot, Watch& watch);
    Error update(int operation, const Slot& slot, const Watch& watch);

    int fd_;
    std::vector<Slot> slots_;  // by descriptor
};

}  // namespace stampede::loop
