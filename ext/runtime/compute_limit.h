// A time at which a coroutine that is still running calls a function, between two instructions:
// what waits is ended by timers of the loop, but code that computes holds the loop up. A helper
// thread raises the engine's interrupt flag when a time has come, the rest happens on the PHP
// thread. It starts with the first limit.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "zend/call.h"

namespace stampede::runtime {

void install_compute_limits();  // once per process, when the module starts
void remove_compute_limits();
// Instead of the one that the coroutine has. The function is called once, in it
// or in a coroutine that it has made and that has no limit of its own, and may throw.
void limit_computing(int64_t cid, Nanos when, const zend::Callable& function);
// For how long the running coroutine has computed while nothing else did, as far as interrupts have
// found it: of use while its limit is over.
Nanos computing_time(int64_t cid);
void forget_compute_limit(int64_t cid);
void forget_all_compute_limits();

}  // namespace stampede::runtime
