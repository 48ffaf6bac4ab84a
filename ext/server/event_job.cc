#include "ext/server/event_job.h"

#include "os/log.h"
#include "runtime/task_end.h"
#include "zend/pending.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Outcome;

Outcome EventArguments::call(const zend::Callable& function, zval* result) {
    zval returned;
    Outcome outcome = zend::call(function, count_, values_, &returned);
    if (outcome == Outcome::kBailed) {
        forget();
    }
    runtime::keep_result(returned);
    if (result != nullptr) {
        ZVAL_COPY_VALUE(result, &returned);
    } else {
        zval_ptr_dtor(&returned);
    }
    return outcome;
}

// Counted down one by one: a destructor may park, and nothing may be released twice when the
// coroutine is destroyed there.
void EventArguments::release() {
    while (count_ > 0) {
        zval value;
        ZVAL_COPY_VALUE(&value, &values_[--count_]);
        zval_ptr_dtor(&value);
    }
}

EventJob::EventJob() {
    run = run_job;
    finished = end_job;
    start_.job = this;
    start_.run = [](loop::Task& task) { static_cast<Start&>(task).job->start(); };
}

void EventJob::start() {
    if (!prepare()) {
        dispose();
    } else if (runtime::Runtime::get().start_callback(*this) < 0) {
        arguments.release();
        not_started();
        dispose();
    }
}

void EventJob::enqueue() { runtime::Runtime::get().loop().enqueue(start_); }

void EventJob::report(Outcome outcome, zend_object* exception) { log_thrown(outcome, exception); }

void EventJob::run_job(runtime::Job& base) {
    auto& job = static_cast<EventJob&>(base);
    job.work();
    job.arguments.release();
}

void EventJob::end_job(runtime::Job& base, Outcome outcome, zend_object* exception) {
    auto& job = static_cast<EventJob&>(base);
    if (outcome == Outcome::kBailed) {
        job.arguments.forget();
    }
    job.arguments.release();
    job.report(outcome, exception);
    job.ended(outcome);
    job.dispose();
}

namespace {

struct Question : runtime::Job {
    const zend::Callable* function;
    EventArguments* arguments;
    zval* result;
    Outcome outcome;
};

}  // namespace

bool ask_function(const zend::Callable& function, EventArguments& arguments, zval* result) {
    Question question;
    question.function = &function;
    question.arguments = &arguments;
    question.result = result;
    question.run = [](runtime::Job& base) {
        auto& asked = static_cast<Question&>(base);
        asked.arguments->call(*asked.function, asked.result);
    };
    question.finished = [](runtime::Job& base, Outcome outcome, zend_object* exception) {
        static_cast<Question&>(base).outcome = outcome;
        log_thrown(outcome, exception);
    };
    runtime::Runtime::get().run_here(question);
    if (question.outcome == Outcome::kBailed) {
        arguments.forget();
    }
    arguments.release();
    return question.outcome == Outcome::kReturned;
}

// A server may run without a log of its own; that a handler failed must be seen all the same.
static void log_report(const std::string& text) {
    os::Log& log = os::Log::get();
    if (log.discards(os::LogLevel::kError)) {
        zend::write_error_log("PHP Fatal error:  " + text);
    } else {
        log.write_text(os::LogLevel::kError, text.data(), text.size());
    }
}

void log_exception(std::string_view what, zend_object* exception) {
    zend_string* text = zend::format_exception(exception);
    log_report(std::string(what).append(ZSTR_VAL(text), ZSTR_LEN(text)));
    zend_string_release(text);
}

void log_thrown(Outcome outcome, zend_object* exception) {
    if (outcome == Outcome::kThrew && exception != nullptr) {
        log_exception({}, exception);
    }
}

void log_guarded(Outcome outcome) {
    if (outcome == Outcome::kThrew) {
        zend_string* text = zend::take_exception_report();
        log_report({ZSTR_VAL(text), ZSTR_LEN(text)});
        zend_string_release(text);
    } else if (outcome == Outcome::kExited) {
        zend::drop_exception();
    }
}

}  // namespace stampede::classes
