#include "server/acceptor.h"

#include <cerrno>

#include "os/socket.h"
#include "server/host.h"
#include "server/service.h"

namespace stampede::server {

namespace {

// How long the next connection is left to an idle worker, and how long not when that was in vain.
constexpr Nanos kWait = kMillisecond;
constexpr Nanos kNotAgainFor = 50 * kMillisecond;

}  // namespace

Acceptor::Acceptor(Service& service, loop::Loop& loop, shm::Scoreboard& board,
                   const ServiceSettings& settings, Host& host)
    : service_(service),
      connections_(service.connections()),
      loop_(loop),
      board_(board),
      settings_(settings),
      host_(host) {
    retry_.acceptor = this;
    retry_.on_fire = [](loop::Timer& timer) { static_cast<RetryTimer&>(timer).acceptor->retry(); };
}

Acceptor::~Acceptor() {
    loop_.disarm(retry_);
    unwatch_all();
}

Error Acceptor::add(int fd, uint32_t port_index) {
    auto listener = std::make_unique<Listener>();
    listener->fd = fd;
    listener->interest = loop::kReadable | (settings_.workers > 1 ? loop::kExclusive : 0);
    listener->acceptor = this;
    listener->port_index = port_index;
    listener->forced = false;
    listener->nodelay = os::has_nodelay(fd);
    listener->on_ready = [](loop::Watch& watch, uint32_t) {
        auto& ready = static_cast<Listener&>(watch);
        ready.acceptor->accept_some(ready);
    };
    Error error = loop_.watch(*listener);
    listener->watched = !error;
    listeners_.push_back(std::move(listener));
    return error;
}

void Acceptor::accept_some(Listener& listener) {
    if (!listener.forced && settings_.workers > 1) {
        Shares present = shares();
        if (has_more_than_its_share(present)) {
            leave(present, 10 * kMillisecond);
            return;
        }
    }
    listener.forced = false;
    int most = burst();
    for (int i = 0; i < most; i++) {
        if (connections_.full()) {
            make_room(50 * kMillisecond);
            return;
        }
        Result<int64_t> taken = accept_one(listener);
        found_in_a_row_ = taken ? found_in_a_row_ + 1 : 0;
        if (!taken) {
            if (failed(taken.error())) {
                continue;
            }
            return;
        }
        if (settings_.workers > 1 && loop_.iteration_time() >= wait_again_at_ &&
            sibling_is_free()) {
            pause(Pause::kForOthers, kWait);
            awaited_ = *taken;
            return;
        }
    }
}

int Acceptor::burst() const {
    return settings_.workers > 1 || found_in_a_row_ < kBacklogged ? 1 : kBurst;
}

// The number of the connection, 0 when it was refused.
Result<int64_t> Acceptor::accept_one(Listener& listener) {
    os::Address peer;
    Result<int> fd = os::accept_stream(listener.fd, peer);
    if (!fd) {
        return fd.error();
    }
    if (!peer.is_local()) {
        last_distant_at_ = loop_.iteration_time();
    }
    return service_.take({*fd, peer, listener.port_index, listener.nodelay});
}

// A handler that blocks would hold up a second connection of this worker, while another worker is
// idle. That one has been woken for it, or is now; otherwise it is taken when the first request of
// the connection before has ended, at the latest kWait later. Peers that say nothing at first, or
// whose requests take longer without blocking, would bring that delay for each of them: when a wait
// was in vain there is none for a while, so that little of the time is spent waiting.
bool Acceptor::sibling_is_free() const {
    for (uint32_t i = 0; i < board_.size(); i++) {
        const shm::WorkerLine& line = board_.line(i);
        if (i != settings_.worker && line.concurrency.get() == 0 &&
            line.connections.get() < connections_.size() &&
            line.state.load(std::memory_order_relaxed) == shm::WorkerState::kRunning) {
            return true;
        }
    }
    return false;
}

// True when accepting may go on at once.
bool Acceptor::failed(const Error& error) {
    if (error.is_system(EAGAIN) || error.is_system(EINVAL)) {  // it does not listen any more
        return false;
    }
    if (error.is_system(EMFILE) || error.is_system(ENFILE) || error.is_system(ENOBUFS) ||
        error.is_system(ENOMEM)) {
        make_room(100 * kMillisecond);  // connections wait in the kernel's queue meanwhile
        return false;
    }
    return true;  // the peer went away again, or the network had a fault: next one
}

void Acceptor::make_room(Nanos retry_after) {
    if (stopped_) {
        return;
    }
    Shares present = shares();
    leave(present, retry_after);
    pause_ = Pause::kForRoom;
    connections_.reclaim_idle(loop_.iteration_time());
}

Acceptor::Shares Acceptor::shares() const {
    Shares shares;
    for (uint32_t i = 0; i < board_.size(); i++) {
        const shm::WorkerLine& line = board_.line(i);
        if (line.state.load(std::memory_order_relaxed) != shm::WorkerState::kRunning ||
            line.worker.load(std::memory_order_relaxed) >= settings_.workers) {
            continue;  // or no worker, but a task worker or a user process
        }
        uint64_t connections = line.connections.get();
        shares.total += connections;
        shares.workers++;
        if (connections < shares.fewest && i != settings_.worker) {
            shares.fewest = connections;
            shares.other = i;
        }
    }
    return shares;
}

// The kernel wakes workers in a fixed order, so without this rule the first would get nearly
// everything. A worker with clearly more connections than the average looks away for a moment; when
// it looks again and the connection is still there, the others were busy and it takes it.
bool Acceptor::has_more_than_its_share(const Shares& shares) const {
    uint64_t fair = shares.workers > 0 ? shares.total / shares.workers : 0;
    return shares.other != kNone && connections_.size() > fair + fair / 16 + 2;
}

void Acceptor::leave(const Shares& shares, Nanos retry_after) {
    pause(Pause::kForOthers, retry_after);
    if (shares.other != kNone && settings_.workers > 1) {
        host_.leave_connection_to(shares.other);
    }
}

// Adding a listener to the poller again asks it what is there. A worker that has left connections
// to others has fewer than they by now.
void Acceptor::look() {
    if (pause_ == Pause::kForOthers) {
        go_on();
        return;
    }
    for (auto& listener : listeners_) {
        if (listener->watched) {
            loop_.unwatch(*listener);
            listener->watched = !loop_.watch(*listener);
        }
    }
}

void Acceptor::unwatch_all() {
    for (auto& listener : listeners_) {
        if (listener->watched) {
            loop_.unwatch(*listener);
            listener->watched = false;
        }
    }
}

void Acceptor::pause(Pause why, Nanos retry_after) {
    unwatch_all();
    pause_ = why;
    awaited_ = 0;
    if (!stopped_) {
        loop_.arm(retry_, retry_after);
    }
}

void Acceptor::retry() {
    if (awaited_ != 0) {
        wait_again_at_ = loop_.iteration_time() + kNotAgainFor;
    }
    resume(true);
}

void Acceptor::resume(bool forced) {
    awaited_ = 0;
    pause_ = Pause::kNone;
    for (auto& listener : listeners_) {
        if (!listener->watched) {
            listener->watched = !loop_.watch(*listener);
            listener->forced = forced;
        }
    }
}

void Acceptor::go_on() {
    loop_.disarm(retry_);
    resume(false);
}

bool Acceptor::take_queued(int fd, uint32_t port_index) {
    Listener listener{};
    listener.fd = fd;
    listener.port_index = port_index;
    listener.nodelay = os::has_nodelay(fd);
    while (!connections_.full()) {
        Result<int64_t> taken = accept_one(listener);
        if (!taken && !failed(taken.error())) {
            return pause_ != Pause::kForRoom;
        }
    }
    return false;
}

bool Acceptor::may_have_handshakes() const {
    return loop_.iteration_time() - last_distant_at_ < kHandshakes;
}

void Acceptor::stop() {
    for (auto& listener : listeners_) {
        (void)take_queued(listener->fd, listener->port_index);
    }
    stopped_ = true;
    unwatch_all();
    awaited_ = 0;
    loop_.disarm(retry_);
}

}  // namespace stampede::server
