// What the supervisor says of the server's metrics: those of the board, and those that it looks up
// when it is asked.
#include <map>

#include "ext/server/metrics.h"
#include "os/process.h"

namespace stampede::classes {

using metrics::Id;
using metrics::labels_of;
using metrics::TextWriter;

namespace {

class Report {
public:
    Report(ServerState& state, metrics::Format format) : state_(state), text_(format) {}

    // The families that are numbers of the scoreboard.
    void add_counters();
    void add_tasks();
    void add_processes();
    void add_generation();
    void add_all_of_board();
    void add_given(HashTable* more);
    std::string finish() { return text_.finish(); }

private:
    void one(Id id, uint64_t value) {
        text_.begin(metrics::family(id));
        text_.sample({}, value);
    }
    uint64_t total(shm::Counter shm::WorkerLine::*counter) const {
        return state_.board->total(counter);
    }

    ServerState& state_;
    TextWriter text_;
};

void Report::add_counters() {
    using Line = shm::WorkerLine;
    one(Id::kRequestsInProgress, total(&Line::concurrency));
    one(Id::kConnectionsAccepted, total(&Line::accepted));
    one(Id::kConnectionsClosed, total(&Line::closed));
    one(Id::kConnectionsRefused, total(&Line::refused));
    one(Id::kReceivedBytes, total(&Line::bytes_in));
    one(Id::kSentBytes, total(&Line::bytes_out));
    one(Id::kAccessLogLost, total(&Line::access_log_lost));
    one(Id::kStartTime, static_cast<uint64_t>(state_.started_at));
}

void Report::add_tasks() {
    if (state_.task_board != nullptr) {
        one(Id::kTasks, state_.task_board->present());
        one(Id::kTasksGiven, state_.task_board->given());
    }
}

const char* kind_of(proc::PlaceKind kind) {
    return kind == proc::PlaceKind::kWorker       ? "worker"
           : kind == proc::PlaceKind::kTaskWorker ? "task_worker"
                                                  : "user_process";
}

void Report::add_processes() {
    std::vector<proc::ProcessFacts> processes = state_.master->processes();
    std::map<std::string, uint64_t> by_state;
    // So that a state which nobody is in now is a zero and not a gap.
    const metrics::Family& workers = metrics::family(Id::kWorkers);
    for (const char* stage : {"starting", "serving", "leaving"}) {
        by_state[std::string(labels_of(workers, {"worker", stage}).text())] = 0;
    }
    std::map<std::string, uint64_t> memory;
    const metrics::Family& resident = metrics::family(Id::kResidentMemory);
    memory[std::string(labels_of(resident, {"supervisor", "0"}).text())] =
        os::resident_memory(os::own_pid());
    for (const proc::ProcessFacts& process : processes) {
        const char* kind = kind_of(process.kind);
        by_state[std::string(labels_of(workers, {kind, process.stage}).text())]++;
        std::string number = std::to_string(process.worker);
        memory[std::string(labels_of(resident, {kind, number}).text())] +=
            os::resident_memory(process.pid);
    }
    text_.begin(workers);
    for (const auto& [labels, count] : by_state) {
        text_.sample(labels, count);
    }
    text_.begin(resident);
    for (const auto& [labels, bytes] : memory) {
        text_.sample(labels, bytes);
    }
}

void Report::add_generation() { one(Id::kGeneration, state_.master->generations().present); }

void Report::add_all_of_board() {
    for (uint16_t number = 0; number < state_.metrics->families_end(); number++) {
        text_.family(*state_.metrics, number);
    }
}

// array<string name, list<array{list<string> values of labels, int|float value}>>. Families that
// are not in the table are passed over: the table is the documentation.
void Report::add_given(HashTable* more) {
    zend_string* name;
    zval* samples;
    ZEND_HASH_FOREACH_STR_KEY_VAL(more, name, samples) {
        const metrics::Family* family = nullptr;
        for (const metrics::Family& known : metrics::families()) {
            if (name != nullptr && known.name == std::string_view(ZSTR_VAL(name), ZSTR_LEN(name))) {
                family = &known;
            }
        }
        if (family == nullptr || Z_TYPE_P(samples) != IS_ARRAY) {
            continue;
        }
        text_.begin(*family);
        zval* sample;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(samples), sample) {
            zval* values = Z_TYPE_P(sample) == IS_ARRAY
                               ? zend_hash_index_find(Z_ARRVAL_P(sample), 0)
                               : nullptr;
            zval* value = Z_TYPE_P(sample) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(sample), 1)
                                                       : nullptr;
            if (values == nullptr || value == nullptr || Z_TYPE_P(values) != IS_ARRAY) {
                continue;
            }
            metrics::Labels labels;
            std::string_view names = family->labels;
            zval* text;
            ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(values), text) {
                std::string_view label = names.substr(0, names.find(','));
                names.remove_prefix(std::min(names.size(), label.size() + 1));
                if (Z_TYPE_P(text) == IS_STRING) {
                    (void)labels.add(label, {Z_STRVAL_P(text), Z_STRLEN_P(text)});
                }
            }
            ZEND_HASH_FOREACH_END();
            text_.sample(labels.text(), zval_get_double(value));
        }
        ZEND_HASH_FOREACH_END();
    }
    ZEND_HASH_FOREACH_END();
}

}  // namespace

std::string metrics_text(ServerState& state, metrics::Format format, HashTable* more) {
    Report report(state, format);
    report.add_counters();
    report.add_tasks();
    if (state.master != nullptr) {  // else the server has ended
        report.add_processes();
        report.add_generation();
    }
    report.add_all_of_board();
    if (more != nullptr) {
        report.add_given(more);
    }
    return report.finish();
}

}  // namespace stampede::classes
