#include "classes/server/request_jobs.h"

#include "classes/http/response.h"
#include "os/log.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Outcome;

RequestJobs::~RequestJobs() {
    while (free_ != nullptr) {
        RequestJob* next = free_->next_free;
        delete free_;
        free_ = next;
    }
}

RequestJobs::RequestJob& RequestJobs::take(server::Exchange& exchange, zend::Callable& callback) {
    RequestJob* job = free_;
    if (job != nullptr) {
        free_ = job->next_free;
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
    job.next_free = free_;
    free_ = &job;
}

void RequestJobs::run_in_coroutine(server::Exchange& exchange, zend::Callable& callback) {
    RequestJob& job = take(exchange, callback);
    int64_t cid = runtime::Runtime::get().spawn(job);
    if (cid < 0) {  // as many coroutines as are allowed, or no memory for one more
        server::ResponseHead head;
        head.status = 503;
        exchange.send_head(head, 0);
        exchange.finish();
        give_back(job);
    }
}

void RequestJobs::run(server::Exchange& exchange, zend::Callable& callback, bool in_coroutine) {
    if (EXPECTED(in_coroutine)) {
        run_in_coroutine(exchange, callback);
    } else {
        runtime::Runtime::get().run_here(take(exchange, callback));
    }
}

void RequestJobs::call(runtime::Job& base) {
    auto& job = static_cast<RequestJob&>(base);
    ZVAL_OBJ(&job.arguments[0], make_request(*job.exchange, job.owner->options_));
    ZVAL_OBJ(&job.arguments[1], make_response(*job.exchange));
    zend::call(*job.callback, 2, job.arguments, nullptr);
}

void RequestJobs::finished(runtime::Job& base, Outcome outcome, zend_object* exception) {
    auto& job = static_cast<RequestJob&>(base);
    server::Exchange& exchange = *job.exchange;
    if (outcome == Outcome::kBailed) {  // the objects belong to a broken state of the engine: they
                                        // are left alone
        fail_exchange(exchange);
        job.owner->give_back(job);
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
    job.owner->give_back(job);
}

namespace {

// A coroutine that waits to write, on its own stack; the exchange's user is the first of them.
struct Writer {
    runtime::Fiber* fiber;
    Writer* next;
};

void unlink(server::Exchange& exchange, const Writer& writer) {
    if (exchange.user == &writer) {
        exchange.user = writer.next;
        return;
    }
    auto* before = static_cast<Writer*>(exchange.user);
    while (before->next != &writer) {
        before = before->next;
    }
    before->next = writer.next;
}

}  // namespace

runtime::WakeReason RequestJobs::wait_to_write(server::Exchange& exchange) {
    runtime::Runtime& runtime = runtime::Runtime::get();
    Writer writer{runtime.current(), static_cast<Writer*>(exchange.user)};
    exchange.user = &writer;
    runtime::WakeReason reason = runtime.park(kNever);
    unlink(exchange, writer);
    return reason;
}

void RequestJobs::wake(server::Exchange& exchange, runtime::WakeReason reason) {
    for (auto* writer = static_cast<Writer*>(exchange.user); writer != nullptr;
         writer = writer->next) {
        runtime::Runtime::get().wake(*writer->fiber, reason);
    }
}

void RequestJobs::wake_reader(server::Exchange& exchange, runtime::WakeReason reason) {
    if (exchange.reader != nullptr) {
        runtime::Runtime::get().wake(*static_cast<runtime::Fiber*>(exchange.reader), reason);
    }
}

void RequestJobs::wake_all(server::Exchange& exchange, runtime::WakeReason reason) {
    wake(exchange, reason);
    wake_reader(exchange, reason);
}

}  // namespace stampede::classes
