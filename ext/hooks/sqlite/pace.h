// Which steps of statements are short enough for the PHP thread: a hand-over to another thread and
// back costs more than most of them. PHP thread, never parks.
#pragma once

#include "base/clock.h"
#include "hooks/sqlite/use.h"

namespace stampede::hooks::sqlite {

struct Step {
    Statement* statement;
    bool is_between_rows;
    bool reads;    // and writes nothing
    bool repeats;  // what its text did before says how long it takes
    size_t text;   // of one that repeats
};
Step step_of(const Connection& connection, Statement* statement);

// To be believed as long as it is true: note_time() hears of every step.
bool is_short(const Connection& connection, const Step& step);
void note_time(Connection& connection, const Step& step, Nanos time);

}  // namespace stampede::hooks::sqlite
