#include "classes/http_handler.h"

#include "classes/http_response.h"
#include "os/log.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Outcome;

HttpHandler::HttpHandler(ServerState& state) : state_(state) {
    options_.parse_cookie = state.settings.http_parse_cookie;
    options_.parse_body = state.settings.http_parse_post;
    options_.parse_files = state.settings.http_parse_files;
    options_.upload_dir = state.settings.upload_tmp_dir.c_str();
    for (auto& port : state.ports) {
        telling_ = telling_ || port->events.has(ServerEvent::kConnect) ||
                   port->events.has(ServerEvent::kClose);
    }
    telling_ = telling_ || state.events.has(ServerEvent::kConnect) ||
               state.events.has(ServerEvent::kClose);
}

HttpHandler::~HttpHandler() {
    while (free_jobs_ != nullptr) {
        RequestJob* next = free_jobs_->next_free;
        delete free_jobs_;
        free_jobs_ = next;
    }
}

HttpHandler::RequestJob& HttpHandler::take_job(server::Exchange& exchange) {
    RequestJob* job = free_jobs_;
    if (job != nullptr) {
        free_jobs_ = job->next_free;
    } else {
        job = new RequestJob();
        job->run = run;
        job->finished = finished;
        job->handler = this;
    }
    exchange.hold();
    job->exchange = &exchange;
    return *job;
}

void HttpHandler::return_job(RequestJob& job) {
    job.exchange->release();
    job.next_free = free_jobs_;
    free_jobs_ = &job;
}

void HttpHandler::handle(server::Exchange& exchange) {
    RequestJob& job = take_job(exchange);
    ZVAL_UNDEF(&job.arguments[0]);
    ZVAL_UNDEF(&job.arguments[1]);
    if (!state_.settings.enable_coroutine) {
        run_directly(job);
        return;
    }
    int64_t cid = runtime::Runtime::get().spawn(job);
    if (cid < 0) {  // as many coroutines as are allowed, or no memory for one more
        server::ResponseHead head;
        head.status = 503;
        exchange.send_head(head, 0);
        exchange.finish();
        return_job(job);
    }
}

void HttpHandler::run_directly(RequestJob& job) {
    zend::Callable* callback = callback_for(*job.exchange, ServerEvent::kRequest);
    ZVAL_OBJ(&job.arguments[0], make_request(*job.exchange, options_));
    ZVAL_OBJ(&job.arguments[1], make_response(*job.exchange));
    Outcome outcome = zend::call_guarded(*callback, 2, job.arguments, nullptr);
    finished(job, outcome,
             outcome == Outcome::kThrew || outcome == Outcome::kExited ? zend::pending_exception()
                                                                       : nullptr);
    zend::drop_exception();
}

zend::Callable* HttpHandler::callback_for(const server::Exchange& exchange, ServerEvent event) {
    uint32_t port = exchange.connection() != nullptr ? exchange.connection()->port_index : 0;
    EventTable& own = state_.ports[port]->events;
    return own.has(event) ? &own.at(event) : &state_.events.at(event);
}

void HttpHandler::run(runtime::Job& base) {
    auto& job = static_cast<RequestJob&>(base);
    zend::Callable* callback = job.handler->callback_for(*job.exchange, ServerEvent::kRequest);
    ZVAL_OBJ(&job.arguments[0], make_request(*job.exchange, job.handler->options_));
    ZVAL_OBJ(&job.arguments[1], make_response(*job.exchange));
    zend::call(*callback, 2, job.arguments, nullptr);
}

void HttpHandler::finished(runtime::Job& base, Outcome outcome, zend_object* exception) {
    auto& job = static_cast<RequestJob&>(base);
    server::Exchange& exchange = *job.exchange;
    if (outcome == Outcome::kBailed) {  // the objects belong to a broken state of the engine: they
                                        // are left alone
        fail_exchange(exchange);
        job.handler->return_job(job);
        return;
    }
    if (outcome == Outcome::kThrew && exception != nullptr) {
        zend_string* text = zend::format_exception(exception);
        os::Log::get().write(os::LogLevel::kError, "the handler of \"%.*s %.*s\" failed: %s",
                             static_cast<int>(exchange.head.method_text.length),
                             exchange.text(exchange.head.method_text).data(),
                             static_cast<int>(exchange.head.target.length),
                             exchange.text(exchange.head.target).data(), ZSTR_VAL(text));
        zend_string_release(text);
        if (!exchange.detached()) {
            fail_exchange(exchange);
        }
    } else if (outcome == Outcome::kExited && Z_TYPE(job.arguments[1]) == IS_OBJECT) {
        ResponseObject* response = response_of(Z_OBJ(job.arguments[1]));
        if (response->exchange != nullptr) {
            finish_response(*response, 200);
        }
    }
    zval_ptr_dtor(&job.arguments[0]);
    zval_ptr_dtor(&job.arguments[1]);
    job.handler->return_job(job);
}

// A coroutine may wait to write more.
void HttpHandler::cut_off(server::Exchange& exchange) {
    runtime::Runtime::get().wake(*static_cast<runtime::Fiber*>(exchange.user),
                                 runtime::WakeReason::kClosed);
}

void HttpHandler::drained(server::Exchange& exchange) {
    if (exchange.user != nullptr) {
        runtime::Runtime::get().wake(*static_cast<runtime::Fiber*>(exchange.user),
                                     runtime::WakeReason::kReady);
    }
}

// The events connect and close, each in a coroutine of its own.
struct HttpHandler::ConnectionJob : runtime::Job, loop::Task {
    ServerState* state;
    zend::Callable* callback;
    zend_long fd;
    zend_long reactor;

    static void start(loop::Task& task) {
        auto& self = static_cast<ConnectionJob&>(task);
        if (runtime::Runtime::get().spawn(self) < 0) {
            delete &self;
        }
    }
    static void call(runtime::Job& job) {
        auto& self = static_cast<ConnectionJob&>(job);
        zval arguments[3];
        ZVAL_OBJ_COPY(&arguments[0], self.state->object);
        ZVAL_LONG(&arguments[1], self.fd);
        ZVAL_LONG(&arguments[2], self.reactor);
        zend::call(*self.callback, 3, arguments, nullptr);
        zval_ptr_dtor(&arguments[0]);
    }
    static void end(runtime::Job& job, Outcome outcome, zend_object* exception) {
        if (outcome == Outcome::kThrew && exception != nullptr) {
            zend_string* text = zend::format_exception(exception);
            os::Log::get().write_text(os::LogLevel::kError, ZSTR_VAL(text), ZSTR_LEN(text));
            zend_string_release(text);
        }
        delete &static_cast<ConnectionJob&>(job);
    }
};

void HttpHandler::tell_connection(ServerEvent event, net::Connection& connection) {
    EventTable& own = state_.ports[connection.port_index]->events;
    zend::Callable* callback = own.has(event) ? &own.at(event) : &state_.events.at(event);
    if (!*callback) {
        return;
    }
    auto* job = new ConnectionJob();
    job->Job::run = ConnectionJob::call;
    job->finished = ConnectionJob::end;
    job->Task::run = ConnectionJob::start;
    job->state = &state_;
    job->callback = callback;
    job->fd = static_cast<zend_long>(connection.id());
    bool by_server = connection.close_cause() == net::CloseCause::kServer;
    job->reactor = by_server ? -1 : static_cast<zend_long>(state_.place.worker);
    connection.hub().loop().enqueue(*job);  // user code runs in the ready phase only
}

void HttpHandler::opened(net::Connection& connection) {
    if (telling_) {
        tell_connection(ServerEvent::kConnect, connection);
    }
}

void HttpHandler::closed(net::Connection& connection) {
    if (telling_) {
        tell_connection(ServerEvent::kClose, connection);
    }
}

}  // namespace stampede::classes
