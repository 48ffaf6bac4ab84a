// Everything one Swoole\Server object stands for: ports, event functions, settings, and while it
// runs its supervisor's or its worker's half. Owned by the PHP object; one per process can run. PHP
// thread, never parks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ext/server/request_options.h"
#include "ext/server/settings.h"
#include "io/ssl_options.h"
#include "metrics/board.h"
#include "proc/bus.h"
#include "proc/control.h"
#include "os/line_writer.h"
#include "proc/master.h"
#include "proc/task_queue.h"
#include "proto/frame/frame.h"
#include "shm/address_counts.h"
#include "shm/presence.h"
#include "shm/scoreboard.h"
#include "shm/task_board.h"
#include "tls/context.h"
#include "zend/call.h"
#include "zend/gc_roots.h"
#include "zend/php.h"

namespace stampede::classes {

enum class ServerEvent : uint8_t {
    kStart,
    kShutdown,
    kBeforeShutdown,
    kManagerStart,
    kManagerStop,
    kBoot,
    kBootCheck,
    kBootError,
    kBeforeReload,
    kAfterReload,
    kWorkerStart,
    kWorkerStop,
    kWorkerExit,
    kWorkerError,
    kConnect,
    kClose,
    kRequest,
    kReceive,
    kPacket,
    kOpen,
    kMessage,
    kHandshake,
    kBeforeHandshakeResponse,
    kDisconnect,
    kTask,
    kFinish,
    kPipeMessage,
    kBufferFull,
    kBufferEmpty,
    kCount,
};

constexpr size_t kEventCount = static_cast<size_t>(ServerEvent::kCount);

// Functions of events; an empty Callable where none is set.
struct EventTable {
    EventTable();
    ~EventTable();
    EventTable(const EventTable&) = delete;
    EventTable& operator=(const EventTable&) = delete;

    zend::Callable& at(ServerEvent event) { return entries[static_cast<size_t>(event)]; }
    bool has(ServerEvent event) { return static_cast<bool>(at(event)); }
    // Forgets all functions.
    void clear();
    void show_to(zend::GcRoots& roots);

    zend::Callable entries[kEventCount];
};

// kCount when there is no event of this name (in any letter case, also with a leading "on").
ServerEvent event_by_name(std::string_view name);
// Sets the function; false, with a warning, when the name is unknown.
bool set_event(EventTable& table, zend_string* name, zval* callback);
void return_event(EventTable& table, zend_string* name, zval* return_value);

enum class PortKind : uint8_t { kHttp, kStream, kDatagram };

struct PortState {
    std::string host;
    int port = 0;
    int type = 0;
    std::string path;        // of a unix socket, removed when the server ends
    bool websocket = false;  // speaks it, beside HTTP
    bool inherited =
        false;  // from the program that started this process: it is not ours to open or remove
    std::string socket_mode;
    std::vector<int> fds;  // one, or one for each worker with enable_reuse_port
    EventTable events;
    zval object;    // its Swoole\Server\Port
    zval settings;  // as set on the port
    // From start() on.
    PortKind kind = PortKind::kHttp;
    ServerSettings in_force;
    proto::frame::Rules framing;  // of a stream port
    zend::Callable length_function = zend::Callable::none();
    io::SslSettings ssl;
    std::unique_ptr<tls::Context> tls;  // of a port with SWOOLE_SSL, once the server starts
};

// addCommand().
struct ServerCommand {
    std::string name;
    int accepted = 0;  // SWOOLE_SERVER_COMMAND_*
    zend::Callable callback;
};

struct ServerState {
    ServerState();
    ~ServerState();

    zend_object* object = nullptr;  // the Server, not counted
    std::vector<std::unique_ptr<PortState>> ports;
    EventTable events;
    ServerSettings settings;
    zval given;  // settings as the application gave them
    int mode = 1;
    bool started = false;
    bool is_http = false;
    bool is_websocket = false;      // of the class: all ports do that are not told otherwise
    bool speaks_websocket = false;  // one of the ports does
    bool is_redis = false;
    std::map<std::string, std::unique_ptr<zend::Callable>> redis_functions;  // by command

    std::unique_ptr<shm::Scoreboard> board;
    std::unique_ptr<shm::Presence> presence;
    std::unique_ptr<shm::AddressCounts> addresses;  // with max_connections_per_address
    std::unique_ptr<os::LineWriter> access_lines;   // with access_log
    std::unique_ptr<shm::TaskBoard> task_board;     // with task workers
    std::unique_ptr<proc::TaskQueue> task_queue;    // with message_queue_key
    std::unique_ptr<metrics::Board> metrics;        // with enable_metrics
    std::unique_ptr<proc::Bus> bus;
    std::unique_ptr<proc::Master> master;
    std::unique_ptr<proc::ControlSocket> control;  // with control_socket, in the supervisor
    proc::WorkerPlace place;                       // in the supervisor its line alone
    std::vector<zval> processes;                   // Swoole\Process objects of addProcess()
    std::vector<ServerCommand> commands;
    bool in_worker = false;     // or task worker, or user process
    bool has_identity = false;  // has become the user of the settings already, in the boot process
    bool has_failed = false;    // a fatal error in the supervisor: no event is told there any more
    int64_t started_at = 0;     // wall clock, seconds
    std::vector<RequestPort> request_ports;
};

// SWOOLE_SOCK_* without SWOOLE_SSL, as properties and arrays show it.
inline int base_type(const PortState& port) { return port.type & ~512; }

// Forgets the functions and processes of the application: what holds the server, which holds them,
// would be kept for ever.
void forget_events(ServerState& state);
// The line of a worker that runs, by its number; below 0 that of this one. Null when there is none.
shm::WorkerLine* line_of_worker(ServerState& state, zend_long worker);

// The server that runs in this process, null when none does.
ServerState* running_server();
void set_running_server(ServerState* state);

// One more port; null after a thrown exception or a warning (as wanted by the caller).
enum class OnFailure : uint8_t { kThrow, kWarn };
PortState* open_port(ServerState& state, std::string_view host, int port, int type, OnFailure how);
void close_ports(ServerState& state);
// Each socket that clients connect to and that is the server's own: those of a service manager go
// on without it. `worker`: without those that are another worker's alone; -1: all.
template <typename Visit>
void for_own_listeners(const ServerState& state, int64_t worker, Visit&& visit) {
    for (uint32_t i = 0; i < state.ports.size(); i++) {
        const PortState& port = *state.ports[i];
        int64_t only = port.in_force.only_worker;
        if (port.inherited || port.kind == PortKind::kDatagram ||
            (worker >= 0 && only >= 0 && only != worker)) {
            continue;
        }
        for (int fd : port.fds) {
            visit(fd, i);
        }
    }
}
// Of this process alone, which accepts nothing any more: where the others have ended as well, the
// addresses are free at once. What datagrams are sent with stays.
void close_listeners(ServerState& state);
// unix_socket_mode. One sentence on failure.
std::string set_socket_modes(ServerState& state);
// With enable_reuse_port: a socket of its own for every worker. One sentence on failure.
std::string multiply_ports(ServerState& state);

// SWOOLE_SOCK_UDP and the like.
inline bool is_datagram(const PortState& port) {
    int type = base_type(port);
    return type == 2 || type == 4 || type == 6;
}

// The supervisor's half of start(). kFailed: the server could not start, an exception is thrown.
// kBroken: it has ended after a fatal error in the supervisor, and no more code is to run.
enum class RunResult : uint8_t { kEnded, kFailed, kBroken, kWorker };
RunResult run_server(ServerState& state);

// A process that serves a place: whether it is of this kind.
inline bool is_kind(const ServerState& state, proc::PlaceKind kind) {
    return state.in_worker && state.place.kind == kind;
}
// A place for a worker that has none now: fewer than worker_num were asked for.
inline bool is_off(const ServerState& state, uint32_t place) {
    return place < static_cast<uint32_t>(state.settings.worker_num) &&
           place >= state.board->active_workers();
}
// Whether a worker has the line and serves, also while it is being replaced.
inline bool serves(const ServerState& state, uint32_t line) {
    shm::WorkerState phase = state.board->line(line).state.load();
    return phase == shm::WorkerState::kRunning || phase == shm::WorkerState::kDraining;
}
// The same, or is about to end and still passes on what comes for connections that it has given
// away.
inline bool passes_on(const ServerState& state, uint32_t line) {
    return serves(state, line) ||
           state.board->line(line).state.load() == shm::WorkerState::kLeaving;
}
// Whether it is still this process.
inline bool passes_on(const ServerState& state, uint32_t line, int32_t process) {
    return passes_on(state, line) && state.board->line(line).pid.load() == process;
}
// Its number, as events tell it; -1 in the supervisor.
inline zend_long own_number(const ServerState& state) {
    return state.in_worker ? static_cast<zend_long>(state.place.worker) : -1;
}

// Calls an event of the supervisor on the main context with the server as first argument; a thrown
// exception is logged.
void fire(ServerState& state, ServerEvent event, uint32_t argc, zval* argv);

// The same in a coroutine of its own, unless enable_coroutine is off. Returns when the function
// ends or waits for the first time.
void fire_in_coroutine(ServerState& state, ServerEvent event);

}  // namespace stampede::classes
