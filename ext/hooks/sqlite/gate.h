// Where the threads that make calls of libsqlite3 stop while the script forks: the child must not
// find the library's own locks taken by threads that it does not have. Any thread; never parks.
#pragma once

namespace stampede::hooks::sqlite {

// Around what a thread does; not while it only sleeps.
void enter_gate();
void leave_gate();
// In the middle of it, where the library has none of its locks but the connection's.
void pass_gate();

// At the first thread: forks are waited for from then on. PHP thread.
void watch_forks();
void renew_gate();  // in the child

}  // namespace stampede::hooks::sqlite
