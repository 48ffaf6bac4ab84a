// The waits of this process's coroutines in its metrics: how long, and for what. The kind is that
// of the function of PHP which waits, since applications know those, and not system calls. PHP
// thread, never parks.
#pragma once

#include "base/clock.h"
#include "metrics/waits.h"
#include "zend/php.h"

namespace stampede::metrics {

// What code in this frame waits for when it waits. Reads only.
WaitKind kind_of_wait(const zend_execute_data* frame);

// The wait that follows is of this kind, whatever function it is in: code that does something else
// meanwhile (a name is looked up for a database) knows better.
void expect_wait(WaitKind kind);
WaitKind take_expected_wait();

// Counts in present_writer().
void count_wait(WaitKind kind, Nanos duration);
// The cells are those of another board.
void forget_wait_cells();

}  // namespace stampede::metrics
