#include "ext/server/request_jobs.h"

#include "runtime/stuck_call.h"

#include "ext/server/event_job.h"
#include "ext/server/objects.h"
#include "runtime/task_end.h"
#include "server/service.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Outcome;

namespace {

void fail_with(server::Exchange& exchange, int status, std::string_view text) {
    if (exchange.response() == server::ResponseState::kNone) {
        server::ResponseHead head;
        head.status = status;
        head.default_type = "text/plain";
        exchange.service().count_refusal(status);
        exchange.send_head(head, text.size());
        exchange.send_body(text);
        exchange.finish();
    } else {
        exchange.abort();
    }
}

}  // namespace

// A client that gives up ends its side of the connection, encrypted or not; one that ends it and
// still waits for the response is rare, and is told to come again. A stream of HTTP/2 that the
// client has reset is no longer connected once its worker has read the frame.
bool client_has_left(const server::Exchange& exchange) {
    const net::Connection* connection = exchange.connection();
    return connection == nullptr || os::peer_has_ended(connection->fd());
}

void fail_exchange(server::Exchange& exchange) {
    fail_with(exchange, 500, "Internal Server Error\n");
}

RequestJobs::RequestJobs(const RequestOptions& options) : options_(options) {
    start_task_.owner = this;
    start_task_.run = [](loop::Task& task) {
        static_cast<StartTask&>(task).owner->start_waiting();
    };
}

RequestJobs::~RequestJobs() {
    start_task_.unlink();
    while (first_waiting_ != nullptr) {
        RequestJob* next = first_waiting_->next;
        give_back(*first_waiting_);
        first_waiting_ = next;
    }
    while (free_ != nullptr) {
        RequestJob* next = free_->next;
        delete free_;
        free_ = next;
    }
}

RequestJobs::RequestJob& RequestJobs::take(server::Exchange& exchange, zend::Callable& callback) {
    RequestJob* job = free_;
    if (job != nullptr) {
        free_ = job->next;
    } else {
        job = new RequestJob();
        job->run = call;
        job->finished = finished;
        job->owner = this;
    }
    exchange.hold();
    job->exchange = &exchange;
    job->callback = &callback;
    ZVAL_UNDEF(&job->arguments[0]);
    ZVAL_UNDEF(&job->arguments[1]);
    return *job;
}

void RequestJobs::give_back(RequestJob& job) {
    job.exchange->release();
    if (job.runs) {
        job.runs = false;
        running_--;
        if (UNEXPECTED(first_waiting_ != nullptr) && !start_task_.linked()) {
            runtime::Runtime::get().loop().enqueue(start_task_);
        }
    }
    job.next = free_;
    free_ = &job;
}

void RequestJobs::run_in_coroutine(server::Exchange& exchange, zend::Callable& callback) {
    RequestJob& job = take(exchange, callback);
    if (UNEXPECTED(running_ >= limit_ || first_waiting_ != nullptr)) {
        if (!wait_for_turn(job)) {
            refuse(job);
        }
        return;
    }
    start(job);
}

void RequestJobs::start(RequestJob& job) {
    job.runs = true;
    running_++;
    if (runtime::Runtime::get().spawn(job) < 0) {  // too many coroutines, or no memory for one
        refuse(job);
    }
}

void RequestJobs::refuse(RequestJob& job) {
    static constexpr server::FieldRef kLater = {"Retry-After", "1"};
    server::ResponseHead head;
    head.status = 503;
    head.fields = &kLater;
    head.field_count = 1;
    job.exchange->service().count_refusal(head.status);
    job.exchange->send_head(head, 0);
    job.exchange->finish();
    give_back(job);
}

bool RequestJobs::wait_for_turn(RequestJob& job) {
    if (waiting_ >= kMostWaiting || refuses_to_wait_) {
        return false;
    }
    waiting_++;
    job.next = nullptr;
    (first_waiting_ == nullptr ? first_waiting_ : last_waiting_->next) = &job;
    last_waiting_ = &job;
    return true;
}

void RequestJobs::refuse_waiting() {
    refuses_to_wait_ = true;
    while (RequestJob* job = first_waiting_) {
        first_waiting_ = job->next;
        waiting_--;
        refuse(*job);
    }
}

void RequestJobs::start_waiting() {
    while (first_waiting_ != nullptr && running_ < limit_) {
        RequestJob& job = *first_waiting_;
        first_waiting_ = job.next;
        waiting_--;
        if (job.exchange->connection() == nullptr) {  // its client has gone
            give_back(job);
        } else if (client_has_left(*job.exchange)) {
            refuse(job);
        } else {
            start(job);
        }
    }
}

void RequestJobs::run(server::Exchange& exchange, zend::Callable& callback, bool in_coroutine) {
    if (EXPECTED(in_coroutine)) {
        run_in_coroutine(exchange, callback);
    } else {
        runtime::Runtime::get().run_here(take(exchange, callback));
    }
}

server::Exchange* RequestJobs::exchange_of(const runtime::Job* job) {
    return job != nullptr && job->run == call ? static_cast<const RequestJob*>(job)->exchange
                                              : nullptr;
}

server::Exchange* RequestJobs::present_exchange() {
    const runtime::Fiber* fiber = runtime::Runtime::get().current();
    return fiber != nullptr ? exchange_of(fiber->job) : nullptr;
}

void RequestJobs::call(runtime::Job& base) {
    auto& job = static_cast<RequestJob&>(base);
    if (job.exchange->service().metrics() != nullptr) {
        job.exchange->handled_at = monotonic_now();
    }
    ZVAL_OBJ(&job.arguments[0], objects.make_request(*job.exchange, job.owner->options_));
    ZVAL_OBJ(&job.arguments[1], objects.make_response(*job.exchange));
    zval returned;
    zend::call(*job.callback, 2, job.arguments, &returned);
    runtime::keep_result(returned);
    zval_ptr_dtor(&returned);
}

void RequestJobs::finished(runtime::Job& base, Outcome outcome, zend_object* exception) {
    auto& job = static_cast<RequestJob&>(base);
    server::Exchange& exchange = *job.exchange;
    if (outcome == Outcome::kBailed) {  // the objects belong to a broken state of the engine: they
                                        // are left alone
        if (runtime::take_stuck_end()) {
            fail_with(exchange, 504, "Gateway Timeout\n");
        } else {
            fail_exchange(exchange);
        }
        job.owner->give_back(job);
        return;
    }
    if (outcome == Outcome::kThrew && exception != nullptr) {
        std::string what = "the handler of \"";
        what.append(exchange.text(exchange.head.method_text)).append(" ");
        what.append(exchange.text(exchange.head.target)).append("\" failed: ");
        log_exception(what, exception);
        if (!exchange.detached()) {
            fail_exchange(exchange);
        }
    } else if (outcome == Outcome::kExited && Z_TYPE(job.arguments[1]) == IS_OBJECT) {
        objects.end_response(Z_OBJ(job.arguments[1]));
    }
    zval_ptr_dtor(&job.arguments[0]);
    zval_ptr_dtor(&job.arguments[1]);
    job.owner->give_back(job);
}

runtime::WakeReason RequestJobs::wait_to_write(server::Exchange& exchange) {
    runtime::Runtime& runtime = runtime::Runtime::get();
    runtime::Fiber& self = *runtime.current();
    exchange.writers.push_back(self.wait);
    runtime::WakeReason reason = runtime.park(kNever);
    self.wait.unlink();
    return reason;
}

void RequestJobs::wake(server::Exchange& exchange, runtime::WakeReason reason) {
    while (ListNode* writer = exchange.writers.pop_front()) {
        runtime::Runtime::get().wake(*static_cast<runtime::Fiber::WaitNode*>(writer)->fiber,
                                     reason);
    }
}

void RequestJobs::wake_reader(server::Exchange& exchange, runtime::WakeReason reason) {
    if (ListNode* reader = exchange.readers.front()) {  // it leaves the list when it runs
        runtime::Runtime::get().wake(*static_cast<runtime::Fiber::WaitNode*>(reader)->fiber,
                                     reason);
    }
}

void RequestJobs::wake_all(server::Exchange& exchange, runtime::WakeReason reason) {
    wake(exchange, reason);
    wake_reader(exchange, reason);
}

}  // namespace stampede::classes
