#include "ext/server/messages.h"

#include "ext/server/event_job.h"
#include "ext/server/inbox.h"
#include "ext/server/objects.h"
#include "ext/server/packing.h"
#include "ext/server/tasks.h"
#include "os/log.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

struct PipeHead {
    double dispatched_at;
    int32_t source;
    uint32_t serialized;
};

class MessageJob final : public EventJob {
public:
    MessageJob(ServerState& state, const PipeHead& head, std::string_view bytes)
        : state_(state), head_(head), bytes_(bytes) {}

private:
    void work() override;
    void not_started() override {
        os::Log::get().write(os::LogLevel::kError,
                             "a message of worker %d is lost: too many coroutines", head_.source);
    }

    ServerState& state_;
    PipeHead head_;
    std::string bytes_;  // not in the engine's memory, whose limit a dispatch must not meet
};

// Unpacking runs code of the application.
void MessageJob::work() {
    zval data;
    if (!unpack_value(bytes_, head_.serialized != 0, &data) || zend::exception_pending()) {
        zval_ptr_dtor(&data);
        return;
    }
    arguments.add_object(state_.object);
    if (state_.settings.event_object) {
        objects.make_pipe_message(head_.source, head_.dispatched_at, &data, arguments.next());
    } else {
        arguments.add_long(head_.source);
        arguments.take(&data);
    }
    arguments.call(state_.events.at(ServerEvent::kPipeMessage));
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
    (new MessageJob(*state, head, bytes))->enqueue();
}

}  // namespace stampede::classes
