#include "ext/server/http_handler.h"

#include "ext/server/response_spool.h"

#include "ext/server/objects.h"
#include "ext/server/port_settings.h"
#include "ext/server/tls.h"
#include "ext/server/websocket_handshake.h"
#include "os/log.h"
#include "server/request_id.h"
#include "zend/log_message.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Outcome;

namespace {

HttpHandler* present_handler;

bool tells_of_connections(EventTable& events) {
    return events.has(ServerEvent::kConnect) || events.has(ServerEvent::kClose) ||
           events.has(ServerEvent::kDisconnect);
}

uint32_t port_of(const server::Exchange& exchange) {
    return exchange.connection() != nullptr ? exchange.connection()->port_index : 0;
}

void refuse_bad_request(server::Exchange& exchange) {
    server::ResponseHead head;
    head.status = 400;
    exchange.send_head(head, 0);
    exchange.finish();
}

}  // namespace

WebSocketHub* websocket_hub() {
    return present_handler != nullptr ? present_handler->hub() : nullptr;
}

void refuse_waiting_requests() {
    if (present_handler != nullptr) {
        present_handler->refuse_waiting();
    }
}

namespace {

std::string_view name_of_request(char (&room)[zend::kRequestNameRoom]) {
    static_assert(zend::kRequestNameRoom >= server::kRequestIdSize);
    server::Exchange* exchange = RequestJobs::present_exchange();
    if (exchange == nullptr || exchange->connection() == nullptr) {
        return {};
    }
    return server::request_id(*exchange, exchange->connection()->peer, room);
}

}  // namespace

HttpHandler::HttpHandler(ServerState& state)
    : state_(state),
      receive_handler_(state),
      rewriter_(state.settings.url_rewrite_rules),
      isolation_(metrics::isolation_of(state.settings.metrics_isolation)) {
    options_.request_id = state.settings.request_id;
    if (state.settings.request_id) {
        zend::name_requests_by(name_of_request);
    }
    options_.parse_cookie = state.settings.http_parse_cookie;
    options_.parse_body = state.settings.http_parse_post;
    options_.files_as_in_php = state.settings.http_parse_files;
    options_.upload_dir = state.settings.upload_tmp_dir.c_str();
    options_.body_limit = static_cast<uint64_t>(state.settings.package_max_length);
    // Without coroutines nobody could wait for the rest.
    options_.stream_body =
        state.settings.http_stream_request_body && state.settings.enable_coroutine;
    if (state.settings.upload_max_total > 0) {
        upload_room_.most = static_cast<uint64_t>(state.settings.upload_max_total) /
                            static_cast<uint64_t>(state.settings.worker_num);
        options_.upload_room = &upload_room_;
    }
    jobs_.set_limit(state.settings.worker_max_concurrency);
    ResponseSpool::get().set(static_cast<size_t>(state.settings.response_spool_size),
                             state.settings.upload_tmp_dir);
    options_.upload_limit = static_cast<uint64_t>(state.settings.upload_max_filesize);
    for (auto& port : state.ports) {
        telling_ = telling_ || tells_of_connections(port->events);
    }
    telling_ = telling_ || tells_of_connections(state.events);
    if (state.settings.enable_static_handler) {
        open_document_root();
    }
    if (state.speaks_websocket) {
        hub_ = std::make_unique<WebSocketHub>(state, jobs_, options_);
    }
    present_handler = this;
}

// The supervisor has looked at it before any worker began; it may have gone since.
void HttpHandler::open_document_root() {
    auto files = server::StaticFiles::create(static_settings(state_.settings));
    if (files) {
        files_ = std::move(*files);
    } else {
        os::Log::get().write(os::LogLevel::kError,
                             "document_root \"%s\" cannot be opened: %s. No files are served.",
                             state_.settings.document_root.c_str(),
                             strerror(static_cast<int>(files.error().code())));
    }
}

HttpHandler::~HttpHandler() { present_handler = nullptr; }

// With rules, what none of them fits is the application's.
bool HttpHandler::serve_file(server::Exchange& exchange) {
    if (!rewriter_.has_rules()) {
        return files_->serve(exchange);
    }
    std::string path;
    return rewriter_.rewrite(exchange.text(exchange.head.path), exchange.text(exchange.head.query),
                             path) &&
           files_->serve_as(exchange, path);
}

void HttpHandler::handle(server::Exchange& exchange) {
    if (files_ != nullptr && serve_file(exchange)) {
        return;
    }
    if (hub_ != nullptr && asks_for_websocket(exchange)) {
        if (state_.ports[port_of(exchange)]->websocket) {
            hub_->handle(exchange);
            return;
        }
        if (exchange.stream_id() != 0) {  // the stream wants to be nothing else
            refuse_bad_request(exchange);
            return;
        }
    }
    zend::Callable& callback = callback_of(state_, port_of(exchange), ServerEvent::kRequest);
    if (!callback) {  // of a WebSocket server that serves no HTTP
        refuse_bad_request(exchange);
        return;
    }
    exchange.isolation = isolation_;
    jobs_.run(exchange, callback, state_.settings.enable_coroutine);
}

void HttpHandler::body_begins(server::Exchange& exchange) {
    RequestOptions options = options_;
    options.body_limit = exchange.body_limit();
    objects.plan_body(exchange, options);
}

void HttpHandler::cut_off(server::Exchange& exchange) {
    RequestJobs::wake_all(exchange, runtime::WakeReason::kClosed);
}

void HttpHandler::body_arrived(server::Exchange& exchange) {
    RequestJobs::wake_reader(exchange, runtime::WakeReason::kReady);
}

void HttpHandler::drained(server::Exchange& exchange) {
    RequestJobs::wake(exchange, runtime::WakeReason::kReady);
}

void HttpHandler::opened(net::Connection& connection) {
    if (telling_) {
        receive_handler_.tell(ServerEvent::kConnect, connection);
    }
}

void HttpHandler::closed(net::Connection& connection) {
    if (!telling_ || !connection.announced) {
        return;
    }
    bool never_opened = hub_ != nullptr && !hub_->had(connection.id()) &&
                        state_.ports[connection.port_index]->kind == PortKind::kHttp &&
                        callback_of(state_, connection.port_index, ServerEvent::kDisconnect);
    receive_handler_.tell(never_opened ? ServerEvent::kDisconnect : ServerEvent::kClose,
                          connection);
}

}  // namespace stampede::classes
