#include "ext/server/inspection.h"

#include <algorithm>
#include <cstring>

#include "ext/observe/growth.h"
#include "ext/observe/heap_report.h"
#include "ext/observe/profiler.h"
#include "ext/server/control_json.h"
#include "ext/server/peers.h"
#include "ext/server/request_jobs.h"
#include "metrics/families.h"
#include "runtime/runtime.h"
#include "runtime/trace.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr size_t kMostCoroutines = 1000;  // of a process
constexpr int kMostFrames = 50;           // of a coroutine
constexpr size_t kMostTraces = 4 << 20;   // bytes of text of a process
constexpr size_t kMostRequests = 2000;    // of a process

struct Asked {
    std::string_view name;
    std::string_view answer;
};
// By Question.
constexpr Asked kQuestions[] = {
    {"coroutines", "coroutines"}, {"memory", "php"},      {"requests", "requests"},
    {"cancel", "cancelled"},      {"profile", "profile"}, {"heap", "heap"},
    {"growth", "growth"},
};

const char* state_name(const runtime::Fiber& fiber) {
    return fiber.state == runtime::FiberState::kYielded  ? "yielded"
           : fiber.state == runtime::FiberState::kParked ? "waiting"
                                                         : "running";
}

// A line for each frame.
void show_trace(runtime::Fiber& fiber, zval* out, size_t& bytes) {
    zval trace;
    runtime::trace_of(fiber, DEBUG_BACKTRACE_IGNORE_ARGS, kMostFrames, &trace);
    zend_string* text = zend_trace_to_string(Z_ARRVAL(trace), false);
    zval_ptr_dtor(&trace);
    array_init(out);
    std::string_view rest(ZSTR_VAL(text), ZSTR_LEN(text));
    bytes += rest.size();
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        add_next_index_stringl(out, line.data(), line.size());
    }
    zend_string_release(text);
}

std::string coroutines_json() {
    Runtime& runtime = Runtime::get();
    std::vector<std::pair<int64_t, runtime::Fiber*>> fibers;
    runtime.fibers().each(
        [&](int64_t cid, runtime::Fiber& fiber) { fibers.emplace_back(cid, &fiber); });
    std::sort(fibers.begin(), fibers.end());
    zval list;
    array_init(&list);
    size_t bytes = 0;
    size_t shown = 0;
    for (auto& [cid, fiber] : fibers) {
        if (shown == kMostCoroutines || bytes > kMostTraces) {
            break;
        }
        shown++;
        zval entry;
        zval trace;
        array_init(&entry);
        add_assoc_long(&entry, "id", cid);
        add_assoc_long(&entry, "parent", fiber->parent_cid);
        add_text(&entry, "state", state_name(*fiber));
        add_assoc_long(&entry, "elapsed_ms", (monotonic_now() - fiber->started_at) / kMillisecond);
        show_trace(*fiber, &trace, bytes);
        add_assoc_zval(&entry, "trace", &trace);
        add_next_index_zval(&list, &entry);
    }
    zval out;
    array_init(&out);
    add_assoc_long(&out, "total", static_cast<zend_long>(fibers.size()));
    add_assoc_zval(&out, "list", &list);
    return to_json(&out);
}

std::string memory_json() {
    zval out;
    array_init(&out);
    add_assoc_long(&out, "usage", static_cast<zend_long>(zend_memory_usage(false)));
    add_assoc_long(&out, "allocated", static_cast<zend_long>(zend_memory_usage(true)));
    add_assoc_long(&out, "peak", static_cast<zend_long>(zend_memory_peak_usage(false)));
    return to_json(&out);
}

// Coroutines that handle a request; those that they have started are not listed.
std::string requests_json() {
    Runtime& runtime = Runtime::get();
    Nanos now = monotonic_now();
    zval list;
    array_init(&list);
    size_t shown = 0;
    runtime.fibers().each([&](int64_t cid, runtime::Fiber& fiber) {
        const server::Exchange* exchange = RequestJobs::exchange_of(fiber.job);
        if (exchange == nullptr || shown++ >= kMostRequests) {
            return;
        }
        zval entry;
        array_init(&entry);
        add_assoc_long(&entry, "coroutine", cid);
        add_assoc_long(&entry, "connection", exchange->connection_id());
        add_assoc_long(&entry, "stream", exchange->stream_id());
        if (metrics::HttpMetrics* counts = exchange->service().metrics()) {
            add_text(&entry, "route", counts->route_text(exchange->route));
        }
        add_text(&entry, "isolation", metrics::name_of(exchange->isolation));
        add_text(&entry, "state", state_name(fiber));
        if (fiber.waiting() && fiber.waits_since != 0) {
            bool in_process = exchange->isolation == metrics::Isolation::kProcess &&
                              fiber.waits_for == metrics::WaitKind::kSocket;
            add_text(&entry, "waits_for", in_process ? "its process" : name_of(fiber.waits_for));
            add_assoc_double(&entry, "waits_ms",
                             static_cast<double>(now - fiber.waits_since) / kMillisecond);
        }
        runtime::Place place = runtime::place_of(fiber);
        if (place.file != nullptr) {
            add_text(&entry, "place", std::string(place.file) + ":" + std::to_string(place.line));
        }
        add_next_index_zval(&list, &entry);
    });
    return to_json(&list);
}

std::string cancel_json(int64_t cid) {
    runtime::Fiber* fiber = Runtime::get().find(cid);
    return fiber != nullptr && Runtime::get().cancel(*fiber) ? "true" : "false";
}

}  // namespace

bool find_question(std::string_view name, Question& out) {
    for (size_t i = 0; i < std::size(kQuestions); i++) {
        if (kQuestions[i].name == name) {
            out = static_cast<Question>(i);
            return true;
        }
    }
    return false;
}

std::string_view name_of_answer(Question question) {
    return kQuestions[static_cast<size_t>(question)].answer;
}

std::string inspect(Question question, int64_t argument) {
    switch (question) {
        case Question::kCoroutines:
            return coroutines_json();
        case Question::kMemory:
            return memory_json();
        case Question::kRequests:
            return requests_json();
        case Question::kCancel:
            return cancel_json(argument);
        case Question::kProfile:
            return observe::profile(observe::profile_request_of(argument));
        case Question::kHeap: {
            zval report;
            observe::report_heap(observe::heap_request_of(argument), &report);
            return to_json(&report);
        }
        case Question::kGrowth: {
            zval report;
            observe::answer_growth(argument, &report);
            return to_json(&report);
        }
    }
    return "null";
}

// ---- in the supervisor -------------------------------------------------------------------------

std::string address_of(const shm::Facts& facts) {
    os::Address address;
    address.storage.ss_family = facts.family;
    if (facts.family == AF_INET) {
        std::memcpy(&reinterpret_cast<sockaddr_in&>(address.storage).sin_addr, facts.address,
                    sizeof(in_addr));
    } else if (facts.family == AF_INET6) {
        std::memcpy(&reinterpret_cast<sockaddr_in6&>(address.storage).sin6_addr, facts.address,
                    sizeof(in6_addr));
    } else {
        return {};
    }
    return address.host();
}

void show_in_flight(const ServerState& state, uint32_t line, zval* out) {
    const shm::WorkerLine& board = state.board->line(line);
    Nanos now = monotonic_now();
    zval list;
    array_init(&list);
    size_t shown = 0;
    for (const shm::InFlight& entry : board.used()) {
        if (entry.since == 0 || shown++ >= kMostRequests) {
            continue;
        }
        zval request;
        array_init(&request);
        add_text(&request, "request",
                 {entry.text, std::min<size_t>(entry.length, shm::InFlight::kTextSize)});
        add_assoc_long(&request, "connection", entry.connection_id);
        add_assoc_long(&request, "stream", entry.stream_id);
        add_assoc_double(&request, "age_ms",
                         static_cast<double>(std::max<Nanos>(now - entry.since, 0)) / kMillisecond);
        shm::Facts facts;
        if (state.presence->standing(entry.connection_id, &facts) != shm::Standing::kNone) {
            add_text(&request, "client", address_of(facts));
        }
        add_next_index_zval(&list, &request);
    }
    add_assoc_zval(out, "in_flight", &list);
    Nanos began = static_cast<Nanos>(board.iteration_started.get());
    add_assoc_double(
        out, "busy_ms",
        began == 0 ? 0 : static_cast<double>(std::max<Nanos>(now - began, 0)) / kMillisecond);
}

std::string latencies_json(ServerState& state) {
    zval out;
    array_init(&out);
    add_assoc_bool(&out, "measured", state.metrics != nullptr);
    if (state.metrics != nullptr) {
        zval bounds;
        zval counts;
        array_init(&bounds);
        array_init(&counts);
        uint64_t sums[metrics::kDurationBuckets] = {};
        for (const metrics::Board::Shown& series :
             state.metrics->shown(static_cast<uint16_t>(metrics::Id::kRequestDuration))) {
            for (uint32_t i = 0; i < metrics::kDurationBuckets; i++) {
                sums[i] += state.metrics->total(series.cell + i);
            }
        }
        for (double bound : metrics::kDurations) {
            add_next_index_double(&bounds, bound / static_cast<double>(kSecond));
        }
        for (uint64_t sum : sums) {
            add_next_index_long(&counts, static_cast<zend_long>(sum));
        }
        add_assoc_zval(&out, "bounds", &bounds);
        add_assoc_zval(&out, "counts", &counts);
    }
    return to_json(&out);
}

}  // namespace stampede::classes
