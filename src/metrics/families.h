// The metrics of the server: one table, of which the text at /metrics and the table in
// docs/user/metrics.md are made. Names follow the conventions of Prometheus: base units, the unit
// as a suffix. Plain values; any process, never parks.
#pragma once

#include <span>

#include "base/clock.h"
#include "metrics/family.h"

namespace stampede::metrics {

// In the order of the table.
enum class Id : uint16_t {
    kRequests,
    kRequestDuration,
    kRequestWait,
    kFirstByte,
    kRequestsInProgress,
    kRefusals,
    kConnections,
    kConnectionsOpened,
    kConnectionsAccepted,
    kConnectionsClosed,
    kConnectionsRefused,
    kReceivedBytes,
    kSentBytes,
    kTlsHandshakes,
    kWaits,
    kPoolPlaces,
    kPoolConnections,
    kPoolWaiting,
    kPoolWait,
    kBlockingCalls,
    kBlockingSeconds,
    kCoroutines,
    kTasks,
    kTasksGiven,
    kWorkers,
    kWorkerEnds,
    kGeneration,
    kBootFailures,
    kResidentMemory,
    kPhpMemory,
    kGcRuns,
    kGcCollected,
    kGrowthFindings,
    kOpcacheMemory,
    kOpcacheScripts,
    kOpcacheHits,
    kOpcacheMisses,
    kOpcacheRestarts,
    kCertificateExpiry,
    kStartTime,
    kAccessLogLost,
    kSeriesOverflows,
    kCount,
};

inline constexpr size_t kFamilies = static_cast<size_t>(Id::kCount);

std::span<const Family> families();
inline const Family& family(Id id) { return families()[static_cast<size_t>(id)]; }

// Bounds of all durations, in nanoseconds: from what a response without any wait takes to the
// longest that a client waits.
inline constexpr double kDurations[] = {
    100e3, 250e3, 500e3, 1e6, 2.5e6, 5e6, 10e6, 25e6, 50e6,
    100e6, 250e6, 500e6, 1e9, 2.5e9, 5e9, 10e9, 30e9, 60e9,
};
inline constexpr uint32_t kDurationBuckets = std::size(kDurations) + 1;

// The bucket of a duration. Most are short: the first comparisons find them.
inline uint32_t duration_bucket(Nanos duration) {
    uint32_t bucket = 0;
    auto value = static_cast<double>(duration);
    while (bucket < std::size(kDurations) && value > kDurations[bucket]) {
        bucket++;
    }
    return bucket;
}

}  // namespace stampede::metrics
