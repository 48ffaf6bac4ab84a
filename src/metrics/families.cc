#include "metrics/families.h"

#include <iterator>

namespace stampede::metrics {

namespace {

constexpr std::span<const double> kTimes(kDurations);

constexpr Family kTable[] = {
    {"stampede_http_requests",
     "Requests that have ended. The status is the class of the response that the client was sent, "
     "\"gone\" when the client left before, \"cut\" when the response was broken off.",
     Type::kCounter, Unit::kNumber, "method,status,route,isolation"},
    {"stampede_http_request_duration_seconds",
     "From the arrival of a request's head to the end of its response.", Type::kHistogram,
     Unit::kSeconds, "route", kTimes},
    {"stampede_http_request_wait_seconds",
     "From the arrival of a request's head until the application has it: for its body, and for a "
     "free place in the worker.",
     Type::kHistogram, Unit::kSeconds, "route", kTimes},
    {"stampede_http_time_to_first_byte_seconds",
     "From the arrival of a request's head to the head of its response.", Type::kHistogram,
     Unit::kSeconds, "route", kTimes},
    {"stampede_http_requests_in_progress", "Requests that the workers have now.", Type::kGauge},
    {"stampede_http_refusals",
     "Requests that the server has answered itself with an error, by the cause.", Type::kCounter,
     Unit::kNumber, "cause"},
    {"stampede_connections", "Connections that are open, by what is spoken on them.", Type::kGauge,
     Unit::kNumber, "protocol,tls"},
    {"stampede_connections_opened",
     "Beginnings of a protocol: a connection that changes from HTTP/1 to WebSocket counts for "
     "both.",
     Type::kCounter, Unit::kNumber, "protocol,tls"},
    {"stampede_connections_accepted", "Connections that were accepted.", Type::kCounter},
    {"stampede_connections_closed", "Connections that have ended.", Type::kCounter},
    {"stampede_connections_refused", "Connections that a limit did not let in.", Type::kCounter},
    {"stampede_received_bytes", "Bytes that connections have received.", Type::kCounter,
     Unit::kBytes},
    {"stampede_sent_bytes", "Bytes that connections have sent.", Type::kCounter, Unit::kBytes},
    {"stampede_tls_handshakes", "TLS handshakes of clients: full, resumed, or failed.",
     Type::kCounter, Unit::kNumber, "result"},
    {"stampede_wait_seconds", "Waits of coroutines, by what they wait for.", Type::kHistogram,
     Unit::kSeconds, "kind", kTimes},
    {"stampede_pool_places", "Connections that the connection pools may have, by their class.",
     Type::kGauge, Unit::kNumber, "pool"},
    {"stampede_pool_connections", "Connections that the pools have, in use or not.", Type::kGauge,
     Unit::kNumber, "pool"},
    {"stampede_pool_waiting", "Coroutines that wait for a connection of a pool.", Type::kGauge,
     Unit::kNumber, "pool"},
    {"stampede_pool_wait_seconds",
     "Waits for a connection where all of a pool were in use; who found a free one has not waited.",
     Type::kHistogram, Unit::kSeconds, "pool", kTimes},
    {"stampede_blocking_calls",
     "Calls that held a whole worker, because they cannot wait in a coroutine.", Type::kCounter},
    {"stampede_blocking_calls_seconds", "How long those calls took together.", Type::kCounter,
     Unit::kSeconds},
    {"stampede_coroutines", "Coroutines of the workers.", Type::kGauge},
    {"stampede_tasks", "Tasks that were given to task workers and are not done.", Type::kGauge},
    {"stampede_tasks_given", "Tasks that were given to task workers.", Type::kCounter},
    {"stampede_workers",
     "Processes of the server, by their kind and by what they do: starting, serving, leaving.",
     Type::kGauge, Unit::kNumber, "kind,state"},
    {"stampede_worker_ends",
     "Processes of the server that have ended: \"replaced\" after a reload or a limit, \"exit\" "
     "with a status, \"signal\" when killed or crashed.",
     Type::kCounter, Unit::kNumber, "kind,reason"},
    {"stampede_generation", "The generation of the code that serves: it grows with each reload.",
     Type::kGauge},
    {"stampede_boot_failures", "Generations of the code that did not boot.", Type::kCounter},
    {"stampede_resident_memory_bytes", "Resident memory of each process of the server.",
     Type::kGauge, Unit::kBytes, "kind,worker"},
    {"stampede_php_memory_bytes", "Memory of PHP that the workers use.", Type::kGauge,
     Unit::kBytes},
    {"stampede_gc_runs", "Runs of PHP's cycle collection.", Type::kCounter},
    {"stampede_gc_collected", "Values that PHP's cycle collection has freed.", Type::kCounter},
    {"stampede_growth_findings",
     "What was found to grow with each request of a route, where growth is measured.",
     Type::kGauge},
    {"stampede_opcache_memory_bytes", "Shared memory of opcache, by what it is.", Type::kGauge,
     Unit::kBytes, "state"},
    {"stampede_opcache_cached_scripts", "Scripts that opcache has.", Type::kGauge},
    {"stampede_opcache_hits", "Scripts that were taken from opcache.", Type::kCounter},
    {"stampede_opcache_misses", "Scripts that were not in opcache.", Type::kCounter},
    {"stampede_opcache_restarts", "Times that opcache has begun anew, by the cause.",
     Type::kCounter, Unit::kNumber, "cause"},
    {"stampede_certificate_expiry_timestamp_seconds",
     "When a certificate ends, in seconds since 1970.", Type::kGauge, Unit::kNumber, "names"},
    {"stampede_start_time_seconds", "When the server was started, in seconds since 1970.",
     Type::kGauge},
    {"stampede_access_log_lost_lines", "Lines of the access log that were not written.",
     Type::kCounter},
    {"stampede_metric_series_overflows",
     "Metrics that have reached their limit of label values: what is beyond counts as \"other\".",
     Type::kCounter},
};
static_assert(std::size(kTable) == kFamilies);

}  // namespace

std::span<const Family> families() { return kTable; }

}  // namespace stampede::metrics
