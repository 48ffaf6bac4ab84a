#include "ext/server/worker_count.h"

#include "ext/server/inbox.h"
#include "ext/server/port_settings.h"
#include "os/log.h"
#include "os/process.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

struct ScaleHead {
    int64_t number;
};

// What is known without the supervisor.
std::string refuse_count(const ServerState& state, zend_long number) {
    if (number < 1 || number > state.settings.worker_num) {
        return "the number of workers is from 1 to " + std::to_string(state.settings.worker_num) +
               ", which is worker_num, the number of places the server was started with";
    }
    bool needs_all = state.settings.enable_reuse_port || has_port_of_one_worker(state);
    if (needs_all && number != state.settings.worker_num) {
        return "the number of workers cannot change with enable_reuse_port or only_worker: nobody "
               "would accept the connections of the places without a worker";
    }
    return {};
}

}  // namespace

std::string request_worker_count(ServerState& state, zend_long number) {
    std::string error = refuse_count(state, number);
    if (error.empty() && !state.in_worker) {
        error = set_worker_count(state, number);
    } else if (error.empty() && !send_message(state, supervisor_line(state), MessageKind::kScale,
                                              ScaleHead{number}, {})) {
        error = "the supervisor cannot be asked: too much is waiting for it already";
    }
    return error;
}

std::string set_worker_count(ServerState& state, zend_long number) {
    std::string error = refuse_count(state, number);
    if (error.empty() && !state.master->set_active_workers(static_cast<uint32_t>(number))) {
        error = "the server is being stopped";
    }
    return error;
}

void take_scale(std::string_view bytes) {
    ServerState* state = running_server();
    ScaleHead head;
    if (state == nullptr || state->master == nullptr || !take_head(bytes, head)) {
        return;
    }
    std::string error = set_worker_count(*state, head.number);
    if (!error.empty()) {
        os::Log::get().write(os::LogLevel::kWarning, "%s", error.c_str());
    }
}

}  // namespace stampede::classes
