#include "ext/server/control.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unordered_map>

#include "ext/server/control_json.h"
#include "ext/server/inbox.h"
#include "ext/server/inspection.h"
#include "ext/server/peers.h"
#include "ext/server/stats.h"
#include "ext/server/worker_count.h"
extern "C" {  // this header does not say so itself
#include "ext/json/php_json.h"
}
#include "module.h"
#include "os/log.h"
#include "os/process.h"
#include "runtime/runtime.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr zend_long kMostDepth = 16;             // of a command
constexpr Nanos kProcessPatience = 2 * kSecond;  // for what a process is asked
// Somebody looks at requests each second: a worker that computes for longer is what he looks for,
// and its requests are known without it.
constexpr Nanos kWatchPatience = 200 * kMillisecond;
constexpr uint32_t kMostPending = 16;          // questions to a process that does not reply
constexpr zend_long kConnections = 1000;       // listed, unless "limit" says otherwise
constexpr zend_long kMostConnections = 10000;  // each costs the supervisor time
constexpr size_t kMostResponse = 8 << 20;      // that a process may send

struct InspectionHead {
    int64_t id;
    Question question;
    int64_t argument;
};
struct InspectionResultHead {
    int64_t id;
    uint32_t line;
    int32_t pid;
};

// ---- what the supervisor knows itself ---------------------------------------------------------

const char* kind_name(proc::PlaceKind kind) {
    return kind == proc::PlaceKind::kWorker       ? "worker"
           : kind == proc::PlaceKind::kTaskWorker ? "task_worker"
                                                  : "user_process";
}

proc::PlaceKind kind_of_place(const ServerState& state, uint32_t place) {
    auto workers = static_cast<uint32_t>(state.settings.worker_num);
    auto tasks = static_cast<uint32_t>(state.settings.task_worker_num);
    return place < workers           ? proc::PlaceKind::kWorker
           : place < workers + tasks ? proc::PlaceKind::kTaskWorker
                                     : proc::PlaceKind::kUserProcess;
}

void add_identity(zval* out, proc::PlaceKind kind, uint32_t place, pid_t pid) {
    add_assoc_long(out, "id", place);
    add_text(out, "kind", kind_name(kind));
    add_assoc_long(out, "pid", pid);
}

void show_settings(ServerState& state, zval* out) {
    array_init(out);
    add_all(state.settings, out);
}

void show_ports(ServerState& state, zval* out) {
    constexpr const char* kKinds[] = {"http", "stream", "datagram"};
    array_init(out);
    for (const auto& port : state.ports) {
        zval entry;
        array_init(&entry);
        add_text(&entry, "host", port->host);
        add_assoc_long(&entry, "port", port->port);
        add_assoc_long(&entry, "type", base_type(*port));
        add_text(&entry, "kind", kKinds[static_cast<int>(port->kind)]);
        add_assoc_bool(&entry, "ssl", port->type != base_type(*port));
        add_next_index_zval(out, &entry);
    }
}

std::string run_status(ServerState& state) {
    zval out;
    zval part;
    array_init(&out);
    add_text(&out, "version", STAMPEDE_VERSION);
    add_text(&out, "api_version", STAMPEDE_API_VERSION);
    add_text(&out, "php_version", PHP_VERSION);
    add_assoc_long(&out, "pid", os::own_pid());
    add_text(&out, "mode", state.mode == 2 ? "process" : "base");
    add_assoc_long(&out, "started", state.started_at);
    add_text(&out, "state",
             !state.master->is_stopping() ? "serving"
             : state.board->stopping()    ? "stopping"
                                          : "draining");
    array_init(&part);
    for (const proc::ProcessFacts& process : state.master->processes()) {
        add_next_index_long(&part, process.pid);
    }
    add_assoc_zval(&out, "pids", &part);
    show_ports(state, &part);
    add_assoc_zval(&out, "ports", &part);
    show_settings(state, &part);
    add_assoc_zval(&out, "settings", &part);
    return to_json(&out);
}

void show_worker(ServerState& state, const proc::ProcessFacts& process, zval* out) {
    shm::WorkerLine& line = state.board->line(process.line);
    array_init(out);
    add_identity(out, process.kind, process.worker, process.pid);
    add_text(out, "state", process.stage);
    add_assoc_long(out, "requests", static_cast<zend_long>(line.requests.get()));
    add_assoc_long(out, "connections", static_cast<zend_long>(line.connections.get()));
    add_assoc_long(out, "concurrency", static_cast<zend_long>(line.concurrency.get()));
    add_assoc_long(out, "rss", static_cast<zend_long>(os::resident_memory(process.pid)));
    add_assoc_long(out, "age", (monotonic_now() - process.started_at) / kSecond);
    add_assoc_long(out, "generation", static_cast<zend_long>(process.generation));
}

std::string run_workers(ServerState& state) {
    zval list;
    array_init(&list);
    std::vector<proc::ProcessFacts> processes = state.master->processes();
    size_t next = 0;
    for (uint32_t place = 0; place < place_count(state); place++) {
        zval entry;
        if (next == processes.size() || processes[next].worker != place) {
            array_init(&entry);
            add_identity(&entry, kind_of_place(state, place), place, 0);
            // Its process has ended, and the next one is due; or it is to have none.
            add_text(&entry, "state", is_off(state, place) ? "off" : "down");
            add_next_index_zval(&list, &entry);
        }
        for (; next < processes.size() && processes[next].worker == place; next++) {
            show_worker(state, processes[next], &entry);
            add_next_index_zval(&list, &entry);
        }
    }
    return wrap("workers", &list);
}

std::string run_connections(ServerState& state, zend_long limit) {
    zval list;
    array_init(&list);
    std::vector<int64_t> all = all_connections();
    zend_long shown = 0;
    for (int64_t id : all) {
        shm::Facts facts;
        if (shown == limit) {
            break;
        }
        if (standing_of(id, &facts) == shm::Standing::kNone) {
            continue;  // closed meanwhile
        }
        shown++;
        zval entry;
        array_init(&entry);
        add_assoc_long(&entry, "id", id);
        uint32_t line = state.presence->owner_of(id);
        add_assoc_long(&entry, "worker", state.board->line(line).worker.load());
        add_text(&entry, "address", address_of(facts));
        add_assoc_long(&entry, "port", facts.remote_port);
        if (facts.port_index < state.ports.size()) {
            add_assoc_long(&entry, "server_port", state.ports[facts.port_index]->port);
        }
        add_assoc_long(&entry, "since", facts.opened_at);
        add_next_index_zval(&list, &entry);
    }
    zval out;
    array_init(&out);
    add_assoc_long(&out, "total", static_cast<zend_long>(all.size()));
    add_assoc_zval(&out, "connections", &list);
    return to_json(&out);
}

std::string run_stats(ServerState& state) {
    zval out;
    array_init(&out);
    add_stats(state, &out);
    return to_json(&out);
}

std::string run_signal(const char* done, int number) {
    if (!os::send_signal(os::own_pid(), number)) {
        return error_json("the supervisor could not signal itself");
    }
    zval out;
    ZVAL_TRUE(&out);
    return wrap(done, &out);
}

// Reload is over when "settled" has come to what "asked" was after it was asked for; "failure" says
// whether it is served.
std::string run_generation(ServerState& state) {
    proc::GenerationFacts facts = state.master->generations();
    zval out;
    array_init(&out);
    add_assoc_long(&out, "present", static_cast<zend_long>(facts.present));
    add_assoc_long(&out, "asked", static_cast<zend_long>(facts.asked));
    add_assoc_long(&out, "settled", static_cast<zend_long>(facts.settled));
    add_assoc_bool(&out, "loading", facts.loading);
    add_assoc_bool(&out, "replacing", facts.replacing);
    add_text(&out, "failure", facts.failure);
    add_assoc_long(&out, "boot_pid", facts.boot);
    return to_json(&out);
}

// Sets the number of workers.
std::string run_scale(ServerState& state, zend_long number) {
    std::string error = set_worker_count(state, number);
    if (!error.empty()) {
        return error_json(error);
    }
    zval out;
    array_init(&out);
    add_assoc_long(&out, "workers", state.master->active_workers());
    add_assoc_long(&out, "places", state.settings.worker_num);
    return to_json(&out);
}

// ---- what a process is asked ------------------------------------------------------------------

// A question to some processes, until all have responded or the time is over.
struct Gathering : loop::Timer {
    struct Part {
        proc::ProcessFacts process;
        std::string result;  // JSON
        std::string error;
        bool there = false;
    };
    ServerState* state;
    int64_t id;
    uint64_t client;
    Question question;
    int64_t argument;
    std::vector<Part> parts;
};

// Of the supervisor.
std::unordered_map<int64_t, std::unique_ptr<Gathering>> gatherings;
int64_t next_gathering = 1;
// Questions that a process (by its line) has not responded to: its inbox must not be filled.
struct Pending {
    pid_t pid = 0;
    uint32_t count = 0;
};
std::unordered_map<uint32_t, Pending> pending;

// {"id":..., "kind":..., NAME: result}, or with the error instead.
std::string show_part(const ServerState& state, const Gathering::Part& part, Question question) {
    const proc::ProcessFacts& process = part.process;
    zval entry;
    array_init(&entry);
    add_identity(&entry, process.kind, process.worker, process.pid);
    if (question == Question::kMemory) {
        add_assoc_long(&entry, "rss", static_cast<zend_long>(os::resident_memory(process.pid)));
    }
    if (question == Question::kRequests) {
        show_in_flight(state, process.line, &entry);
    }
    if (!part.there) {
        add_text(&entry, "error", part.error);
    }
    std::string text = to_json(&entry);
    if (part.there) {
        text.pop_back();
        text.append(",\"").append(name_of_answer(question)).append("\":");
        text += part.result;
        text += '}';
    }
    return text;
}

void finish_gathering(Gathering& gathering) {
    ServerState& state = *gathering.state;
    std::string text = "{";
    if (gathering.question == Question::kMemory) {
        text += "\"supervisor\":{\"pid\":" + std::to_string(os::own_pid()) +
                ",\"rss\":" + std::to_string(os::resident_memory(os::own_pid())) +
                ",\"php\":{\"usage\":" + std::to_string(zend_memory_usage(false)) +
                ",\"peak\":" + std::to_string(zend_memory_peak_usage(false)) + "}},";
    }
    text += "\"workers\":[";
    for (Gathering::Part& part : gathering.parts) {
        if (!part.there && part.error.empty()) {
            part.error =
                "did not respond in time: it works on one iteration of its loop, is blocked or "
                "stopped, or has ended";
        }
        if (text.back() != '[') {
            text += ',';
        }
        text += show_part(state, part, gathering.question);
    }
    text += "]}";
    uint64_t client = gathering.client;
    if (gathering.armed()) {
        Runtime::get().loop().disarm(gathering);
    }
    gatherings.erase(gathering.id);
    if (state.control != nullptr) {
        state.control->respond(client, text);
    }
}

void finish_when_complete(Gathering& gathering) {
    for (const Gathering::Part& part : gathering.parts) {
        if (!part.there && part.error.empty()) {
            return;
        }
    }
    finish_gathering(gathering);
}

void ask_process(ServerState& state, const Gathering& gathering, Gathering::Part& part) {
    Pending& before = pending[part.process.line];
    if (before.pid != part.process.pid) {
        before = {part.process.pid, 0};
    }
    InspectionHead head = {gathering.id, gathering.question, gathering.argument};
    if (before.count >= kMostPending) {
        part.error = "has not responded to 16 questions before this one: it is not asked again";
    } else if (!send_message(state, part.process.line, MessageKind::kInspection, head, {})) {
        part.error = "cannot be asked: too much is waiting for it already";
    } else {
        before.count++;
    }
}

// What is asked, and of one place, or of all (-1).
struct Inquiry {
    Question question;
    zend_long place = -1;
    int64_t argument = 0;
};

bool concerns(Question question, proc::PlaceKind kind) {
    switch (question) {
        case Question::kRequests:
        case Question::kGrowth:
            return kind == proc::PlaceKind::kWorker;
        case Question::kProfile:
        case Question::kHeap:
            return kind != proc::PlaceKind::kUserProcess;
        default:
            return true;
    }
}

// An error is responded at once.
void gather(ServerState& state, uint64_t client, const Inquiry& inquiry) {
    auto owned = std::make_unique<Gathering>();
    Gathering& gathering = *owned;
    for (const proc::ProcessFacts& process : state.master->processes()) {
        bool is_asked =
            inquiry.place < 0 || inquiry.place == static_cast<zend_long>(process.worker);
        if (is_asked && concerns(inquiry.question, process.kind)) {
            gathering.parts.push_back({process, {}, {}, false});
        }
    }
    if (gathering.parts.empty()) {
        state.control->respond(client, error_json("there is no process of this worker now"));
        return;
    }
    gathering.state = &state;
    gathering.id = next_gathering++;
    gathering.client = client;
    gathering.question = inquiry.question;
    gathering.argument = inquiry.argument;
    gathering.on_fire = [](loop::Timer& timer) {
        finish_gathering(static_cast<Gathering&>(timer));
    };
    bool is_watched = inquiry.question == Question::kRequests;
    Runtime::get().loop().arm(gathering, is_watched ? kWatchPatience : kProcessPatience);
    gatherings[gathering.id] = std::move(owned);
    for (Gathering::Part& part : gathering.parts) {
        ask_process(state, gathering, part);
    }
    finish_when_complete(gathering);
}

// ---- the process that is asked ----------------------------------------------------------------

// In the ready phase: a dispatch is no place for so much work.
struct Inspection : loop::Task {
    InspectionHead head;
};

void respond_to_inspection(loop::Task& task) {
    std::unique_ptr<Inspection> inspection(static_cast<Inspection*>(&task));
    ServerState* state = running_server();
    if (state == nullptr) {
        return;
    }
    std::string text = inspect(inspection->head.question, inspection->head.argument);
    InspectionResultHead head = {inspection->head.id, state->place.line, os::own_pid()};
    (void)send_message(*state, supervisor_line(*state), MessageKind::kInspectionResult, head, text);
}

// ---- commands ---------------------------------------------------------------------------------

// The whole number of this name, or the default; false when it is something else.
bool read_whole(zval* command, const char* name, zend_long& out) {
    zval* value = zend_hash_str_find(Z_ARRVAL_P(command), name, std::strlen(name));
    if (value == nullptr || Z_TYPE_P(value) == IS_NULL) {
        return true;
    }
    if (Z_TYPE_P(value) != IS_LONG || Z_LVAL_P(value) < 0) {
        return false;
    }
    out = Z_LVAL_P(value);
    return true;
}

constexpr const char* kCommands =
    "status, workers, connections, requests, coroutines, cancel, kill, latencies, stats, memory, "
    "profile, heap, growth, settings, generation, scale, reload, reload_tasks, stop";

// Both numbers, so that it is never the successor of the process that was meant.
std::string run_kill(ServerState& state, zend_long worker, zend_long pid) {
    for (const proc::ProcessFacts& process : state.master->processes()) {
        if (process.worker == static_cast<uint32_t>(worker) && process.pid == pid && pid > 0) {
            if (!os::send_signal(process.pid, SIGKILL)) {
                return error_json("the process could not be killed");
            }
            os::Log::get().write(os::LogLevel::kWarning,
                                 "worker %u (pid %d) is killed, as the operator has asked",
                                 process.worker, process.pid);
            zval out;
            ZVAL_TRUE(&out);
            return wrap("killed", &out);
        }
    }
    return error_json("\"worker\" and \"number\", its pid, name no process that is there now");
}

// Empty: the response follows later.
std::string run_command(ServerState& state, uint64_t client, zval* command, std::string_view name) {
    zend_long limit = kConnections;
    zend_long worker = -1;
    zend_long number = -1;
    if (!read_whole(command, "limit", limit) || !read_whole(command, "worker", worker) ||
        !read_whole(command, "number", number)) {
        return error_json("\"limit\", \"worker\" and \"number\" are whole numbers from 0");
    }
    if (name == "status") {
        return run_status(state);
    }
    if (name == "workers") {
        return run_workers(state);
    }
    if (name == "connections") {
        return run_connections(state, std::min(limit, kMostConnections));
    }
    if (Question question; find_question(name, question)) {
        if (question == Question::kCancel && (worker < 0 || number < 0)) {
            return error_json("\"worker\" and \"number\" say which coroutine is cancelled");
        }
        bool needs_number = question >= Question::kProfile;
        if (needs_number && number < 0) {
            return error_json("\"number\" says what is wanted of the workers");
        }
        gather(state, client, {question, worker, number});
        return {};
    }
    if (name == "latencies") {
        return latencies_json(state);
    }
    if (name == "kill") {
        return run_kill(state, worker, number);
    }
    if (name == "stats") {
        return run_stats(state);
    }
    if (name == "settings") {
        zval settings;
        show_settings(state, &settings);
        return wrap("settings", &settings);
    }
    if (name == "scale") {
        return run_scale(state, number);
    }
    if (name == "generation") {
        return run_generation(state);
    }
    if (name == "reload") {
        return run_signal("reloading", SIGUSR1);
    }
    if (name == "reload_tasks") {
        return state.settings.task_worker_num > 0 ? run_signal("reloading", SIGUSR2)
                                                  : error_json("there are no task workers");
    }
    if (name == "stop") {
        return run_signal("stopping", SIGTERM);
    }
    return error_json(std::string("unknown command: there are ").append(kCommands));
}

void on_line(void* owner, uint64_t client, std::string_view line) {
    ServerState& state = *static_cast<ServerState*>(owner);
    zval command;
    ZVAL_UNDEF(&command);
    std::string response;
    if (php_json_decode_ex(&command, line.data(), line.size(), PHP_JSON_OBJECT_AS_ARRAY,
                           kMostDepth) != SUCCESS ||
        Z_TYPE(command) != IS_ARRAY) {
        response = error_json("a line is a JSON object such as {\"command\":\"status\"}");
    } else {
        zval* name = zend_hash_str_find(Z_ARRVAL(command), ZEND_STRL("command"));
        response =
            name == nullptr || Z_TYPE_P(name) != IS_STRING
                ? error_json(std::string("\"command\" is missing: there are ").append(kCommands))
                : run_command(state, client, &command, {Z_STRVAL_P(name), Z_STRLEN_P(name)});
    }
    zval_ptr_dtor(&command);
    if (!response.empty()) {
        state.control->respond(client, response);
    }
}

}  // namespace

void take_inspection(std::string_view bytes) {
    auto inspection = std::make_unique<Inspection>();
    if (!take_head(bytes, inspection->head)) {
        return;
    }
    inspection->run = respond_to_inspection;
    Runtime::get().loop().enqueue(*inspection.release());
}

void take_inspection_result(std::string_view bytes) {
    InspectionResultHead head;
    if (!take_head(bytes, head)) {
        return;
    }
    auto asked = pending.find(head.line);
    if (asked != pending.end() && asked->second.pid == head.pid && asked->second.count > 0) {
        asked->second.count--;
    }
    auto found = gatherings.find(head.id);
    if (found == gatherings.end()) {
        return;  // it came too late
    }
    for (Gathering::Part& part : found->second->parts) {
        if (part.process.line != head.line || part.process.pid != head.pid) {
            continue;
        }
        // A process may run as another user: it must not make lines of its own.
        bool good = !bytes.empty() && bytes.size() <= kMostResponse &&
                    bytes.find('\n') == std::string_view::npos;
        part.there = good;
        part.result = good ? bytes : std::string_view();
        part.error = good ? "" : "responded with more than 8 MiB, or not in one line";
    }
    finish_when_complete(*found->second);
}

std::string open_control(ServerState& state) {
    std::string& path = state.settings.control_socket;
    if (path.empty()) {
        return {};
    }
    // The application may change its folder before the file is removed. Links are not resolved: one
    // in the place of the socket is refused, whichever program made it.
    if (char* full = expand_filepath_with_mode(path.c_str(), nullptr, nullptr, 0, CWD_EXPAND)) {
        path = full;
        efree(full);
    }
    auto control = proc::ControlSocket::open(path);
    if (control) {
        state.control = std::move(*control);
        return {};
    }
    Error error = control.error();
    std::string start = "the control_socket \"" + path + "\" cannot be opened: ";
    if (error.is(ServerError::kBadAddress)) {
        return start + "the path of a unix socket has at most 107 bytes";
    }
    if (error.is_system(EADDRINUSE)) {
        return start + "another server uses it, or it is a link or a file of another kind";
    }
    return start + std::strerror(static_cast<int>(error.code()));
}

void serve_control(ServerState& state) {
    if (state.control != nullptr && state.control->serve(Runtime::get().loop(), on_line, &state)) {
        os::Log::get().write(os::LogLevel::kError, "the control_socket cannot be watched");
    }
}

void abandon_control(ServerState& state) {
    if (state.control != nullptr) {
        state.control->abandon();
        state.control.reset();
    }
    for (auto& [id, gathering] : gatherings) {
        gathering->unlink();  // from a wheel that the child throws away
    }
    gatherings.clear();
    pending.clear();
}

void close_control(ServerState& state) {
    for (auto& [id, gathering] : gatherings) {
        if (gathering->armed()) {
            Runtime::get().loop().disarm(*gathering);
        }
    }
    gatherings.clear();
    pending.clear();
    state.control.reset();
}

}  // namespace stampede::classes
