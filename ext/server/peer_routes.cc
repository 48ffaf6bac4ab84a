#include "ext/server/peer_routes.h"

#include <utility>

namespace stampede::classes {

const PeerRoutes::Route& PeerRoutes::find(int64_t id) const {
    static const Route none;
    auto found = routes_.find(id);
    return found != routes_.end() ? found->second : none;
}

PeerRoutes::Step PeerRoutes::next(int64_t id, uint32_t line) {
    if (routes_.size() >= kMostRoutes) {
        make_room();
    }
    auto [place, is_new] = routes_.try_emplace(id);
    Route& route = place->second;
    if (is_new) {
        route.line = line;
        return Step::kSend;
    }
    if (route.number != 0) {
        route.line = line;
        return Step::kKeep;
    }
    if (route.line == line) {
        return Step::kSend;
    }
    route.old_line = std::exchange(route.line, line);
    last_number_ = last_number_ == UINT32_MAX ? 1 : last_number_ + 1;
    route.number = last_number_;
    fences_++;
    return Step::kFence;
}

bool PeerRoutes::keep(int64_t id, std::string_view wish) {
    if (kept_bytes_ + wish.size() > kMostKept) {
        return false;
    }
    kept_bytes_ += wish.size();
    routes_[id].kept.emplace_back(wish);
    return true;
}

std::vector<std::string> PeerRoutes::open(int64_t id, uint32_t number) {
    auto found = routes_.find(id);
    if (found == routes_.end() || number == 0 || found->second.number != number) {
        return {};
    }
    Route& route = found->second;
    route.number = 0;
    fences_--;
    for (const std::string& wish : route.kept) {
        kept_bytes_ -= wish.size();
    }
    return std::exchange(route.kept, {});
}

std::vector<std::string> PeerRoutes::forget(int64_t id) {
    std::vector<std::string> kept = open(id, number(id));
    routes_.erase(id);
    return kept;
}

// What has no fence was sent long enough ago, in all likelihood: it is the price of a limit.
void PeerRoutes::make_room() {
    std::erase_if(routes_, [](const auto& entry) { return entry.second.number == 0; });
}

}  // namespace stampede::classes
