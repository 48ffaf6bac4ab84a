// Which coroutine waits for which descriptor, so that two never share a reply: the second one gets
// an error that names both, and a wait that was given up leaves a connection that cannot be used
// any more, since its reply may come later. Part of the descriptor's state; PHP
// thread.
#pragma once

#include "io/descriptor_state.h"

//   coroutine A   writes a query        may_write(): nobody reads or writes
//                 waits for a response  users.reader = A (ConnectionUse)
//   coroutine B   writes on the same    may_write(): A, a driver, waits: error, nothing is sent
//                 closes it             end_use(): A runs now, its wait fails, then it is closed
//   A is cancelled                      spoil(): the connection is cut: a response may come
//
// The users are pointers to control blocks, good as long as the coroutine waits here: every way out
// of the wait passes the destructor of ConnectionUse, but for one. A fatal error that is raised
// below a wait (no system call raises one; exit() for lack of memory does) leaves the entry behind
// until the descriptor is closed. The worker is being replaced then.
namespace stampede::hooks {

using io::descriptor_states;
using io::DescriptorState;
using io::find_state;
using io::state_of;
using io::Users;

// Whether this one waits, or has just waited, in a function of ext-curl.
bool is_curl(const runtime::Fiber& fiber);

// Whether another coroutine waits for this descriptor.
bool is_used_by_another(int fd);

// Another coroutine waits for what this call would take. False, with an exception and errno, then.
// Asked before each try: what has come is for that coroutine.
bool refuse_reading(int fd);
bool refuse_writing(int fd);

inline bool may_read(int fd) {
    const DescriptorState* state = find_state(fd);
    return EXPECTED(state == nullptr || state->users.reader == nullptr) || refuse_reading(fd);
}

inline bool may_write(int fd) {
    const DescriptorState* state = find_state(fd);
    return EXPECTED(state == nullptr ||
                    (state->users.reader == nullptr && state->users.writer == nullptr)) ||
           refuse_writing(fd);
}

// As long as it lives, the coroutine that made it waits for the descriptor.
class ConnectionUse {
public:
    ConnectionUse(int fd, short events);
    ~ConnectionUse();
    ConnectionUse(const ConnectionUse&) = delete;
    ConnectionUse& operator=(const ConnectionUse&) = delete;

    // The wait was given up: no coroutine can use the connection any more.
    void spoil();

private:
    bool still_mine() const;

    DescriptorState& state_;
    runtime::Fiber* fiber_;
    bool reads_, writes_;
};

// Whether the engine frees an object at this moment, outside of any function of an extension.
bool is_ending_object();
// While another coroutine waits for the descriptor in such an end, this one waits for its turn.
void let_end_finish(int fd);

// The descriptor is about to be closed, or the structures of a library around it to be freed. A
// coroutine that waits for it runs now, inside of this call, until it has left the library: its
// wait fails, and what it was called from still exists. Where no coroutine can run any more it is
// only woken.
void end_use(int fd);
// The same where the library tries again after a failed wait (libpq and PHP's TLS streams do): the
// connection is shut down first, so that nothing of it waits any more.
void cut_use(int fd);
// Runs the coroutine now, inside of this call, until it has left what it waits in.
void let_leave(runtime::Fiber& fiber);
void forget_uses();  // of a script

}  // namespace stampede::hooks
