// Coroutines for requests: each calls a function with Request and Response, and what became of it
// is what the peer hears. Used by every Handler that runs PHP; owned by it, outlives its exchanges.
// PHP thread.
#pragma once

#include "ext/server/request_options.h"
#include "runtime/runtime.h"
#include "server/exchange.h"
#include "zend/call.h"

namespace stampede::classes {

// A handler failed: 500 when nothing was sent yet, else the response is cut off.
void fail_exchange(server::Exchange& exchange);
// Asked of a request that waited.
bool client_has_left(const server::Exchange& exchange);

class RequestJobs {
public:
    explicit RequestJobs(const RequestOptions& options);
    ~RequestJobs();
    RequestJobs(const RequestJobs&) = delete;
    RequestJobs& operator=(const RequestJobs&) = delete;

    // Calls at once; further ones wait in the order in which they came. The option
    // worker_max_concurrency, 0 for any number.
    void set_limit(int64_t limit) {
        limit_ = limit > 0 ? static_cast<uint64_t>(limit) : UINT64_MAX;
    }

    // The calls that are under way hold their places for good: those that wait, and all that would,
    // get 503.
    void refuse_waiting();
    size_t waiting() const { return waiting_; }

    // In a coroutine of its own. 503 when there can be none.
    void run_in_coroutine(server::Exchange& exchange, zend::Callable& callback);
    // The same, or outside coroutines, for a server without them.
    void run(server::Exchange& exchange, zend::Callable& callback, bool in_coroutine);

    // The request of this job; null: the job is of another kind.
    static server::Exchange* exchange_of(const runtime::Job* job);
    // The request that the present coroutine was made for; null: none, or it has ended.
    static server::Exchange* present_exchange();

    // Parks the coroutine until wake(): the peer has to read first. Several may wait for one
    // response.
    static runtime::WakeReason wait_to_write(server::Exchange& exchange);
    // What Handler::drained() does: a coroutine that waits to write more looks again.
    static void wake(server::Exchange& exchange, runtime::WakeReason reason);
    // The same for body_arrived(): it may wait to read more.
    static void wake_reader(server::Exchange& exchange, runtime::WakeReason reason);
    // Both, for cut_off().
    static void wake_all(server::Exchange& exchange, runtime::WakeReason reason);

private:
    struct RequestJob : runtime::Job {
        RequestJobs* owner;
        server::Exchange* exchange;
        zend::Callable* callback;
        RequestJob* next;   // that is free, or that waits
        bool runs = false;  // counted
        zval arguments[2];  // Request and Response
    };

    static void call(runtime::Job& job);
    static void finished(runtime::Job& job, runtime::Outcome outcome, zend_object* exception);
    struct StartTask : loop::Task {
        RequestJobs* owner;
    };

    static constexpr size_t kMostWaiting = 10000;

    void start(RequestJob& job);
    void refuse(RequestJob& job);
    bool wait_for_turn(RequestJob& job);
    void start_waiting();
    RequestJob& take(server::Exchange& exchange, zend::Callable& callback);
    void give_back(RequestJob& job);

    const RequestOptions& options_;
    RequestJob* free_ = nullptr;
    uint64_t limit_ = UINT64_MAX;
    uint64_t running_ = 0;
    RequestJob* first_waiting_ = nullptr;
    RequestJob* last_waiting_ = nullptr;
    size_t waiting_ = 0;
    bool refuses_to_wait_ = false;
    StartTask start_task_;
};

}  // namespace stampede::classes
