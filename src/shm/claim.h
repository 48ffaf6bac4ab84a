// Which of two processes has a request that one of them, the sender, has sent to the other, the
// taker, before that one was free for it: until the taker takes it, the sender can have it back. A
// few requests at a time, by numbers that are never used again. Each end belongs to one process;
// any thread of it, never waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "os/mmap.h"

namespace stampede::shm {

class ClaimSender {
public:
    // `file`: what ClaimTaker::create() has given.
    static Result<ClaimSender> map(int file);

    static constexpr size_t kMost = 8;

    // A number for the request that is sent next; 0 when as many as kMost were neither taken nor
    // withdrawn.
    uint64_t offer();
    // True: the taker never takes that request.
    bool withdraw(uint64_t number);

private:
    explicit ClaimSender(os::SharedMemory memory) : memory_(std::move(memory)) {}

    os::SharedMemory memory_;
    uint64_t turn_ = 0;
};

// Nothing but an address, which can be noted elsewhere: its memory stays mapped as long as the
// process is there.
class ClaimTaker {
public:
    static Result<ClaimTaker> create(os::Fd& file);
    explicit ClaimTaker(void* address) : address_(address) {}

    void* address() const { return address_; }
    // False: the sender has the request back.
    bool take(uint64_t number);

private:
    void* address_;
};

}  // namespace stampede::shm
