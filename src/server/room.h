// Memory that many may have only so much of together: bodies of requests and unfinished messages of
// WebSockets of one process. Owned by the service. Loop thread.
#pragma once

#include <cstdint>

namespace stampede::server {

struct Room {
    // So much of each needs no room: who takes all that there is does not keep the others' usual
    // requests out.
    static constexpr uint64_t kFree = 16 * 1024;

    // One that has `held` wants so many bytes instead. False: there is no room for them, and
    // nothing has changed.
    bool hold(uint64_t& held, uint64_t bytes) {
        uint64_t wanted = bytes > kFree ? bytes - kFree : 0;
        if (wanted == held) [[likely]] {
            return true;
        }
        uint64_t others = used - held;
        if (wanted > held && (others > most || wanted > most - others)) {
            return false;
        }
        used = others + wanted;
        held = wanted;
        return true;
    }

    uint64_t most = UINT64_MAX;
    uint64_t used = 0;
};

// What one of them has of it, until it ends.
class RoomShare {
public:
    RoomShare() = default;
    ~RoomShare() { release(); }
    RoomShare(const RoomShare&) = delete;
    RoomShare& operator=(const RoomShare&) = delete;

    void use(Room& room) {
        release();
        room_ = &room;
    }
    bool hold(uint64_t bytes) { return room_ == nullptr || room_->hold(held_, bytes); }
    void release() { (void)hold(0); }

private:
    Room* room_ = nullptr;
    uint64_t held_ = 0;
};

}  // namespace stampede::server
