#include "ext/server/killed_requests.h"

#include <list>
#include <string_view>

#include "ext/server/state.h"
#include "loop/loop.h"
#include "os/children.h"
#include "os/socket_io.h"
#include "runtime/runtime.h"

namespace stampede::classes {

namespace {

constexpr Nanos kMostEnding = 100 * kMillisecond;
constexpr size_t kMostKept = 256;  // each is a descriptor of this process
constexpr Nanos kKept = kSecond;

struct Kept : loop::Timer {
    Kept();
    std::list<KilledRequest> requests;  // the oldest first
};

Kept& kept() {
    static Kept instance;
    return instance;
}

Kept::Kept() {
    on_fire = [](loop::Timer& timer) {
        auto& requests = static_cast<Kept&>(timer).requests;
        Nanos now = monotonic_now();
        std::erase_if(requests, [&](const KilledRequest& request) { return request.until <= now; });
        if (!requests.empty()) {
            runtime::Runtime::get().loop().arm(timer, requests.front().until - now);
        }
    };
}

void watch() {
    if (!kept().requests.empty() && !kept().linked()) {
        runtime::Runtime::get().loop().arm(kept(), kKept);
    }
}

bool is_head(const shm::InFlight& entry) {
    return std::string_view(entry.text, entry.length).starts_with("HEAD ");
}

}  // namespace

KilledRequests::KilledRequests(pid_t worker) {
    ServerState* state = running_server();
    if (worker <= 0 || state == nullptr || state->in_worker || state->presence == nullptr) {
        return;
    }
    for (uint32_t line = 0; line < state->board->size(); line++) {
        if (state->board->line(line).pid.load() != worker || !serves(*state, line)) {
            continue;
        }
        if (auto process = os::open_pidfd(worker)) {
            process_ = os::Fd(*process);
            look(line);
        }
        return;
    }
}

void KilledRequests::look(uint32_t line) {
    line_ = line;
    std::span entries = running_server()->board->line(line).used();
    for (size_t place = 0; place < entries.size() && found_.size() < kMostKept; place++) {
        const shm::InFlight& entry = entries[place];
        if (entry.since == 0 || entry.answerable_fd < 0) {
            continue;
        }
        if (auto socket = os::take_descriptor(process_.get(), entry.answerable_fd)) {
            KilledRequest request;
            request.connection = entry.connection_id;
            request.socket = std::move(*socket);
            request.is_head = is_head(entry);
            found_.push_back({std::move(request), place, entry.since});
        }
    }
}

// The worker ran on until the signal reached it: it may have responded, and the number of the
// descriptor may have become another connection's. What its lines say after its end is the truth,
// until this process comes to its loop, which buries it.
void KilledRequests::keep() {
    Nanos now = monotonic_now();
    if (!process_ || os::poll_one(process_.get(), os::PollFor::kReading, now + kMostEnding) <= 0) {
        return;
    }
    ServerState& state = *running_server();
    std::span entries = state.board->line(line_).used();
    for (auto& [request, place, since] : found_) {
        const shm::InFlight& entry = entries[place];
        bool waits = entry.since == since && entry.answerable_fd >= 0 &&
                     entry.connection_id == request.connection;
        if (waits && state.presence->is_in(line_, request.connection)) {
            request.until = now + kKept;
            kept().requests.push_back(std::move(request));
        }
    }
    watch();
}

void linger(os::Fd socket) {
    KilledRequest responded;
    responded.socket = std::move(socket);
    responded.is_taken = true;
    responded.until = monotonic_now() + kKept;
    kept().requests.push_back(std::move(responded));
    watch();
}

void forget_killed_requests() { kept().requests.clear(); }

KilledRequest* killed_request(int64_t connection) {
    for (KilledRequest& request : kept().requests) {
        if (request.connection == connection && !request.is_taken) {
            return &request;
        }
    }
    return nullptr;
}

}  // namespace stampede::classes
