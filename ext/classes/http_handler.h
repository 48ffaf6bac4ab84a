// The Handler of PHP applications: a coroutine for each request, in which the event `request` is
// called. Owned by the worker; PHP thread.
#pragma once

#include "classes/server_state.h"
#include "runtime/runtime.h"
#include "server/exchange.h"

namespace stampede::classes {

class HttpHandler final : public server::Handler {
public:
    explicit HttpHandler(ServerState& state);
    ~HttpHandler() override;

    void handle(server::Exchange& exchange) override;
    void cut_off(server::Exchange& exchange) override;
    void drained(server::Exchange& exchange) override;
    void opened(net::Connection& connection) override;
    void closed(net::Connection& connection) override;

    const RequestOptions& request_options() const { return options_; }

private:
    struct RequestJob : runtime::Job {
        HttpHandler* handler;
        server::Exchange* exchange;
        RequestJob* next_free;
        zval arguments[2];  // Request and Response
    };
    struct ConnectionJob;

    static void run(runtime::Job& job);
    static void finished(runtime::Job& job, runtime::Outcome outcome, zend_object* exception);
    RequestJob& take_job(server::Exchange& exchange);
    void return_job(RequestJob& job);
    zend::Callable* callback_for(const server::Exchange& exchange, ServerEvent event);
    void run_directly(RequestJob& job);
    void tell_connection(ServerEvent event, net::Connection& connection);

    ServerState& state_;
    RequestOptions options_;
    RequestJob* free_jobs_ = nullptr;
    bool telling_ = false;  // connect or close has a function
};

}  // namespace stampede::classes
