// The Handler of PHP applications: a coroutine for each request, in which the event `request` is
// called. Owned by the worker; PHP thread.
#pragma once

#include "ext/server/receive_handler.h"
#include "ext/server/request_jobs.h"
#include "ext/server/state.h"
#include "ext/server/websocket_hub.h"
#include "runtime/runtime.h"
#include "server/exchange.h"
#include "server/static/files.h"

namespace stampede::classes {

// See RequestJobs::refuse_waiting(); nothing where this process serves no HTTP.
void refuse_waiting_requests();

class HttpHandler final : public server::Handler {
public:
    explicit HttpHandler(ServerState& state);
    ~HttpHandler() override;

    void body_begins(server::Exchange& exchange) override;
    void handle(server::Exchange& exchange) override;
    void cut_off(server::Exchange& exchange) override;
    void body_arrived(server::Exchange& exchange) override;
    void drained(server::Exchange& exchange) override;
    void opened(net::Connection& connection) override;
    void closed(net::Connection& connection) override;

    ReceiveHandler& receive_handler() { return receive_handler_; }
    WebSocketHub* hub() { return hub_.get(); }
    void refuse_waiting() { jobs_.refuse_waiting(); }
    // Requests whose code has not begun: they wait for those before them.
    size_t waiting() const { return jobs_.waiting(); }
    const RequestOptions& request_options() const { return options_; }

private:
    void open_document_root();
    bool serve_file(server::Exchange& exchange);

    ServerState& state_;
    ReceiveHandler receive_handler_;
    std::unique_ptr<server::StaticFiles> files_;  // with enable_static_handler
    UrlRewriter rewriter_;
    metrics::Isolation isolation_;
    RequestOptions options_;
    server::UploadRoom upload_room_;
    RequestJobs jobs_{options_};
    std::unique_ptr<WebSocketHub> hub_;  // of a WebSocket server
    bool telling_ = false;               // connect, close or disconnect has a function
};

}  // namespace stampede::classes
