#include "hooks/sqlite/pace.h"

#include <functional>
#include <string_view>

namespace stampede::hooks::sqlite {

namespace {

constexpr Nanos kShort = 100 * kMicrosecond;
constexpr Nanos kLong = kMillisecond;
constexpr int8_t kTrusted = 3;    // so many short runs
constexpr int8_t kForgiven = 16;  // so many after a long one
constexpr size_t kMostTexts = 512;

// A hash is enough: two texts that share one also share a judgement of how long they take, nothing
// more.
size_t key_of(Statement* statement) {
    const char* text = library.sql(statement);
    return std::hash<std::string_view>()(text != nullptr ? text : "");
}

}  // namespace

// A statement with parameters is made to be run again, and its work depends on them: what walks
// through a whole table in a single step of the library's machine (count, delete, make an index)
// has none. A commit waits for the disk.
Step step_of(const Connection& connection, Statement* statement) {
    Step step = {statement, library.stmt_busy(statement) != 0,
                 library.stmt_readonly(statement) != 0, false, 0};
    if (step.is_between_rows) {
        return step;
    }
    bool commits = !step.reads && library.get_autocommit(connection.database) != 0;
    step.repeats = !commits && library.bind_parameter_count(statement) > 0;
    step.text = step.repeats ? key_of(statement) : 0;
    return step;
}

bool is_short(const Connection& connection, const Step& step) {
    if (step.is_between_rows) {
        return step.reads && connection.long_rows == 0;
    }
    if (!step.repeats) {
        return false;
    }
    auto found = connection.short_runs.find(step.text);
    return found != connection.short_runs.end() && found->second >= kTrusted;
}

void note_time(Connection& connection, const Step& step, Nanos time) {
    if (step.is_between_rows) {
        if (time >= kLong) {
            connection.long_rows = kForgiven;
        } else if (connection.long_rows > 0 && time < kShort) {
            connection.long_rows--;
        }
        return;
    }
    if (!step.repeats) {
        return;
    }
    if (connection.short_runs.size() >= kMostTexts) {
        connection.short_runs.clear();
    }
    int8_t& runs = connection.short_runs[step.text];
    if (time >= kLong) {
        runs = kTrusted - kForgiven;
    } else if (time >= kShort) {
        runs = runs < 0 ? runs : int8_t{0};
    } else if (runs < kTrusted) {
        runs++;
    }
}

}  // namespace stampede::hooks::sqlite
