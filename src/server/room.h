// Memory that many may have only so much of together: bodies of requests and unfinished messages of
// WebSockets of one process. Owned by the service. Loop thread.
#pragma once

#include <cstdint>

namespace stampede::server {

struct Room {
    // So much of each needs no room: who takes all that there is does not keep the others' usual
    // requests out.
    static constexpr uint64_t kFree = 16 * 1024;

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
    // Now it has so many bytes. False: there is no room for them, and nothing has changed.
    bool hold(uint64_t bytes) {
        uint64_t wanted = bytes > Room::kFree ? bytes - Room::kFree : 0;
        if (wanted == held_ || room_ == nullptr) [[likely]] {
            return true;
        }
        uint64_t others = room_->used - held_;
        if (wanted > held_ && (others > room_->most || wanted > room_->most - others)) {
            return false;
        }
        room_->used = others + wanted;
        held_ = wanted;
        return true;
    }
    void release() { (void)hold(0); }

private:
    Room* room_ = nullptr;
    uint64_t held_ = 0;
};

}  // namespace stampede::server
