// One call of a function of the application for an event: its arguments, its coroutine, and what
// follows. Events derive from it and say only what differs. A job owns itself: dispose() is the
// last thing that happens to it. PHP thread.
#pragma once

#include <string_view>

#include "loop/loop.h"
#include "runtime/runtime.h"
#include "zend/call.h"
#include "zend/php.h"

namespace stampede::classes {

// The arguments of one call, each held until release().
class EventArguments {
public:
    EventArguments() = default;
    EventArguments(const EventArguments&) = delete;
    EventArguments& operator=(const EventArguments&) = delete;

    void add_object(zend_object* object) { ZVAL_OBJ_COPY(next(), object); }
    void add_long(zend_long value) { ZVAL_LONG(next(), value); }
    void add_string(std::string_view bytes) { ZVAL_STRINGL(next(), bytes.data(), bytes.size()); }
    // Takes the caller's reference.
    void take(zval* value) { ZVAL_COPY_VALUE(next(), value); }
    // Room for so many values that the caller makes; undefined until then.
    zval* next(uint32_t count = 1) {
        zval* room = &values_[count_];
        for (uint32_t i = 0; i < count; i++) {
            ZVAL_UNDEF(&room[i]);
        }
        count_ += count;
        return room;
    }

    uint32_t count() const { return count_; }
    zval& operator[](uint32_t index) { return values_[index]; }

    // After a fatal error in the function the arguments are forgotten: they belong to a broken
    // state of the engine, whose memory must not be touched again.
    runtime::Outcome call(const zend::Callable& function, zval* result = nullptr);
    void release();
    void forget() { count_ = 0; }

private:
    static constexpr uint32_t kMost = 5;

    zval values_[kMost];
    uint32_t count_ = 0;
};

class EventJob : public runtime::Job {
public:
    EventJob(const EventJob&) = delete;
    EventJob& operator=(const EventJob&) = delete;

    // In a coroutine of its own; in the caller when this process calls its functions without
    // coroutines.
    void start();
    // Outside of coroutines; returns when the function has ended.
    void run_here() { runtime::Runtime::get().run_here(*this); }
    // As start(), in the ready phase of the loop: for what comes while no code of the application
    // may run, such as a message that is being read.
    void enqueue();

protected:
    EventJob();
    virtual ~EventJob() = default;

    // Just before the coroutine begins; false when there is nothing to call, and only dispose()
    // follows.
    virtual bool prepare() { return true; }
    // Inside the coroutine. The arguments are released after it.
    virtual void work() = 0;
    // After the coroutine and its defers. The default writes the exception to the log.
    virtual void report(runtime::Outcome outcome, zend_object* exception);
    // Then this. When the outcome is kBailed no PHP code may run.
    virtual void ended(runtime::Outcome) {}
    // Instead of work() and ended(): there are as many coroutines as max_coroutine allows, or no
    // memory for one more.
    virtual void not_started() = 0;
    // The job's last call; one that is pooled goes back to its pool.
    virtual void dispose() { delete this; }

    EventArguments arguments;

private:
    struct Start : loop::Task {
        EventJob* job;
    };

    static void run_job(runtime::Job& base);
    static void end_job(runtime::Job& base, runtime::Outcome outcome, zend_object* exception);

    Start start_;
};

// Calls a function outside of coroutines whose answer is needed at once, and releases the
// arguments. False, without a result, when it did not return: what it has thrown is in the log, and
// after a fatal error this process is on its way out.
bool ask_function(const zend::Callable& function, EventArguments& arguments, zval* result);

// An exception of a handler, after words that say whose; in PHP's own error log when the server's
// log takes nothing.
void log_exception(std::string_view what, zend_object* exception);
// Writes what a function of the application has thrown to the log.
void log_thrown(runtime::Outcome outcome, zend_object* exception);
// The same after call_guarded(), which leaves the exception pending.
void log_guarded(runtime::Outcome outcome);

}  // namespace stampede::classes
