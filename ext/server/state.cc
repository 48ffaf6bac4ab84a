#include "ext/server/state.h"

#include <utility>

#include "ext/server/objects.h"

namespace stampede::classes {

ObjectFunctions objects;

namespace {

ServerState* present_server;

void forget_function(zend::Callable& function) {
    if (function) {
        function.release();
    }
}

}  // namespace

void forget_events(ServerState& state) {
    state.events.clear();
    for (auto& port : state.ports) {
        port->events.clear();
        forget_function(port->length_function);
    }
    for (ServerCommand& command : std::exchange(state.commands, {})) {
        command.callback.release();
    }
    for (auto& [command, function] : state.redis_functions) {
        function->release();
    }
    state.redis_functions.clear();
    for (zval& process : std::exchange(state.processes, {})) {
        zval_ptr_dtor(&process);
    }
}

shm::WorkerLine* line_of_worker(ServerState& state, zend_long worker) {
    if (state.board == nullptr) {
        return nullptr;
    }
    if (state.in_worker && (worker == -1 || worker == static_cast<zend_long>(state.place.worker))) {
        return &state.board->line(state.place.line);
    }
    for (uint32_t i = 0; worker >= 0 && i < state.board->size(); i++) {
        shm::WorkerLine& line = state.board->line(i);
        bool alive = line.state.load() != shm::WorkerState::kEmpty && line.pid.load() != 0;
        if (alive && static_cast<zend_long>(line.worker.load()) == worker) {
            return &line;
        }
    }
    return nullptr;
}

ServerState::ServerState() { array_init(&given); }

ServerState::~ServerState() {
    if (present_server == this) {
        present_server = nullptr;
    }
    close_ports(*this);
    for (auto& [command, function] : redis_functions) {
        function->release();
    }
    for (auto& port : ports) {
        forget_function(port->length_function);
        zval_ptr_dtor(&port->settings);
        if (Z_TYPE(port->object) == IS_OBJECT) {
            objects.detach_port(Z_OBJ(port->object));  // the application may hold it for longer
            zval_ptr_dtor(&port->object);
        }
    }
    for (zval& process : processes) {
        zval_ptr_dtor(&process);
    }
    for (ServerCommand& command : commands) {
        command.callback.release();
    }
    zval_ptr_dtor(&given);
}

ServerState* running_server() { return present_server; }

void set_running_server(ServerState* state) { present_server = state; }

}  // namespace stampede::classes
