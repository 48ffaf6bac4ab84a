// Coroutines for requests: each calls a function with Request and Response, and what became of it
// is what the peer hears. Used by every Handler that runs PHP; owned by it, outlives its exchanges.
// PHP thread.
#pragma once

#include "classes/http/request.h"
#include "runtime/runtime.h"
#include "server/exchange.h"

namespace stampede::classes {

class RequestJobs {
public:
    explicit RequestJobs(const RequestOptions& options) : options_(options) {}
    ~RequestJobs();
    RequestJobs(const RequestJobs&) = delete;
    RequestJobs& operator=(const RequestJobs&) = delete;

    // In a coroutine of its own. 503 when there can be none.
    void run_in_coroutine(server::Exchange& exchange, zend::Callable& callback);
    // The same, or outside coroutines, for a server without them.
    void run(server::Exchange& exchange, zend::Callable& callback, bool in_coroutine);

    // Parks the coroutine until wake(): the peer has to read first. Several may wait for one
    // answer.
    static runtime::WakeReason wait_to_write(server::Exchange& exchange);
    // What Handler::drained() does: who waits to write more looks again.
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
        RequestJob* next_free;
        zval arguments[2];  // Request and Response
    };

    static void call(runtime::Job& job);
    static void finished(runtime::Job& job, runtime::Outcome outcome, zend_object* exception);
    RequestJob& take(server::Exchange& exchange, zend::Callable& callback);
    void give_back(RequestJob& job);

    const RequestOptions& options_;
    RequestJob* free_ = nullptr;
};

}  // namespace stampede::classes
