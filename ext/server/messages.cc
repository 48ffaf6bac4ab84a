#include "ext/server/messages.h"

#include "ext/server/inbox.h"
#include "ext/server/objects.h"
#include "ext/server/packing.h"
#include "ext/server/tasks.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

struct PipeHead {
    double dispatched_at;
    int32_t source;
    uint32_t serialized;
};

// Called in the ready phase: unpacking runs code of the application.
struct MessageJob : runtime::Job {
    struct Start : loop::Task {
        MessageJob* job;
    };
    ServerState* state;
    PipeHead head;
    std::string bytes;  // not in the engine's memory, whose limit a dispatch must not meet
    Start start;
};

void run_message(runtime::Job& base) {
    auto& job = static_cast<MessageJob&>(base);
    zval data;
    if (!unpack_value(job.bytes, job.head.serialized != 0, &data) || zend::exception_pending()) {
        zval_ptr_dtor(&data);
        return;
    }
    zval arguments[3];
    uint32_t count = 2;
    ZVAL_OBJ_COPY(&arguments[0], job.state->object);
    if (job.state->settings.event_object) {
        objects.make_pipe_message(job.head.source, job.head.dispatched_at, &data, &arguments[1]);
    } else {
        ZVAL_LONG(&arguments[1], job.head.source);
        ZVAL_COPY_VALUE(&arguments[2], &data);
        count = 3;
    }
    zend::call(job.state->events.at(ServerEvent::kPipeMessage), count, arguments, nullptr);
    for (uint32_t i = 0; i < count; i++) {
        zval_ptr_dtor(&arguments[i]);
    }
}

void end_message(runtime::Job& base, runtime::Outcome outcome, zend_object* exception) {
    auto& job = static_cast<MessageJob&>(base);
    log_thrown(outcome, exception);
    delete &job;
}

void start_message(loop::Task& task) {
    MessageJob& job = *static_cast<MessageJob::Start&>(task).job;
    if (Runtime::get().start_callback(job) < 0) {
        os::Log::get().write(os::LogLevel::kError,
                             "a message of worker %d is lost: too many coroutines",
                             job.head.source);
        end_message(job, runtime::Outcome::kReturned, nullptr);
    }
}

bool may_send(ServerState& state, zend_long worker) {
    if (!state.started) {
        zend::warning("server is not running");
        return false;
    }
    if (!state.events.has(ServerEvent::kPipeMessage)) {
        zend::warning("there is no event pipeMessage: set it with on() before start()");
        return false;
    }
    if (state.in_worker && worker == own_number(state)) {
        zend::warning("a process cannot send messages to itself");
        return false;
    }
    if (worker < 0 || worker >= place_count(state)) {
        zend::warning("there is no worker " ZEND_LONG_FMT ": the last one is %u", worker,
                      place_count(state) - 1);
        return false;
    }
    if (is_off(state, static_cast<uint32_t>(worker))) {
        zend::warning("worker " ZEND_LONG_FMT " is not running: there are %u workers now", worker,
                      state.board->active_workers());
        return false;
    }
    return true;
}

}  // namespace

bool send_pipe_message(ServerState& state, zval* message, zend_long worker) {
    PackedValue packed;
    if (!may_send(state, worker) || !pack_value(message, packed)) {
        return false;
    }
    PipeHead head = {wall_seconds(), static_cast<int32_t>(own_number(state)),
                     packed.serialized ? 1u : 0u};
    uint32_t inbox = inbox_of_place(state, static_cast<uint32_t>(worker));
    if (!send_message(state, inbox, MessageKind::kPipeMessage, head, packed.view())) {
        zend::set_last_error(EAGAIN);
        zend::warning("the message is not sent: too much is waiting for worker " ZEND_LONG_FMT
                      " already",
                      worker);
        return false;
    }
    return true;
}

void take_pipe_message(std::string_view bytes) {
    ServerState* state = running_server();
    PipeHead head;
    if (state == nullptr || !state->events.has(ServerEvent::kPipeMessage) ||
        !take_head(bytes, head)) {
        return;
    }
    auto* job = new MessageJob();
    job->run = run_message;
    job->finished = end_message;
    job->state = state;
    job->head = head;
    job->bytes = bytes;
    job->start.job = job;
    job->start.run = start_message;
    Runtime::get().loop().enqueue(job->start);
}

}  // namespace stampede::classes
