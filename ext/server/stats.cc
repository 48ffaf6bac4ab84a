#include "ext/server/stats.h"

#include <algorithm>

#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

void add_own(ServerState& state, zval* out) {
    shm::WorkerLine& own = state.board->line(state.place.line);
    add_assoc_long(out, "worker_request_count", static_cast<zend_long>(own.requests.get()));
    add_assoc_long(out, "worker_response_count", static_cast<zend_long>(own.responses.get()));
    add_assoc_long(out, "worker_dispatch_count", static_cast<zend_long>(own.requests.get()));
    add_assoc_long(out, "worker_concurrency", static_cast<zend_long>(own.concurrency.get()));
}

// Connections have descriptors above those of the ports. Each worker has its own: the highest of
// any.
void add_descriptors(ServerState& state, zval* out) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < state.board->size(); i++) {
        most = std::max(most, state.board->line(i).highest_fd.get());
    }
    int ports = 0;
    for (const auto& port : state.ports) {
        for (int fd : port->fds) {
            ports = std::max(ports, fd);
        }
    }
    add_assoc_long(out, "min_fd", ports);
    add_assoc_long(out, "max_fd", std::max(static_cast<zend_long>(most), zend_long{ports}));
}

void add_tasks(ServerState& state, zval* out) {
    auto present = static_cast<zend_long>(state.task_board->present());
    zend_long begun = 0;
    uint32_t first = proc::lines_for(static_cast<uint32_t>(state.settings.worker_num));
    for (uint32_t i = 0; i < state.task_board->size(); i++) {
        begun += static_cast<zend_long>(state.board->line(first + i).concurrency.get());
    }
    add_assoc_long(out, "task_idle_worker_num", state.task_board->idle());
    add_assoc_long(out, "tasking_num", present);
    add_assoc_long(out, "task_count", static_cast<zend_long>(state.task_board->given()));
    if (state.task_queue != nullptr) {
        proc::TaskQueue::State queue = state.task_queue->state();
        add_assoc_long(out, "task_queue_num", static_cast<zend_long>(queue.tasks));
        add_assoc_long(out, "task_queue_bytes", static_cast<zend_long>(queue.bytes));
    } else {
        // The two numbers are of slightly different moments.
        add_assoc_long(out, "task_queue_num", std::max<zend_long>(present - begun, 0));
    }
}

void add_server(ServerState& state, zval* out) {
    using Line = shm::WorkerLine;
    shm::Scoreboard& board = *state.board;
    auto total = [&](shm::Counter Line::*counter) {
        return static_cast<zend_long>(board.total(counter));
    };
    zend_long busy = 0;
    uint32_t worker_lines = proc::lines_for(static_cast<uint32_t>(state.settings.worker_num));
    for (uint32_t i = 0; i < worker_lines; i++) {
        busy += board.line(i).concurrency.get() > 0 ? 1 : 0;
    }
    add_assoc_long(out, "connection_num", total(&Line::connections));
    add_assoc_long(out, "abort_count", total(&Line::aborted));
    add_assoc_long(out, "accept_count", total(&Line::accepted));
    add_assoc_long(out, "refused_count", total(&Line::refused));
    add_assoc_long(out, "access_log_lost", total(&Line::access_log_lost));
    add_assoc_long(out, "close_count", total(&Line::closed));
    add_assoc_long(out, "worker_num", board.active_workers());
    add_assoc_long(out, "task_worker_num", state.settings.task_worker_num);
    add_assoc_long(out, "user_worker_num", static_cast<zend_long>(state.processes.size()));
    add_assoc_long(out, "idle_worker_num",
                   std::max<zend_long>(zend_long{board.active_workers()} - busy, 0));
    add_assoc_long(out, "dispatch_count", total(&Line::requests_ever));
    add_assoc_long(out, "request_count", total(&Line::requests_ever));
    add_assoc_long(out, "response_count", total(&Line::responses));
    add_assoc_long(out, "total_recv_bytes", total(&Line::bytes_in));
    add_assoc_long(out, "total_send_bytes", total(&Line::bytes_out));
    add_assoc_long(out, "pipe_packet_msg_id",
                   state.bus != nullptr ? static_cast<zend_long>(state.bus->sent_ever()) : 0);
    add_assoc_long(out, "concurrency", total(&Line::concurrency));
    add_assoc_long(out, "session_round", total(&Line::accepted));
    add_descriptors(state, out);
    if (state.task_board != nullptr) {
        add_tasks(state, out);
    }
}

}  // namespace

void add_stats(ServerState& state, zval* out) {
    add_assoc_long(out, "start_time", state.started_at);
    add_server(state, out);
    if (state.in_worker) {
        add_own(state, out);
    }
    runtime::Runtime* runtime = runtime::Runtime::peek();
    add_assoc_long(out, "coroutine_num",
                   runtime ? static_cast<zend_long>(runtime->coroutine_count()) : 0);
    add_assoc_long(out, "coroutine_peek_num",
                   runtime ? static_cast<zend_long>(runtime->coroutine_peak()) : 0);
}

}  // namespace stampede::classes
