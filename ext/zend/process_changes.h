// What a script can change of its process that costs many system calls to look at, and that few
// scripts change: limits, identity, root, priority, signals, what a descriptor that is open leads
// to. Known by the functions that do it, and by FFI, which can do everything. PHP thread.
#pragma once

namespace stampede::zend {

// Once in a process, as WatchedFunction::watch().
void watch_changes_of_process();
// What was changed until now is to stay; FFI that was used is not forgotten.
void forget_changes_of_process();
bool may_have_changed_process();

}  // namespace stampede::zend
