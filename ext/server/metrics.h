// The metrics of a server: its board, who counts where, and what is looked up only when it is asked
// for. PHP thread, never parks.
#pragma once

#include <memory>
#include <string>

#include "ext/server/state.h"
#include "metrics/http.h"
#include "metrics/text.h"
#include "net/tls_transport.h"

namespace stampede::classes {

// Before any process is forked. One sentence on failure.
std::string open_metrics(ServerState& state);
void close_metrics(ServerState& state);
// A process of the server counts in the block of its line from now on.
void join_metrics(ServerState& state);
// Of a worker; null: it counts nothing.
std::unique_ptr<metrics::HttpMetrics> make_http_metrics(ServerState& state);

// At its end.
void stop_publishing();
// Of the TLS connections of this process; null: nobody wants to know.
net::HandshakeCounts* handshake_counts(const ServerState& state);

// In the supervisor: a process has ended, and a generation has not booted.
void count_end(ServerState& state, const proc::WorkerPlace& place, const os::ChildExit& how);
void count_boot_failure(ServerState& state);
// The supervisor has responded to a request of a worker that it has killed.
void count_response_for_killed(int status);

// Everything as text. `more`: samples that the caller knows, as the PHP function
// Stampede\metrics_text() takes them. Supervisor.
std::string metrics_text(ServerState& state, metrics::Format format, HashTable* more);

}  // namespace stampede::classes
