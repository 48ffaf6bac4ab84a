#include "proc/reload.h"

#include <utility>

namespace stampede::proc {

bool Reload::begin(bool workers) {
    for (uint32_t i = 0; i < family_.slots().size(); i++) {
        PlaceKind kind = family_.kind_of(i);
        bool is_meant = kind == PlaceKind::kTaskWorker ||
                        (workers && kind == PlaceKind::kWorker && !family_.is_off(i));
        // In a reload that is under way, those already replaced as well.
        family_.slots()[i].reload |= is_meant;
    }
    return !std::exchange(active_, true);
}

// The task workers come after the workers: what runs in a task is at least as new as what asks for
// it.
bool Reload::go_on(uint64_t generation) {
    std::span<Slot> slots = family_.slots();
    uint32_t busy = 0;
    bool all_begun = true;
    bool workers_left = false;
    for (uint32_t i = 0; i < slots.size(); i++) {
        PlaceKind kind = family_.kind_of(i);
        busy += slots[i].reload && under_way(slots[i], kind, generation) ? 1 : 0;
        workers_left |= slots[i].reload && kind == PlaceKind::kWorker;
    }
    for (uint32_t i = 0; i < slots.size(); i++) {
        PlaceKind kind = family_.kind_of(i);
        if (!slots[i].reload || under_way(slots[i], kind, generation)) {
            continue;
        }
        all_begun = false;
        if (busy < at_once_ && (kind == PlaceKind::kWorker || !workers_left)) {
            busy++;
            replace(slots[i], kind);
        }
    }
    active_ = busy > 0 || !all_begun;
    return !active_;
}

// Its replacement has begun.
bool Reload::under_way(const Slot& slot, PlaceKind kind, uint64_t generation) const {
    if (slot.next != nullptr || slot.start_at != kNever) {
        return true;
    }
    if (kind == PlaceKind::kWorker || slot.present == nullptr) {
        return false;
    }
    return slot.present->stage == Stage::kLeaving ||
           (slot.present->stage == Stage::kStarting && slot.present->generation == generation);
}

void Reload::replace(Slot& slot, PlaceKind kind) {
    if (kind == PlaceKind::kWorker || slot.present == nullptr) {
        slot.start_at = 0;
    } else {
        family_.retire(*slot.present);  // its successor is started when it has ended
    }
}

}  // namespace stampede::proc
