#include "loop/shared_watch.h"

#include <algorithm>

namespace stampede::loop {

namespace {

constexpr uint32_t kWanted = kReadable | kWritable | kUrgent;

}  // namespace

SharedWatch::SharedWatch(Poller& poller, int number) : poller_(poller) {
    fd = number;
    on_ready = [](Watch& self, uint32_t events) { static_cast<SharedWatch&>(self).tell(events); };
}

SharedWatch::Member* SharedWatch::find(const Watch& watch) {
    auto found = std::find_if(members_.begin(), members_.end(),
                              [&](const Member& member) { return member.watch == &watch; });
    return found == members_.end() ? nullptr : &*found;
}

bool SharedWatch::has(const Watch& watch) const {
    return std::any_of(members_.begin(), members_.end(),
                       [&](const Member& member) { return member.watch == &watch; });
}

bool SharedWatch::empty() const {
    return std::all_of(members_.begin(), members_.end(),
                       [](const Member& member) { return member.watch == nullptr; });
}

void SharedWatch::unite() {
    interest = kEdge;
    for (const Member& member : members_) {
        if (member.watch != nullptr && member.armed) {
            interest |= member.watch->interest & kWanted;
        }
    }
}

void SharedWatch::add(Watch& watch) {
    members_.push_back({&watch, true});
    unite();
}

void SharedWatch::arm(Watch& watch) {
    if (Member* member = find(watch)) {
        member->armed = true;
    }
    unite();
}

bool SharedWatch::remove(const Watch& watch) {
    Member* member = find(watch);
    if (member == nullptr) {
        return false;
    }
    if (telling_) {
        member->watch = nullptr;
    } else {
        members_.erase(members_.begin() + (member - members_.data()));
    }
    unite();
    return true;
}

void SharedWatch::clear() {
    for (Member& member : members_) {
        member.watch = nullptr;
    }
    if (!telling_) {
        members_.clear();
    }
}

// Members come and go in what they are told: by number, and only those that were there before.
void SharedWatch::tell(uint32_t events) {
    telling_ = true;
    bool again = false;
    for (size_t i = 0, count = members_.size(); i < count; i++) {
        again = tell_one(members_[i], events) || again;
    }
    telling_ = false;
    std::erase_if(members_, [](const Member& member) { return member.watch == nullptr; });
    unite();
    if (again && !members_.empty()) {
        (void)poller_.modify(*this);
    }
}

// True when it is to hear again of what it leaves.
bool SharedWatch::tell_one(Member& member, uint32_t events) {
    Watch* watch = member.watch;
    if (watch == nullptr || !member.armed) {
        return false;
    }
    uint32_t theirs = events & ((watch->interest & (kWanted | kEdge)) | kHangup);
    if (theirs == 0) {
        return false;
    }
    bool once = (watch->interest & kOnce) != 0;
    bool by_change = (watch->interest & kEdge) != 0;
    member.armed = !once;
    watch->on_ready(*watch, theirs);
    return !once && !by_change;
}

}  // namespace stampede::loop
