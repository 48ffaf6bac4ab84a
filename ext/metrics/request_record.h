// What one request has spent its time on: waits by kind, and CPU. Written by the coroutine of the
// request and by those that it has created, each of which holds a reference; read when the head of
// the response is sent and when the request ends. PHP thread, never parks.
//
// CPU is that of the thread between two marks. A mark is set wherever a coroutine begins to run, or
// stops: what was computed since the mark before belongs to the record of the coroutine that stops,
// or to nobody.
//
//   A runs  ......  A waits        loop, others        A runs  ......
//           charge(A's record)               charge(nullptr)
//
// As long as no request has a record nothing is marked and nothing is measured.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "metrics/waits.h"

namespace stampede::metrics {

class RequestRecord {
public:
    struct Waits {
        uint32_t count = 0;
        Nanos time = 0;
    };

    // Of the code that runs; counts from now on. `queued`: how long the request has waited before.
    static RequestRecord* begin(Nanos queued);
    RequestRecord* hold() {
        references_++;
        return this;
    }
    void release();

    void add(WaitKind kind, Nanos duration) {
        Waits& waits = waits_[static_cast<size_t>(kind)];
        waits.count++;
        waits.time += duration;
    }

    Nanos queued() const { return queued_; }
    Nanos duration() const { return monotonic_now() - began_at_; }
    const Waits& waits(WaitKind kind) const { return waits_[static_cast<size_t>(kind)]; }
    // Of its coroutines, and of everything else that this thread has done meanwhile.
    Nanos cpu() const { return cpu_; }
    Nanos others_cpu() const { return thread_cpu_now() - thread_began_at_ - cpu_; }

    // What the application calls its kind of request.
    std::string route;
    // Whose head has a field Server-Timing. Only to be compared; null: none, or it was sent.
    const void* shown_in = nullptr;

private:
    friend void charge(RequestRecord* record);
    explicit RequestRecord(Nanos queued);

    uint32_t references_ = 1;
    Nanos queued_;
    Nanos began_at_;
    Nanos thread_began_at_;
    Nanos cpu_ = 0;
    std::array<Waits, static_cast<size_t>(WaitKind::kCount)> waits_;
};

// How many there are: what must cost nothing without records looks at this alone.
extern uint32_t live_records;

// The mark is moved to now, and what was computed since it is that of the record; null: nobody's.
void charge(RequestRecord* record);

// The value of a field Server-Timing: queue, CPU, each kind of wait.
std::string server_timing(const RequestRecord& record);

}  // namespace stampede::metrics
