#include "io/group_wait.h"

#include <cerrno>
#include <new>

#include "runtime/runtime.h"

namespace stampede::io {

using runtime::Runtime;

GroupWait* GroupWait::begin(size_t most) {
    auto* group = static_cast<GroupWait*>(safe_emalloc(most, sizeof(Part), sizeof(GroupWait)));
    group->fiber_ = Runtime::get().current();
    group->generation_ = Runtime::loop_generation();
    group->count_ = 0;
    group->ready_at_once_ = false;
    return group;
}

void GroupWait::add(int fd, uint32_t interest) {
    Part& part = *new (&parts_[count_++]) Part();
    part.group = this;
    part.interest = interest;
    part.on_ready = [](loop::Watch& watch, uint32_t events) {
        auto& self = static_cast<Part&>(watch);
        self.events |= events;
        Runtime::peek()->wake(*self.group->fiber_, runtime::WakeReason::kReady);
    };
    if (fd < 0) {
        return;
    }
    part.fd = fd;
    if (Error error = Runtime::get().loop().watch(part)) {
        part.fd = -1;
        part.error = static_cast<int>(error.code());
        ready_at_once_ = true;
    }
}

void GroupWait::end() {
    bool same_loop = generation_ == Runtime::loop_generation();
    for (size_t i = 0; i < count_; i++) {
        if (parts_[i].fd >= 0 && same_loop) {
            Runtime::get().loop().unwatch(parts_[i]);
        }
    }
    efree(this);
}

Readiness wait_for_events(int fd, uint32_t interest, Nanos deadline) {
    Readiness result;
    GroupWait* group = GroupWait::begin(1);
    group->add(fd, interest);
    const GroupWait::Part& part = group->part(0);
    if (!group->ready_at_once()) {
        result.reason = Runtime::get().park(deadline);
        result.events = part.events;
    } else if (part.error == EPERM) {
        result.events = interest & (loop::kReadable | loop::kWritable);
    } else {
        result.error = part.error;
    }
    group->end();
    return result;
}

}  // namespace stampede::io
