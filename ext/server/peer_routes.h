// By which worker this process has reached connections of other workers. When one has moved, what
// was sent by the old way may still be under way: a fence is sent after it, and what is sent
// meanwhile is kept until the fence has come through, so that the peer reads what one process sends
// in the order in which it was sent. Only keeps account; peers.cc sends. PHP thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"

namespace stampede::classes {

class PeerRoutes {
public:
    enum class Step : uint8_t { kSend, kFence, kKeep };

    // For something that is to go to this line. kFence: a fence with this number goes to the old
    // line first, and what is to be sent is kept.
    Step next(int64_t id, uint32_t line);
    uint32_t old_line(int64_t id) const { return find(id).old_line; }
    uint32_t number(int64_t id) const { return find(id).number; }
    // False: too much is kept.
    bool keep(int64_t id, std::string_view wish);

    // The fence goes to this process, which has the old line, now.
    void note_sent(int64_t id, int32_t process, Nanos now) {
        Route& route = routes_[id];
        route.old_process = process;
        route.since = now;
    }

    // The fence has come through: what was kept.
    std::vector<std::string> open(int64_t id, uint32_t number);
    bool has(int64_t id) const { return routes_.contains(id); }
    bool is_fenced(int64_t id) const { return find(id).number != 0; }
    // Those whose fences were sent so long ago, or to a process that is gone.
    template <typename IsGone>
    std::vector<int64_t> overdue(Nanos before, IsGone&& is_gone) const {
        std::vector<int64_t> found;
        for (const auto& [id, route] : routes_) {
            if (route.number != 0 &&
                (route.since <= before || is_gone(route.old_line, route.old_process))) {
                found.push_back(id);
            }
        }
        return found;
    }
    bool has_fences() const { return fences_ > 0; }

    // It belongs to this process now, or the old worker is gone: what was kept.
    std::vector<std::string> forget(int64_t id);

private:
    struct Route {
        uint32_t line = 0;
        uint32_t old_line = 0;
        int32_t old_process = 0;
        uint32_t number = 0;  // of the fence, 0: none
        Nanos since = 0;
        std::vector<std::string> kept;
    };

    static constexpr size_t kMostKept = 16u << 20;  // bytes, for all connections
    static constexpr size_t kMostRoutes = 50000;

    const Route& find(int64_t id) const;
    void make_room();

    std::unordered_map<int64_t, Route> routes_;
    size_t kept_bytes_ = 0;
    uint32_t fences_ = 0;
    uint32_t last_number_ = 0;
};

}  // namespace stampede::classes
