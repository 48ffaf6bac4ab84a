// What happens when a coroutine's C stack is full. The guard below the stack is a reserve, too:
//
//   never opened | for the fatal error | for the Error |  C stack, grows down ...
//
// The first fault opens the reserve for the Error: the C code that has filled the stack goes on,
// and the next PHP function that is entered, or loop, throws. Recursion that never comes to PHP
// code (freeing a long list of objects, say) fills that as well. Then the coroutine ends there by a
// fatal error: the request has its response, the worker finishes what others wait for and is
// replaced. The last pages are for faults while that is under way, which end the process. A signal
// handler and the PHP thread, never parks.
#pragma once

#include "os/fault_handler.h"
#include "runtime/fiber.h"

namespace stampede::runtime {

// os::JudgeFault for the coroutine that runs.
void judge_stack_fault(const void* address, const void* stack, os::FaultAnswer& answer);

void install_stack_overflow();  // once per process: throws in the engine's interrupt
void remove_stack_overflow();

// The task has ended, on this very stack: the next one has the whole guard.
void close_stack_reserve(Fiber& fiber);

}  // namespace stampede::runtime
