// What every process of a server may know of the others: a line per worker with its state and
// counters, and the requests that each has in flight, so that the supervisor can name them after a
// crash. Each line has one writer, the worker itself (state and pid: also the supervisor); readers
// take what they see. Owned by the supervisor, inherited by fork. Any process, never parks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "os/mmap.h"

namespace stampede::shm {

// kLeaving: has no connection any more, and passes on what comes for those that it has given away.
// kEnded: reads and sends nothing any more.
enum class WorkerState : uint32_t { kEmpty, kStarting, kRunning, kDraining, kLeaving, kEnded };

// Written by its worker without a lock or an order, and read by the supervisor after that worker
// has ended: then nothing changes any more, and all stores are done. One that was killed while it
// filled an entry has not set `since` yet, or has the text of the request before.
struct InFlight {
    static constexpr size_t kTextSize = 94;

    // No initial values: memory that nothing has touched yet is zero, and costs nothing.
    Nanos since;  // 0: the entry is free
    int64_t connection_id;
    // Of its connection, while another process that has the descriptor could write the response;
    // -1: not any more, or it never could.
    int32_t answerable_fd;
    int32_t stream_id;  // of HTTP/2
    // Who responds, by std::atomic_ref, for all processes: the number of the request in its worker
    // in the lower half, in the upper one the response of another process that it is promised to
    // (0: none). 0 as a whole: no request.
    alignas(8) uint64_t claim;
    uint8_t given_up;  // its handler leaves it to somebody else
    uint8_t length;
    char text[kTextSize];  // method and target, cut
};
static_assert(sizeof(InFlight) == 128);

// A counter with one writing process: a plain load and store, visible to all. No locked
// instruction, which would cost many times as much in the path of each request; with a second
// writer counts would be lost. Relaxed: each counter is good for itself, and two of them need not
// be of the same moment.
class Counter {
public:
    void add(uint64_t delta) {
        value_.store(value_.load(std::memory_order_relaxed) + delta, std::memory_order_relaxed);
    }
    void sub(uint64_t delta) { add(~delta + 1); }
    void set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
    uint64_t get() const { return value_.load(std::memory_order_relaxed); }
    std::atomic<uint64_t>& raw() { return value_; }

private:
    std::atomic<uint64_t> value_{0};
};

// The memory: Head, then a line for each place of a worker. Aligned to cache lines, so that no two
// workers write to the same one. A worker that is replaced and its successor have different lines
// for as long as both are there.
struct alignas(64) WorkerLine {
    // Memory that is not touched costs nothing. More than these are handled as well, but are not
    // named after a crash, and other processes cannot tell them apart.
    static constexpr uint32_t kInFlight = 32768;

    std::atomic<WorkerState> state{WorkerState::kEmpty};
    std::atomic<int32_t> pid{0};
    std::atomic<uint32_t> worker{0};         // whose line it is now
    std::atomic<uint64_t> next_sequence{1};  // of connection numbers; goes on over restarts
    Counter connections;
    Counter accepted;
    Counter closed;
    Counter aborted;
    Counter refused;          // connections that were not let in
    Counter access_log_lost;  // lines
    Counter requests;         // of the present process
    Counter requests_ever;
    Counter responses;
    Counter concurrency;
    Counter bytes_in;
    Counter bytes_out;
    Counter coroutines;
    Counter coroutines_peak;
    Counter highest_fd;         // descriptor that a connection has had
    Counter iteration_started;  // monotonic nanoseconds; 0 while the loop waits
    // How many of the entries were ever used: the first ones, by this process or one before it.
    std::atomic<uint32_t> in_flight_used{0};
    InFlight in_flight[kInFlight];

    std::span<InFlight> used() { return {in_flight, in_flight_used.load()}; }
    std::span<const InFlight> used() const { return {in_flight, in_flight_used.load()}; }
};

class Scoreboard {
public:
    static Result<std::unique_ptr<Scoreboard>> create(uint32_t workers);

    uint32_t size() const { return workers_; }
    WorkerLine& line(uint32_t worker) { return lines_[worker]; }
    // How many places of workers have one now: the first ones. Set by the supervisor.
    uint32_t active_workers() const { return head_->active_workers.load(); }
    void set_active_workers(uint32_t number) { head_->active_workers.store(number); }
    // The whole server stops: workers that end have no successors.
    bool stopping() const { return head_->stopping.load(); }
    void set_stopping() { head_->stopping.store(true); }
    // It soon will: responses end their connections, so that few are left to be closed.
    bool winding_down() const { return head_->winding_down.load(std::memory_order_relaxed); }
    void set_winding_down() { head_->winding_down.store(true, std::memory_order_relaxed); }
    // Sum of one counter over all workers.
    uint64_t total(Counter WorkerLine::*counter) const;
    // Forgets what a dead worker had in flight and open, which counts as closed; the other counters
    // of events stay.
    void bury(uint32_t worker);

private:
    struct alignas(64) Head {
        std::atomic<uint32_t> active_workers{0};
        std::atomic<bool> stopping{false};
        std::atomic<bool> winding_down{false};
    };

    Scoreboard(os::SharedMemory memory, uint32_t workers);
    os::SharedMemory memory_;
    Head* head_;
    WorkerLine* lines_;
    uint32_t workers_;
};

// The entries of one worker for its requests in flight: a stack of free places, so that the same
// few stay in the cache.
class InFlightList {
public:
    explicit InFlightList(WorkerLine& line);
    // A place for a request, kNone when all are taken (the request is then not named after a
    // crash).
    uint16_t begin(std::string_view method, std::string_view target, int64_t connection_id,
                   Nanos now);
    void end(uint16_t place);
    // Lets other processes respond to it. The number that they know it by; 0 without a place.
    uint32_t offer(uint16_t place, int32_t stream_id);
    void set_given_up(uint16_t place, uint8_t given_up) {
        if (place != kNone) {
            line_.in_flight[place].given_up = given_up;
        }
    }
    // Promised to a response of another process.
    bool is_claimed(uint16_t place) const;
    // What InFlight says.
    void set_answerable(uint16_t place, int fd) {
        if (place != kNone) {
            line_.in_flight[place].answerable_fd = fd;
        }
    }

    static constexpr uint16_t kNone = 0xffff;

private:
    uint16_t take_unused();

    WorkerLine& line_;
    // Of the places that were used; room for all, of which only so much is touched.
    std::unique_ptr<uint16_t[]> free_;
    uint32_t free_count_ = 0;
    uint32_t last_number_ = 0;
};

// A request of another worker, as the processes that may respond to it see it.
struct OfferedRequest {
    enum class Found : uint8_t { kOne, kNone, kSeveral };
    Found found = Found::kNone;
    uint32_t number = 0;  // 0: the worker has more requests than its line names
};
// stream_id 0: whichever there is; of several, the one that was given up.
OfferedRequest find_offered(WorkerLine& line, int64_t connection_id, int32_t stream_id);
// Promises it to this response (not 0). False: it has one already, or does not wait any more.
bool claim_request(WorkerLine& line, int64_t connection_id, uint32_t number, uint32_t response);
// When nothing of the response could be sent.
void unclaim_request(WorkerLine& line, int64_t connection_id, uint32_t number, uint32_t response);

}  // namespace stampede::shm
