#include "ext/server/metrics.h"

#include <cstring>

#include "ext/metrics/present.h"
#include "os/process.h"
#include "proto/http/message.h"
#include "runtime/blocking_watch.h"
#include "runtime/runtime.h"
#include "zend/collection.h"

namespace stampede::classes {

using metrics::Cell;
using metrics::Id;
using metrics::labels_of;

namespace {

// By proto::http::Method; the last one is of heads that could not be read.
constexpr std::string_view kMethods[] = {
    "GET",     "HEAD",  "POST",  "PUT",   "DELETE", "CONNECT",
    "OPTIONS", "TRACE", "PATCH", "QUERY", "other",  "unknown",
};
static_assert(std::size(kMethods) == static_cast<size_t>(proto::http::Method::kOther) + 2);

// What the supervisor counts is in the block behind those of the lines.
uint32_t block_of_supervisor(const ServerState& state) { return state.board->size(); }

const char* kind_of(proc::PlaceKind kind) {
    return kind == proc::PlaceKind::kWorker       ? "worker"
           : kind == proc::PlaceKind::kTaskWorker ? "task_worker"
                                                  : "user_process";
}

}  // namespace

std::string open_metrics(ServerState& state) {
    if (!state.settings.enable_metrics) {
        return {};
    }
    auto board = metrics::Board::create(state.board->size() + 1);
    if (!board) {
        return std::string("cannot get the shared memory of the metrics: ") +
               std::strerror(static_cast<int>(board.error().code()));
    }
    state.metrics = std::move(*board);
    metrics::count_in_block(*state.metrics, block_of_supervisor(state));
    return {};
}

void close_metrics(ServerState& state) {
    if (state.metrics != nullptr) {
        metrics::count_nowhere();
        state.metrics.reset();
    }
}

void join_metrics(ServerState& state) {
    if (state.metrics != nullptr) {
        metrics::count_in_block(*state.metrics, state.place.line);
        runtime::Runtime::get().measure_waits();
    }
}

// ---- a worker ----------------------------------------------------------------------------------

namespace {

// Cells of the numbers that a worker looks at now and then. PHP counts from the start of the
// process, or of the one that it was forked from: what has come since the last look is added.
struct Published {
    Cell memory;
    Cell coroutines;
    Cell gc_runs;
    Cell gc_collected;
    Cell blocking_calls;
    Cell blocking_seconds;
    Cell handshakes[3];  // full, resumed, failed
    zend::CollectionCounts collections;
    uint64_t blocking_count;
    Nanos blocking_total;
    net::HandshakeCounts shaken;
};
Published published;
net::HandshakeCounts shaken;

void open_published(metrics::Board& board) {
    published = {};
    published.memory = board.series(Id::kPhpMemory, {});
    published.coroutines = board.series(Id::kCoroutines, {});
    published.gc_runs = board.series(Id::kGcRuns, {});
    published.gc_collected = board.series(Id::kGcCollected, {});
    published.blocking_calls = board.series(Id::kBlockingCalls, {});
    published.blocking_seconds = board.series(Id::kBlockingSeconds, {});
    const metrics::Family& family = metrics::family(Id::kTlsHandshakes);
    constexpr const char* kResults[] = {"full", "resumed", "failed"};
    for (size_t i = 0; i < std::size(kResults); i++) {
        published.handshakes[i] =
            board.series(Id::kTlsHandshakes, labels_of(family, {kResults[i]}).text());
    }
    published.collections = zend::collection_counts();
    published.blocking_count = runtime::blocking_calls().count;
    published.blocking_total = runtime::blocking_calls().total;
}

void publish() {
    metrics::Writer& writer = metrics::present_writer();
    writer.set(published.memory, zend_memory_usage(false));
    writer.set(published.coroutines, runtime::Runtime::get().coroutine_count());
    zend::CollectionCounts collections = zend::collection_counts();
    writer.add(published.gc_runs, collections.runs - published.collections.runs);
    writer.add(published.gc_collected, collections.collected - published.collections.collected);
    published.collections = collections;
    const runtime::BlockingCalls& blocking = runtime::blocking_calls();
    writer.add(published.blocking_calls, blocking.count - published.blocking_count);
    writer.add(published.blocking_seconds,
               static_cast<uint64_t>(blocking.total - published.blocking_total));
    published.blocking_count = blocking.count;
    published.blocking_total = blocking.total;
    writer.add(published.handshakes[0], shaken.full - published.shaken.full);
    writer.add(published.handshakes[1], shaken.resumed - published.shaken.resumed);
    writer.add(published.handshakes[2], shaken.failed - published.shaken.failed);
    published.shaken = shaken;
}

constexpr Nanos kPublishAfter = kSecond / 10;

struct PublishTimer : loop::Timer {
    metrics::HttpMetrics::Publisher publisher;
};
PublishTimer publish_timer;

metrics::HttpMetrics::Publisher* open_publisher() {
    publish_timer.publisher = {
        [](void*) { runtime::Runtime::get().loop().arm(publish_timer, kPublishAfter); }, nullptr};
    publish_timer.on_fire = [](loop::Timer&) {
        publish_timer.publisher.is_scheduled = false;
        publish();
    };
    return &publish_timer.publisher;
}

}  // namespace

net::HandshakeCounts* handshake_counts(const ServerState& state) {
    return state.metrics != nullptr ? &shaken : nullptr;
}

std::unique_ptr<metrics::HttpMetrics> make_http_metrics(ServerState& state) {
    if (state.metrics == nullptr) {
        return nullptr;
    }
    open_published(*state.metrics);
    return std::make_unique<metrics::HttpMetrics>(*state.metrics, metrics::present_writer(),
                                                  kMethods, open_publisher());
}

void stop_publishing() {
    if (publish_timer.publisher.schedule != nullptr) {
        runtime::Runtime::get().loop().disarm(publish_timer);
        publish_timer.publisher.is_scheduled = true;  // for ever
        publish();
    }
}

// ---- the supervisor ----------------------------------------------------------------------------

void count_end(ServerState& state, const proc::WorkerPlace& place, const os::ChildExit& how) {
    if (state.metrics == nullptr) {
        return;
    }
    const char* reason = how.signal != 0 ? "signal" : how.code != 0 ? "exit" : "replaced";
    metrics::Labels labels =
        labels_of(metrics::family(Id::kWorkerEnds), {kind_of(place.kind), reason});
    metrics::present_writer().add(state.metrics->series(Id::kWorkerEnds, labels.text()), 1);
    state.metrics->bury(place.line);
}

void count_boot_failure(ServerState& state) {
    if (state.metrics != nullptr) {
        metrics::present_writer().add(state.metrics->series(Id::kBootFailures, {}), 1);
    }
}

// Its route and isolation were the worker's to know.
void count_response_for_killed(int status) {
    metrics::Board* board = metrics::present_board();
    if (board == nullptr) {
        return;
    }
    char ending[] = "0xx";
    ending[0] = static_cast<char>('0' + status / 100 % 10);
    metrics::Labels labels =
        labels_of(metrics::family(Id::kRequests), {"unknown", ending, "-", "none"});
    metrics::present_writer().add(board->series(Id::kRequests, labels.text()), 1);
}

}  // namespace stampede::classes
