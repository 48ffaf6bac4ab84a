// The supervisor's half of start(): checks, shared memory, the master's life, and its events.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "ext/server/access_log_settings.h"
#include "ext/server/manager_watchdog.h"
#include "ext/server/boot.h"
#include "ext/server/control.h"
#include "ext/server/inbox.h"
#include "ext/server/objects.h"
#include "ext/server/state.h"
#include "ext/server/task_queue.h"
#include "ext/server/tasks.h"
#include "ext/server/api_options.h"
#include "ext/server/dispatch.h"
#include "ext/server/metrics.h"
#include "ext/server/port_settings.h"
#include "ext/server/tls.h"
#include "ext/server/user_processes.h"
#include "hooks/hooks.h"
#include "io/signals.h"
#include "os/file.h"
#include "os/host.h"
#include "os/log.h"
#include "os/process.h"
#include "os/service_manager.h"
#include "os/temporary.h"
#include "runtime/runtime.h"
#include "server/form.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using os::Log;
using os::LogLevel;

constexpr Nanos kDay = 24 * 3600 * kSecond;

// Told once, when the first iteration begins: the workers are forked by then.
struct Supervision : loop::Timer {
    ServerState* state;
    bool announced = false;

    explicit Supervision(ServerState* state) : state(state) {}
};

// At the start and once a day: a restart must not be an outage, and the certificate no secret.
void look_at_certificates(loop::Timer& timer) {
    auto& supervision = static_cast<Supervision&>(timer);
    report_expired(*supervision.state);
    runtime::Runtime::get().loop().arm(timer, kDay);
}

bool refuse(const std::string& text) {
    zend::throw_error(zend::error_classes.exception, 0, "%s", text.c_str());
    return false;
}

bool check_tasks(ServerState& state) {
    return state.settings.task_worker_num == 0 || state.events.has(ServerEvent::kTask) ||
           refuse(
               "require onTask callback: with task_worker_num set the event task with on() before "
               "start()");
}

void settle_numbers(ServerState& state) {
    ServerSettings& settings = state.settings;
    if (settings.worker_num == 0) {
        settings.worker_num = state.mode == 2 ? os::cpu_count() : 1;
    }
    os::raise_descriptor_limit();
    auto each =
        static_cast<int64_t>(std::min<uint64_t>(os::descriptor_limit(), kMostConnectionsOfWorker));
    int64_t most = each * settings.worker_num;
    if (settings.max_connection == 0) {
        settings.max_connection = std::min<int64_t>(100000, most);
    } else if (settings.max_connection > most) {
        Log::get().write(LogLevel::kWarning,
                         "max_connection is %lld, but %lld workers can have %lld connections each: "
                         "%lld is used (ulimit -n is the limit of open files)",
                         static_cast<long long>(settings.max_connection),
                         static_cast<long long>(settings.worker_num), static_cast<long long>(each),
                         static_cast<long long>(most));
        settings.max_connection = most;
    }
}

void show_settings(ServerState& state) {
    add_defaults(state.settings, &state.given);
    if (state.is_http &&
        !zend_hash_str_exists(Z_ARRVAL(state.given), ZEND_STRL("open_http_protocol"))) {
        add_assoc_bool(&state.given, "open_http_protocol", true);
    }
    if (state.is_websocket &&
        !zend_hash_str_exists(Z_ARRVAL(state.given), ZEND_STRL("open_websocket_protocol"))) {
        add_assoc_bool(&state.given, "open_websocket_protocol", true);
    }
    for (const char* name : {"open_mqtt_protocol", "open_eof_check", "open_length_check"}) {
        if (!zend_hash_str_exists(Z_ARRVAL(state.given), name, strlen(name))) {
            add_assoc_bool(&state.given, name, false);
        }
    }
    zend_update_property(state.object->ce, state.object, ZEND_STRL("setting"), &state.given);
    // Settings of the server are those of its first port, and of others that have none of their
    // own.
    for (auto& port : state.ports) {
        if (port == state.ports.front() || Z_TYPE(port->settings) != IS_ARRAY) {
            zval shown;
            ZVAL_COPY(&shown, &state.given);
            if (Z_TYPE(port->settings) == IS_ARRAY) {
                SEPARATE_ARRAY(&shown);
                zend_hash_merge(Z_ARRVAL(shown), Z_ARRVAL(port->settings), zval_add_ref, true);
            }
            zend_update_property(Z_OBJCE(port->object), Z_OBJ(port->object), ZEND_STRL("setting"),
                                 &shown);
            zval_ptr_dtor(&shown);
        }
    }
    SEPARATE_ARRAY(&state.given);
}

// A sentence when files are to be served and their folder cannot be.
std::string check_document_root(const ServerSettings& settings) {
    if (!settings.enable_static_handler) {
        return {};
    }
    if (settings.document_root.empty()) {
        return "enable_static_handler needs the option document_root: the folder of the files";
    }
    auto files = server::StaticFiles::create(static_settings(settings));
    return files ? std::string()
                 : "document_root \"" + settings.document_root +
                       "\" cannot be opened: " + strerror(static_cast<int>(files.error().code()));
}

// It is opened here, so that a path that is no good stops the start, and before the workers give
// up the right to.
std::string open_access_log(ServerState& state) {
    auto lines = open_access_lines(state.settings);
    if (!lines) {
        return "cannot open the access_log \"" + state.settings.access_log +
               "\": " + strerror(static_cast<int>(lines.error().code()));
    }
    state.access_lines = std::move(*lines);
    return {};
}

// Only workers have connections.
uint32_t worker_lines(const ServerState& state) {
    return proc::lines_for(static_cast<uint32_t>(state.settings.worker_num));
}

constexpr int64_t kMostCountedAddresses = 1 << 13;  // of one worker

std::string open_address_counts(ServerState& state) {
    if (state.settings.max_connections_per_address == 0) {
        return {};
    }
    int64_t each = state.settings.max_connection / state.settings.worker_num + 64;
    auto counts = shm::AddressCounts::create(
        worker_lines(state), static_cast<uint32_t>(std::min(each, kMostCountedAddresses)));
    if (!counts) {
        return std::string("cannot get the shared memory of max_connections_per_address: ") +
               strerror(static_cast<int>(counts.error().code()));
    }
    state.addresses = std::move(*counts);
    return {};
}

constexpr int64_t kMostKnownConnections = 1 << 19;  // of one worker, by the others

// What the workers know of each other's connections, and how they reach them.
std::string open_shared_boards(ServerState& state) {
    auto workers = static_cast<uint32_t>(state.settings.worker_num);
    auto each = static_cast<uint32_t>(
        std::min<int64_t>(state.settings.max_connection / workers + 64, kMostKnownConnections));
    auto presence = shm::Presence::create(worker_lines(state), each);
    if (!presence) {
        return std::string("cannot get the shared memory of the connections: ") +
               strerror(static_cast<int>(presence.error().code()));
    }
    state.presence = std::move(*presence);
    if (state.settings.task_worker_num > 0) {
        auto board = shm::TaskBoard::create(static_cast<uint32_t>(state.settings.task_worker_num));
        if (!board) {
            return std::string("cannot get the shared memory of the tasks: ") +
                   strerror(static_cast<int>(board.error().code()));
        }
        state.task_board = std::move(*board);
        std::string error = open_task_queue(state);
        if (!error.empty()) {
            return error;
        }
    }
    return open_bus(state);
}

// As the supervisor sees it, whose root stays where it was.
std::string upload_folder(const ServerSettings& settings) {
    return settings.chroot.empty() ? settings.upload_tmp_dir
                                   : settings.chroot + "/" + settings.upload_tmp_dir;
}

// The workers write to it as the user that they become.
void prepare_upload_folder(const ServerSettings& settings) {
    std::string folder = upload_folder(settings);
    (void)os::make_directories(folder, settings.user);  // the next line tells of a failure
    if (!os::is_writable_directory(folder.c_str())) {
        Log::get().write(
            LogLevel::kWarning,
            "upload_tmp_dir \"%s\" is not a folder that can be written to: uploads will fail",
            settings.upload_tmp_dir.c_str());
        return;
    }
    os::remove_orphaned_temporaries(folder, server::Form::kFileKind);
}

proc::MasterSettings master_settings(const ServerState& state) {
    proc::MasterSettings settings;
    settings.workers = static_cast<uint32_t>(state.settings.worker_num);
    settings.workers_at_start = static_cast<uint32_t>(state.settings.worker_start_num);
    settings.most_memory = static_cast<uint64_t>(state.settings.worker_max_memory);
    settings.most_age = to_nanos(state.settings.worker_max_age);
    settings.task_workers = static_cast<uint32_t>(state.settings.task_worker_num);
    settings.user_processes = static_cast<uint32_t>(state.processes.size());
    settings.stop_time = state.settings.max_wait_time * kSecond;
    settings.worker_stop_time =
        std::max(state.settings.max_wait_time, state.settings.max_stop_time) * kSecond;
    settings.drain_time = to_nanos(state.settings.drain_time);
    settings.replace_time =
        std::max(state.settings.max_wait_time, state.settings.max_replace_time) * kSecond;
    settings.boots = const_cast<ServerState&>(state).events.has(ServerEvent::kBoot);
    settings.boot_time = to_nanos(state.settings.boot_timeout);
    settings.watchdog =
        static_cast<Nanos>(state.settings.watchdog_timeout * static_cast<double>(kSecond));
    settings.task_time = to_nanos(state.settings.task_timeout);
    return settings;
}

bool prepare(ServerState& state) {
    if (runtime::Runtime* runtime = runtime::Runtime::peek();
        runtime != nullptr && runtime->current() != nullptr) {
        return refuse(
            "a server cannot be started inside a coroutine: call start() outside of Co\\run()");
    }
    if (!prepare_admin_server(state)) {
        return false;
    }
    std::string error = settle_ports(state);
    if (error.empty() && !check_tasks(state)) {
        return false;
    }
    if (error.empty()) {
        error = check_port_events(state);
    }
    if (error.empty()) {
        error = check_dispatch(state);
    }
    if (!error.empty()) {
        return refuse(error);
    }
    if (!Log::get().configure(log_settings(state.settings))) {
        return refuse("cannot open the log_file \"" + state.settings.log_file +
                      "\": " + strerror(errno));
    }
    settle_numbers(state);
    error = note_api_options(state);
    if (!error.empty()) {
        return refuse(error);
    }
    note_dispatch(state);
    error = multiply_ports(state);
    if (!error.empty()) {
        return refuse(error);
    }
    error = set_socket_modes(state);
    if (!error.empty()) {
        return refuse(error);
    }
    error = open_tls(state);
    if (!error.empty()) {
        return refuse(error);
    }
    error = check_settings(state.settings);
    if (error.empty()) {
        error = check_document_root(state.settings);
    }
    if (error.empty()) {
        error = open_access_log(state);
    }
    if (!error.empty()) {
        return refuse(error);
    }
    prepare_upload_folder(state.settings);
    auto board = shm::Scoreboard::create(proc::lines_for(master_settings(state)));
    if (!board) {
        return refuse(std::string("cannot get the shared memory of the workers: ") +
                      strerror(static_cast<int>(board.error().code())));
    }
    state.board = std::move(*board);
    error = open_shared_boards(state);
    if (error.empty()) {
        error = open_address_counts(state);
    }
    if (error.empty()) {
        error = open_metrics(state);
    }
    if (error.empty()) {
        error = open_control(state);
    }
    return error.empty() || refuse(error);
}

bool go_to_background(ServerState& state) {
    if (state.settings.daemonize) {
        if (Error error = os::daemonize()) {
            return refuse(std::string("cannot go to the background: ") +
                          strerror(static_cast<int>(error.code())));
        }
        os::Log::get().take_output();
    }
    if (!state.settings.pid_file.empty()) {
        std::string error = os::write_pid_file(state.settings.pid_file, os::own_pid());
        if (!error.empty()) {
            return refuse(error);
        }
    }
    return true;
}

void set_pids(ServerState& state) {
    zend_update_property_long(state.object->ce, state.object, ZEND_STRL("master_pid"),
                              os::own_pid());
    zend_update_property_long(state.object->ce, state.object, ZEND_STRL("manager_pid"),
                              os::own_pid());
}

void announce(ServerState& state) {
    fire_in_coroutine(state, ServerEvent::kStart);
    fire(state, ServerEvent::kManagerStart, 0, nullptr);
}

void iterate(void* owner, Nanos max_wait) {
    auto* supervision = static_cast<Supervision*>(owner);
    if (!supervision->announced) {
        supervision->announced = true;
        if (has_tls(*supervision->state)) {
            supervision->on_fire = look_at_certificates;
            look_at_certificates(*supervision);
        }
        announce(*supervision->state);
        max_wait = 0;  // the events may have started timers or asked for something
    }
    runtime::Runtime::get().iterate_once(max_wait);
}

void worker_failed(void* owner, uint32_t worker, const os::ChildExit& how) {
    ServerState& state = *static_cast<Supervision*>(owner)->state;
    zval arguments[4];
    if (state.settings.event_object) {
        objects.make_status_info(worker, how, &arguments[0]);
        fire(state, ServerEvent::kWorkerError, 1, arguments);
        zval_ptr_dtor(&arguments[0]);
        return;
    }
    ZVAL_LONG(&arguments[0], worker);
    ZVAL_LONG(&arguments[1], how.pid);
    ZVAL_LONG(&arguments[2], how.code);
    ZVAL_LONG(&arguments[3], how.signal);
    fire(state, ServerEvent::kWorkerError, 4, arguments);
}

proc::MasterEvents master_events(Supervision& supervision) {
    proc::MasterEvents events;
    events.owner = &supervision;
    events.iterate = iterate;
    events.worker_failed = worker_failed;
    events.started = [](void* owner, const proc::WorkerPlace& place, pid_t pid) {
        note_user_process(*static_cast<Supervision*>(owner)->state, place, pid);
    };
    events.worker_lost = [](void* owner, const proc::WorkerPlace& place, const os::ChildExit& how) {
        ServerState& state = *static_cast<Supervision*>(owner)->state;
        if (place.kind == proc::PlaceKind::kTaskWorker) {
            report_lost_tasks(state, place, how.pid);
        }
        os::remove_temporaries_of(upload_folder(state.settings), server::Form::kFileKind, how.pid);
    };
    events.serving = [](void*) { os::notify_manager("READY=1"); };
    events.ended = [](void* owner, const proc::WorkerPlace& place, const os::ChildExit& how) {
        count_end(*static_cast<Supervision*>(owner)->state, place, how);
    };
    events.boot_failed = [](void* owner, std::string_view why) {
        os::notify_manager("READY=1");  // a reload is over
        count_boot_failure(*static_cast<Supervision*>(owner)->state);
        zval text;
        ZVAL_STRINGL(&text, why.data(), why.size());
        fire(*static_cast<Supervision*>(owner)->state, ServerEvent::kBootError, 1, &text);
        zval_ptr_dtor(&text);
    };
    events.before_reload = [](void* owner) {
        ServerState& state = *static_cast<Supervision*>(owner)->state;
        os::notify_manager("RELOADING=1\nMONOTONIC_USEC=" +
                           std::to_string(monotonic_now() / kMicrosecond));
        fire(state, ServerEvent::kBeforeReload, 0, nullptr);
        renew_tls(state);
    };
    events.after_reload = [](void* owner) {
        fire(*static_cast<Supervision*>(owner)->state, ServerEvent::kAfterReload, 0, nullptr);
        os::notify_manager("READY=1");
    };
    events.draining = [](void*) { os::notify_manager("STOPPING=1"); };
    events.stopping = [](void* owner) {
        ServerState& state = *static_cast<Supervision*>(owner)->state;
        os::notify_manager("STOPPING=1");
        fire_in_coroutine(state, ServerEvent::kBeforeShutdown);
        for_own_listeners(state, -1, [](int fd, uint32_t) { os::stop_new_connections(fd); });
        close_ports(state);
    };
    events.takes_interrupt = [](void*) { return io::is_listened_to(SIGINT); };
    events.reopen_log = [](void* owner) {
        Log::get().reopen();
        ServerState& state = *static_cast<Supervision*>(owner)->state;
        if (state.access_lines != nullptr) {
            state.access_lines->reopen();
        }
    };
    return events;
}

void remove_pid_file(ServerState& state) {
    if (!state.settings.pid_file.empty()) {
        os::remove_file(state.settings.pid_file);
    }
}

// After a fatal error the engine's state is not to be trusted: no process may be forked from here
// any more. The workers have a state of their own, and finish what they have.
void supervisor_failed(void* arg) {
    auto& state = *static_cast<ServerState*>(arg);
    if (state.has_failed) {
        return;
    }
    state.has_failed = true;
    Log::get().write(LogLevel::kError,
                     "a fatal error in the supervisor: the server finishes its requests and ends");
    if (state.master != nullptr) {
        state.master->end();
    }
}

RunResult end_server(ServerState& state) {
    fire(state, ServerEvent::kManagerStop, 0, nullptr);
    fire(state, ServerEvent::kShutdown, 0, nullptr);
    close_inboxes(state);
    close_metrics(state);
    // Timers of the events start and managerStart end with the server: the script that goes on
    // after start() would never end for them.
    objects.clear_timers();
    close_ports(state);
    remove_pid_file(state);
    set_running_server(nullptr);
    state.started = false;
    // A console launcher goes on after start(), and its exit() is the script's own again.
    runtime::Runtime::get().set_server_role(runtime::ServerRole::kNone);
    runtime::Runtime::get().set_bail_hook(nullptr, nullptr);
    return state.has_failed ? RunResult::kBroken : RunResult::kEnded;
}

}  // namespace

RunResult run_server(ServerState& state) {
    if (!prepare(state) || !go_to_background(state)) {
        close_control(state);
        return RunResult::kFailed;
    }
    state.started = true;
    state.started_at = wall_now() / kSecond;
    set_running_server(&state);
    set_pids(state);
    show_settings(state);
    for (auto& port : state.ports) {
        state.request_ports.push_back({static_cast<uint16_t>(port->port)});
    }
    objects.set_request_ports(state.request_ports.data(),
                              static_cast<uint32_t>(state.request_ports.size()));

    runtime::Runtime::get().set_server_role(runtime::ServerRole::kServer);
    state.place.line = supervisor_line(state);
    open_inbox(state);
    serve_control(state);
    Supervision supervision(&state);
    ManagerWatchdog watchdog(runtime::Runtime::get().loop());
    state.master =
        std::make_unique<proc::Master>(runtime::Runtime::get().loop(), *state.board,
                                       master_settings(state), master_events(supervision));
    runtime::Runtime::get().set_bail_hook(supervisor_failed, &state);
    hooks::redirect_for_children(state.settings.hook_flags);
    Result<proc::Role> role = state.master->run();
    if (!role) {
        runtime::Runtime::get().set_bail_hook(nullptr, nullptr);
        close_control(state);
        state.master.reset();
        close_inboxes(state);
        close_ports(state);
        remove_pid_file(state);
        state.started = false;
        runtime::Runtime::get().set_server_role(runtime::ServerRole::kNone);
        refuse(std::string("cannot start the workers: ") +
               strerror(static_cast<int>(role.error().code())) +
               "; see the limits of processes and files (ulimit -u, ulimit -n)");
        return RunResult::kFailed;
    }
    if (*role != proc::Role::kMaster) {
        abandon_control(state);
        watchdog.abandon();
        runtime::Runtime::get().set_bail_hook(nullptr, nullptr);
        state.in_worker = true;
        if (*role == proc::Role::kBoot) {
            run_boot_process(state);
        } else {
            state.place = state.master->place();
        }
        (void)state.master.release();  // the supervisor's half lives on in the parent alone
        return RunResult::kWorker;
    }
    close_control(state);  // before the supervisor that it asks
    state.master.reset();
    if (supervision.armed()) {
        runtime::Runtime::get().loop().disarm(supervision);
    }
    return end_server(state);
}

}  // namespace stampede::classes
