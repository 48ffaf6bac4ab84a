// The events of a server: names, functions, and calling them.
#include "ext/server/event_job.h"
#include "ext/server/state.h"
#include "proto/http/message.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

constexpr std::string_view kEventNames[kEventCount] = {
    "start",
    "shutdown",
    "beforeShutdown",
    "managerStart",
    "managerStop",
    "boot",
    "bootCheck",
    "bootError",
    "beforeReload",
    "afterReload",
    "workerStart",
    "workerStop",
    "workerExit",
    "workerError",
    "connect",
    "close",
    "request",
    "receive",
    "packet",
    "open",
    "message",
    "handshake",
    "beforeHandshakeResponse",
    "disconnect",
    "task",
    "finish",
    "pipeMessage",
    "bufferFull",
    "bufferEmpty",
};

}  // namespace

EventTable::EventTable() {
    for (zend::Callable& entry : entries) {
        entry = zend::Callable::none();
    }
}

EventTable::~EventTable() { clear(); }

void EventTable::clear() {
    for (zend::Callable& entry : entries) {
        if (entry) {
            entry.release();
        }
    }
}

void EventTable::show_to(zend::GcRoots& roots) {
    for (zend::Callable& entry : entries) {
        roots.add(entry);
    }
}

ServerEvent event_by_name(std::string_view name) {
    for (size_t i = 0; i < kEventCount; i++) {
        if (proto::http::equals_ignoring_case(name, kEventNames[i])) {
            return static_cast<ServerEvent>(i);
        }
    }
    if (name.size() > 2 && proto::http::equals_ignoring_case(name.substr(0, 2), "on")) {
        return event_by_name(name.substr(2));
    }
    return ServerEvent::kCount;
}

bool set_event(EventTable& table, zend_string* name, zval* callback) {
    ServerEvent event = event_by_name({ZSTR_VAL(name), ZSTR_LEN(name)});
    if (event == ServerEvent::kCount) {
        zend::warning("unknown event types[%s]", ZSTR_VAL(name));
        return false;
    }
    zend::Callable callable;
    if (!zend::Callable::hold(callback, callable)) {
        zend::warning("the function of the event [%s] cannot be called", ZSTR_VAL(name));
        return false;
    }
    zend::Callable& entry = table.at(event);
    if (entry) {
        entry.release();
    }
    entry = callable;
    return true;
}

void return_event(EventTable& table, zend_string* name, zval* return_value) {
    ServerEvent event = event_by_name({ZSTR_VAL(name), ZSTR_LEN(name)});
    if (event != ServerEvent::kCount && table.has(event)) {
        RETURN_COPY(&table.at(event).fci.function_name);
    }
}

namespace {

// An event of the server that nothing waits for.
class ServerEventJob final : public EventJob {
public:
    ServerEventJob(ServerState& state, ServerEvent event, uint32_t argc, zval* argv)
        : state_(state), event_(event) {
        arguments.add_object(state.object);
        for (uint32_t i = 0; i < argc; i++) {
            ZVAL_COPY(arguments.next(), &argv[i]);
        }
    }

private:
    void work() override { arguments.call(state_.events.at(event_)); }
    void not_started() override { fire(state_, event_, 0, nullptr); }

    ServerState& state_;
    ServerEvent event_;
};

bool is_told(ServerState& state, ServerEvent event) {
    return !state.has_failed && state.events.has(event);
}

}  // namespace

void fire(ServerState& state, ServerEvent event, uint32_t argc, zval* argv) {
    if (is_told(state, event)) {
        (new ServerEventJob(state, event, argc, argv))->run_here();
    }
}

void fire_in_coroutine(ServerState& state, ServerEvent event) {
    if (!state.settings.enable_coroutine) {
        fire(state, event, 0, nullptr);
    } else if (is_told(state, event)) {
        (new ServerEventJob(state, event, 0, nullptr))->start();
    }
}

}  // namespace stampede::classes
