// Swoole\Server, Swoole\Http\Server and their old names: the methods.
#include "classes/server/server_object.h"
#include "classes/process/process_object.h"
#include "error_numbers.h"
#include "ext/server/api_options.h"
#include "ext/server/messages.h"
#include "ext/server/stats.h"
#include "ext/server/peers.h"
#include "ext/server/state.h"
#include "ext/server/supervisor_signal.h"

#include <algorithm>
#include <csignal>

#include "ext/server/user_processes.h"
#include "ext/server/connection_info.h"
#include "ext/server/worker.h"
#include "info.h"
#include "module.h"
#include "subsystems.h"
#include "os/file.h"
#include "os/host.h"
#include "os/log.h"
#include "os/process.h"
#include "runtime/runtime.h"
#include "server/service.h"
#include "stubs/server_arginfo.h"
#include "stubs/server_old_names_arginfo.h"
#include "zend/gc_roots.h"
#include "zend/last_error.h"
#include "zend/object_guards.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

zend_class_entry* server_class;
zend_class_entry* http_server_class;

namespace {

constexpr int kModeBase = 1;
constexpr int kModeProcess = 2;
constexpr int kWorkerBusy = 1;
constexpr int kWorkerIdle = 2;
constexpr int kWorkerExit = 3;

zend_object_handlers server_handlers;

zend_object* create_server(zend_class_entry* ce) {
    auto* server = static_cast<ServerObject*>(zend_object_alloc(sizeof(ServerObject), ce));
    server->state = new ServerState();
    zend_object_std_init(&server->std, ce);
    object_properties_init(&server->std, ce);
    server->std.handlers = &server_handlers;
    server->state->object = &server->std;
    server->state->is_http = instanceof_function(ce, http_server_class);
    server->state->is_websocket = instanceof_function(ce, websocket_server_class);
    server->state->is_redis = instanceof_function(ce, redis_server_class);
    return &server->std;
}

void free_server(zend_object* object) {
    ServerState* state = server_of(object)->state;
    // A worker's service still refers to it until the process ends.
    if (!state->in_worker) {
        delete state;
    }
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    ServerState& state = *server_of(object)->state;
    zend::GcRoots roots;
    if (!state.in_worker) {  // otherwise free_obj keeps the state
        roots.add(&state.given);
        state.events.show_to(roots);
        for (auto& [command, function] : state.redis_functions) {
            roots.add(*function);
        }
        for (auto& port : state.ports) {
            roots.add(&port->object);
            roots.add(&port->settings);
            port->events.show_to(roots);
            roots.add(port->length_function);
        }
        for (zval& process : state.processes) {
            roots.add(&process);
        }
        for (ServerCommand& command : state.commands) {
            roots.add(command.callback);
        }
    }
    return roots.with_properties(object, table, count);
}

void set_long(zend_object* object, std::string_view name, zend_long value) {
    zend_update_property_long(server_class, object, name.data(), name.size(), value);
}

void set_object(zend_object* object, std::string_view name, zend_object* value) {
    zval holder;
    ZVAL_OBJ(&holder, value);
    zend_update_property(server_class, object, name.data(), name.size(), &holder);
    zval_ptr_dtor(&holder);
}

// `ports` shows what listen() added.
void show_ports(ServerState& state) {
    zval list;
    array_init(&list);
    int index = -1;
    for (auto& port : state.ports) {
        index++;
        if (Z_TYPE(port->object) == IS_UNDEF) {
            ZVAL_OBJ(&port->object, make_port(*port, index));
        }
        Z_ADDREF(port->object);
        add_next_index_zval(&list, &port->object);
    }
    zend_update_property(server_class, state.object, ZEND_STRL("ports"), &list);
    zval_ptr_dtor(&list);
}

bool may_construct(ServerState& state, zend_long mode) {
    if (!ext::sapi_allowed()) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "a server can only run from the command line (PHP's cli)");
        return false;
    }
    if (!state.ports.empty()) {
        zend::throw_error(zend::error_classes.error, 0,
                          "the constructor of a server can only be called once");
        return false;
    }
    if (running_server() != nullptr && running_server()->started) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "a server is running already in this process");
        return false;
    }
    if (mode != kModeBase && mode != kModeProcess) {
        zend::throw_error(zend::error_classes.error, 0,
                          "invalid $mode parameter: it must be SWOOLE_BASE or SWOOLE_PROCESS");
        return false;
    }
    return true;
}

void construct(INTERNAL_FUNCTION_PARAMETERS, zend_long mode) {
    zend_string* host = nullptr;
    zend_long port = 0;
    zend_long type = 1;
    ZEND_PARSE_PARAMETERS_START(0, 4)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(host)
        Z_PARAM_LONG(port)
        Z_PARAM_LONG(mode)
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* object = Z_OBJ_P(ZEND_THIS);
    ServerState& state = *server_of(object)->state;
    if (!may_construct(state, mode)) {
        return;
    }
    state.mode = static_cast<int>(mode);
    std::string_view address =
        host != nullptr ? std::string_view(ZSTR_VAL(host), ZSTR_LEN(host)) : "0.0.0.0";
    PortState* first = open_port(state, address, static_cast<int>(port), static_cast<int>(type),
                                 OnFailure::kThrow);
    if (first == nullptr) {
        return;
    }
    zend_update_property_stringl(server_class, object, ZEND_STRL("host"), address.data(),
                                 address.size());
    set_long(object, "port", first->port);
    set_long(object, "mode", mode);
    set_long(object, "type", base_type(*first));
    zend_update_property_bool(server_class, object, ZEND_STRL("ssl"),
                              first->type != base_type(*first));
    set_object(object, "connections", make_connection_iterator());
    show_ports(state);
}

ServerState& this_state(zval* self) { return *server_of(Z_OBJ_P(self))->state; }

// Connections and numbers are there once the server runs.
bool is_running(ServerState& state) {
    if (!state.started) {
        zend::warning("server is not running");
    }
    return state.started;
}

bool refuse_when_running(ServerState& state, const char* what) {
    if (state.started) {
        zend::warning("server is running, unable to %s", what);
        return true;
    }
    return false;
}

// False with a warning when a folder of files is named that does not exist.
bool has_document_root(HashTable* given) {
    zval* root = zend_hash_str_find_deref(given, ZEND_STRL("document_root"));
    if (root == nullptr || Z_TYPE_P(root) != IS_STRING || os::is_directory(Z_STRVAL_P(root))) {
        return true;
    }
    zend::warning("document_root[%s] does not exist", Z_STRVAL_P(root));
    return false;
}

// The process that all requests to the supervisor go to.
constexpr int kStatusAfterFatalError = 255;  // no code of the application runs any more

}  // namespace

zend_result server_minit(int, int) {
    fill_objects();
    ext::set_info_of_options(print_api_options);
    server_class = register_class_Swoole_Server();
    server_class->create_object = create_server;
    server_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    memcpy(&server_handlers, zend_get_std_object_handlers(), sizeof(server_handlers));
    server_handlers.offset = offsetof(ServerObject, std);
    zend::refuse_unset(server_handlers);
    server_handlers.free_obj = free_server;
    server_handlers.get_gc = list_references;
    server_handlers.clone_obj = nullptr;
    http_server_class = register_class_Swoole_Http_Server(server_class);
    register_class_swoole_server(server_class);
    register_class_swoole_http_server(http_server_class);
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Server, __construct) { construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, kModeBase); }

ZEND_METHOD(swoole_server, __construct) {
    construct(INTERNAL_FUNCTION_PARAM_PASSTHRU, kModeProcess);
}

ZEND_METHOD(Swoole_Server, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Server, listen) {
    zend_string* host;
    zend_long port;
    zend_long type;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(host)
        Z_PARAM_LONG(port)
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (refuse_when_running(state, "add listener")) {
        RETURN_FALSE;
    }
    PortState* added = open_port(state, {ZSTR_VAL(host), ZSTR_LEN(host)}, static_cast<int>(port),
                                 static_cast<int>(type), OnFailure::kWarn);
    if (added == nullptr) {
        RETURN_FALSE;
    }
    show_ports(state);
    RETURN_COPY(&added->object);
}

ZEND_METHOD(Swoole_Server, on) {
    zend_string* name;
    zval* callback;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(callback)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (refuse_when_running(state, "register event callback function")) {
        RETURN_FALSE;
    }
    char* error = nullptr;
    if (!zend_is_callable_ex(callback, nullptr, 0, nullptr, nullptr, &error)) {
        zend_argument_type_error(2, "must be a valid callback, %s",
                                 error != nullptr ? error : "not callable");
        efree(error);
        RETURN_THROWS();
    }
    RETURN_BOOL(set_event(state.events, name, callback));
}

ZEND_METHOD(Swoole_Server, getCallback) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    return_event(this_state(ZEND_THIS).events, name, return_value);
}

ZEND_METHOD(Swoole_Server, set) {
    HashTable* given;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(given)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (refuse_when_running(state, "set")) {
        RETURN_FALSE;
    }
    bool good = read_settings(state.settings, given);
    good = has_document_root(given) && good;
    zend_hash_merge(Z_ARRVAL(state.given), given, zval_add_ref, true);
    zend_update_property(server_class, Z_OBJ_P(ZEND_THIS), ZEND_STRL("setting"), &state.given);
    SEPARATE_ARRAY(&state.given);
    RETURN_BOOL(good);
}

ZEND_METHOD(Swoole_Server, start) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ServerState& state = this_state(ZEND_THIS);
    if (refuse_when_running(state, "execute Swoole\\Server::start()")) {
        RETURN_FALSE;
    }
    if (state.ports.empty()) {  // processes that nobody can reach would be started
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        RETURN_THROWS();
    }
    switch (run_server(state)) {
        case RunResult::kEnded:
            forget_events(state);
            RETURN_TRUE;
        case RunResult::kFailed:
            RETURN_FALSE;
        case RunResult::kBroken:
            zend::leave_script(kStatusAfterFatalError);
            return;
        case RunResult::kWorker: {
            if (state.place.kind == proc::PlaceKind::kUserProcess) {
                run_user_process(state);
                forget_events(state);
                return;
            }
            int status = run_worker(state);
            if (status != kStatusAfterFatalError) {
                forget_events(state);
            }
            zend::leave_script(status);
            return;
        }
    }
}

ZEND_METHOD(Swoole_Server, shutdown) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(signal_supervisor(this_state(ZEND_THIS), SIGTERM));
}

ZEND_METHOD(Swoole_Server, reload) {
    bool only_tasks = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(only_tasks)
    ZEND_PARSE_PARAMETERS_END();

    RETURN_BOOL(signal_supervisor(this_state(ZEND_THIS), only_tasks ? SIGUSR2 : SIGUSR1));
}

ZEND_METHOD(Swoole_Server, stop) {
    zend_long worker = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(worker)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    shm::WorkerLine* line = line_of_worker(state, worker);
    if (line == nullptr) {
        zend::warning("there is no worker " ZEND_LONG_FMT " to stop", worker);
        RETURN_FALSE;
    }
    // A worker that ends itself has its successor made at once, not when its last request is over:
    // nobody would accept meanwhile, where it is the only one.
    if (line->pid.load() == os::own_pid() && line->state.load() == shm::WorkerState::kRunning) {
        (void)os::write_some(state.place.channel, &proc::kSayLeaving, 1);
    }
    RETURN_BOOL(os::send_signal(line->pid.load(), SIGTERM));
}

ZEND_METHOD(Swoole_Server, exists) {
    zend_long fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(fd)
    ZEND_PARSE_PARAMETERS_END();

    if (!is_running(this_state(ZEND_THIS))) {
        RETURN_FALSE;
    }
    server::Service* service = worker_service();
    const net::Connection* own = service != nullptr ? service->connections().find(fd) : nullptr;
    // One that was closed may still be sending what waits.
    RETURN_BOOL(own != nullptr ? !own->closing() : standing_of(fd) != shm::Standing::kNone);
}

ZEND_METHOD(Swoole_Server, close) {
    zend_long fd;
    bool reset = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(fd)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(reset)
    ZEND_PARSE_PARAMETERS_END();

    if (!is_running(this_state(ZEND_THIS))) {
        RETURN_FALSE;
    }
    server::Service* service = worker_service();
    net::Connection* connection = service != nullptr ? service->connections().find(fd) : nullptr;
    if (connection == nullptr && close_elsewhere(fd, reset)) {
        RETURN_TRUE;
    }
    bool closing = connection != nullptr && connection->closing() && !reset;
    if (connection == nullptr || closing) {
        zend::set_last_error(closing ? api_error::kSessionClosed : api_error::kSessionNotExist);
        RETURN_FALSE;
    }
    if (reset) {
        connection->close_with_reset(net::CloseCause::kServer);
    } else {
        connection->close_after_flush();
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Server, getClientInfo) {
    zend_long fd;
    zend_long reactor = -1;
    bool ignore = false;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_LONG(fd)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(reactor)
        Z_PARAM_BOOL(ignore)
    ZEND_PARSE_PARAMETERS_END();

    (void)reactor;
    (void)ignore;
    if (!is_running(this_state(ZEND_THIS))) {
        RETURN_FALSE;
    }
    describe_connection(fd, return_value);
}

ZEND_METHOD(Swoole_Server, getClientList) {
    zend_long start = 0;
    zend_long count = 10;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(start)
        Z_PARAM_LONG(count)
    ZEND_PARSE_PARAMETERS_END();

    if (count <= 0) {
        RETURN_FALSE;
    }
    if (count > 100) {
        zend::warning("swoole connection list max count is 100");
        RETURN_FALSE;
    }
    std::vector<int64_t> found = all_connections();
    found.erase(found.begin(), std::upper_bound(found.begin(), found.end(), start));
    if (found.empty()) {
        RETURN_FALSE;
    }
    found.resize(std::min<size_t>(found.size(), static_cast<size_t>(count)));
    array_init(return_value);
    for (int64_t id : found) {
        add_next_index_long(return_value, id);
    }
}

ZEND_METHOD(Swoole_Server, getWorkerId) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ServerState& state = this_state(ZEND_THIS);
    if (!state.in_worker) {
        RETURN_FALSE;
    }
    RETURN_LONG(state.place.worker);
}

ZEND_METHOD(Swoole_Server, getWorkerPid) {
    zend_long worker = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(worker)
    ZEND_PARSE_PARAMETERS_END();

    shm::WorkerLine* line = line_of_worker(this_state(ZEND_THIS), worker);
    if (line == nullptr) {
        RETURN_FALSE;
    }
    RETURN_LONG(line->pid.load());
}

ZEND_METHOD(Swoole_Server, getWorkerStatus) {
    zend_long worker = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(worker)
    ZEND_PARSE_PARAMETERS_END();

    shm::WorkerLine* line = line_of_worker(this_state(ZEND_THIS), worker);
    if (line == nullptr) {
        RETURN_FALSE;
    }
    shm::WorkerState phase = line->state.load();
    if (phase == shm::WorkerState::kDraining || phase == shm::WorkerState::kLeaving) {
        RETURN_LONG(kWorkerExit);
    }
    RETURN_LONG(line->concurrency.get() > 0 ? kWorkerBusy : kWorkerIdle);
}

ZEND_METHOD(Swoole_Server, getManagerPid) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval holder;
    RETURN_COPY(zend_read_property(server_class, Z_OBJ_P(ZEND_THIS), ZEND_STRL("manager_pid"), true,
                                   &holder));
}

ZEND_METHOD(Swoole_Server, getMasterPid) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval holder;
    RETURN_COPY(zend_read_property(server_class, Z_OBJ_P(ZEND_THIS), ZEND_STRL("master_pid"), true,
                                   &holder));
}

ZEND_METHOD(Swoole_Server, getLastError) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(zend::last_error());
}

ZEND_METHOD(Swoole_Server, stats) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ServerState& state = this_state(ZEND_THIS);
    if (!state.started) {
        zend::warning("server is not running");
        RETURN_FALSE;
    }
    array_init(return_value);
    add_stats(state, return_value);
}

ZEND_METHOD(Swoole_Server, sendMessage) {
    zval* message;
    zend_long worker;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_ZVAL(message)
        Z_PARAM_LONG(worker)
    ZEND_PARSE_PARAMETERS_END();

    if (send_pipe_message(this_state(ZEND_THIS), message, worker)) {
        RETURN_TRUE;
    }
    if (zend::exception_pending()) {
        RETURN_THROWS();
    }
    RETURN_FALSE;
}

ZEND_METHOD(Swoole_Server, addProcess) {
    zval* value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJECT_OF_CLASS(value, process_class)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (state.started) {
        zend::warning("server is running, unable to add process");
        RETURN_FALSE;
    }
    auto& process = zend::from_object<ProcessObject>(Z_OBJ_P(value));
    if (!process.callback) {
        zend::warning("the constructor of the process was not called");
        RETURN_FALSE;
    }
    for (const zval& known : state.processes) {
        if (Z_OBJ(known) == Z_OBJ_P(value)) {
            zend::warning("this process has been added already");
            RETURN_FALSE;
        }
    }
    if (process.started) {
        zend::warning("this process has been started already");
        RETURN_FALSE;
    }
    process.started = true;  // the server does it
    zval kept;
    ZVAL_COPY(&kept, value);
    state.processes.push_back(kept);
    auto number = static_cast<zend_long>(state.processes.size());
    zend_update_property_long(process_class, Z_OBJ_P(value), ZEND_STRL("id"), number);
    RETURN_LONG(number);
}
