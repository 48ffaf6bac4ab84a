// The engine starts a collection of cycles in the middle of whatever code happens to fill its
// buffer. Destructors that it calls may wait (a connection that says goodbye), and the coroutine
// must not be left there: its code did nothing that waits. So these collections run in a coroutine
// of their own. Installed once per process, PHP thread.
#pragma once

namespace stampede::runtime {

// Around what watch_collections() has installed.
void install_collector();
void remove_collector();

}  // namespace stampede::runtime
