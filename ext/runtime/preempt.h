// The preemptive scheduler: a coroutine that computes for long makes room for others at its next
// loop or call. Off until asked for. A helper thread raises the engine's interrupt flag, the rest
// happens on the PHP thread; parks.
#pragma once

namespace stampede::runtime {

void install_preemption();  // once per process; costs nothing until it is enabled
void remove_preemption();
void enable_preemption();

}  // namespace stampede::runtime
