#include "hooks/connection_use.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "error_numbers.h"
#include "hooks/hooks.h"
#include "io/bound.h"
#include "zend/caller.h"
#include "zend/collection.h"
#include "zend/throw.h"

namespace stampede::hooks {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

// Coroutines that wait until others have left their connection. By number: a fatal error inside of
// the wait leaves its entry here.
struct Turn {
    int fd;
    int64_t cid;
};
std::vector<Turn> turns;

int option_of(int fd, int option) {
    int value = 0;
    socklen_t size = sizeof(value);
    return ::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

// Several may wait for the next client.
bool is_listening(int fd) { return option_of(fd, SO_ACCEPTCONN) == 1; }

bool is_connection(int fd) { return option_of(fd, SO_TYPE) == SOCK_STREAM && !is_listening(fd); }

// Code that reads a stream by itself may have another coroutine write to it. A driver that waits
// for its reply has nothing to be sent meanwhile. In curl, another coroutine may find that the
// transfer has ended before its waiter is woken, and send the next request of their multi
// handle through its connection.
bool is_driver(const Fiber& fiber) {
    const zend_module_entry* module = zend::calling_module(fiber.execute_data);
    if (module == nullptr) {
        return false;
    }
    for (const char* plain :
         {"standard", "sockets", "Core", "openssl", "stampede", "swoole", "curl"}) {
        if (std::strcmp(module->name, plain) == 0) {
            return false;
        }
    }
    return true;
}

// The reply to what either of them sent could reach the other one.
void cut(int fd) {
    if (is_connection(fd)) {
        ::shutdown(fd, SHUT_RDWR);
    }
}

bool refuse(int fd, const Fiber& holder, const char* doing, const char* wanting) {
    io::throw_bound_socket(fd, holder, doing, wanting);
    errno = kGivenUp;
    return false;
}

// PHP code frees an object at this moment, or a collection of cycles does, or a list of the engine:
// none of them calls a driver otherwise.
// "Core" is the module of the engine's own functions, "SPL" that of its lists of objects.
bool ends_object(const zend_module_entry* module) {
    return module == nullptr || std::strcmp(module->name, "Core") == 0 ||
           std::strcmp(module->name, "SPL") == 0;
}

bool is_ending(const Fiber& fiber) {
    return zend::in_collection(fiber.execute_data) ||
           ends_object(zend::calling_module(fiber.execute_data));
}

// libmariadb's mutex is not held while ODBC sends a long parameter: then a statement of the same
// connection may end, which writes as well. To either of them a write that fails is the end of the
// connection, so the second one waits.
bool is_about_an_end(const Fiber& holder) {
    return Runtime::get().can_park() && (is_ending_object() || is_ending(holder));
}

// Until a use of the descriptor has ended; false when it was closed, or the coroutine is being
// destroyed. One that is cancelled waits on: an end cannot fail.
bool wait_for_turn(int fd) {
    Runtime& runtime = Runtime::get();
    int64_t cid = runtime.current_cid();
    turns.push_back({fd, cid});
    WakeReason reason = runtime.park(kNever);
    std::erase_if(turns, [&](const Turn& turn) { return turn.fd == fd && turn.cid == cid; });
    if (reason == WakeReason::kCancelled) {
        runtime.count_as_cancelled();
    }
    if (reason == WakeReason::kReady || reason == WakeReason::kCancelled) {
        return true;
    }
    errno = kGivenUp;
    return false;
}

// All of them: each looks for itself whether it may go on (refuse_reading() and the like are
// loops).
void wake_waiting(int fd) {
    Runtime& runtime = Runtime::get();
    for (const Turn& turn : turns) {
        Fiber* fiber = turn.fd == fd ? runtime.find(turn.cid) : nullptr;
        if (fiber != nullptr) {
            runtime.wake(*fiber, WakeReason::kReady);
        }
    }
}

bool is_mine(const Fiber* holder) {
    Runtime* runtime = Runtime::peek();
    return runtime == nullptr || runtime->current() == nullptr || runtime->current() == holder;
}

}  // namespace

// Runs the coroutine inside of this call, so that it has left the library when the caller frees
// what it waited in. Only where the running code could also wait (can_park()), since the other
// one's code is any code. What it does before it waits again happens with the caller's structures
// in place.
void let_leave(Fiber& fiber) {
    Runtime& runtime = Runtime::get();
    if (runtime.current() == &fiber || !fiber.waiting()) {
        return;
    }
    bool may_run = !runtime.ending() && runtime.script_is_open() && on_php_thread() &&
                   (runtime.current() == nullptr || runtime.can_park());
    if (may_run) {
        runtime.resume_now(fiber, WakeReason::kClosed);
    } else {
        runtime.wake(fiber, WakeReason::kClosed);
    }
}

bool is_curl(const Fiber& fiber) {
    const zend_module_entry* module = zend::calling_module(fiber.execute_data);
    static const zend_module_entry* last;  // asked about; modules stay as long as the process
    static bool last_is_curl;
    if (module != last) {
        last = module;
        last_is_curl = module != nullptr && std::strcmp(module->name, "curl") == 0;
    }
    return last_is_curl;
}

// `reader` is asked for anew after each wait: by then it is another coroutine, or none.
bool refuse_reading(int fd) {
    for (;;) {
        Fiber* reader = state_of(fd).users.reader;
        // Several coroutines may move on the transfers of one multi handle: each call of curl finds
        // out by itself which of them is ready, and nothing of a reply is lost.
        if (reader == nullptr || is_mine(reader) || is_listening(fd) || is_curl(*reader)) {
            return true;
        }
        if (!is_about_an_end(*reader)) {
            return refuse(fd, *reader, "reading", "reading");
        }
        if (!wait_for_turn(fd)) {
            return false;
        }
    }
}

bool refuse_writing(int fd) {
    for (;;) {
        const Users& users = state_of(fd).users;
        bool is_written =
            users.writer != nullptr && !is_mine(users.writer) && !is_curl(*users.writer);
        bool is_awaited =
            users.reader != nullptr && !is_mine(users.reader) && is_driver(*users.reader);
        if (!is_written && !is_awaited) {
            return true;
        }
        const Fiber& holder = *(is_written ? users.writer : users.reader);
        if (!is_about_an_end(holder)) {
            return refuse(fd, holder, is_written ? "writing" : "waiting for a reply", "writing");
        }
        if (!wait_for_turn(fd)) {
            return false;
        }
    }
}

// The state is held by reference across the wait, which is why states are never freed. A direction
// that has its user already (curl's, which several may share) keeps that one.
ConnectionUse::ConnectionUse(int fd, short events)
    : state_(state_of(fd)),
      fiber_(Runtime::get().current()),
      reads_((events & (POLLIN | POLLRDNORM)) != 0 && state_.users.reader == nullptr),
      writes_((events & (POLLOUT | POLLWRNORM)) != 0 && state_.users.writer == nullptr) {
    Users& users = state_.users;
    users.reader = reads_ ? fiber_ : users.reader;
    users.writer = writes_ ? fiber_ : users.writer;
}

ConnectionUse::~ConnectionUse() {
    Users& users = state_.users;
    // Only what is still this coroutine's: end_use() has cleared it when the descriptor was closed,
    // and its number may have another user by now.
    users.reader = users.reader == fiber_ ? nullptr : users.reader;
    users.writer = users.writer == fiber_ ? nullptr : users.writer;
    if (UNEXPECTED(!turns.empty())) {
        wake_waiting(state_.fd);
    }
}

bool ConnectionUse::still_mine() const {
    const Users& users = state_.users;
    return (reads_ && users.reader == fiber_) || (writes_ && users.writer == fiber_);
}

void ConnectionUse::spoil() {
    if (still_mine()) {  // otherwise it was closed, and the number may be another's
        int error = errno;
        cut(state_.fd);
        errno = error;
    }
}

bool is_ending_object() { return zend::in_collection() || ends_object(zend::calling_module()); }

void let_end_finish(int fd) {
    while (is_used_by_another(fd) && Runtime::get().can_park()) {
        const Users& users = state_of(fd).users;
        const Fiber* user = users.reader != nullptr ? users.reader : users.writer;
        if (!is_ending(*user) || !wait_for_turn(fd)) {
            return;
        }
    }
}

bool is_used_by_another(int fd) {
    const DescriptorState* state = find_state(fd);
    if (state == nullptr) {
        return false;
    }
    // Outside of coroutines, too: a callback there may end a statement or close a connection.
    Runtime* runtime = Runtime::peek();
    const Fiber* current = runtime != nullptr ? runtime->current() : nullptr;
    const Users& users = state->users;
    return (users.reader != nullptr && users.reader != current) ||
           (users.writer != nullptr && users.writer != current);
}

// The users are taken out first: what runs in here must not find them, and a new user of the number
// may come. The reader may end the writer or let it end, so that one is found again by its number.
// The list of turns is searched from its beginning each time, since any of those that run may
// change it.
void end_use(int fd) {
    DescriptorState* state = find_state(fd);
    Runtime* runtime = Runtime::peek();
    if (state == nullptr || runtime == nullptr) {
        return;
    }
    Users users = std::exchange(state->users, Users());
    // The writer may be the reader, or have ended when the reader has run.
    int64_t writer =
        users.writer != nullptr && users.writer != users.reader ? users.writer->cid : 0;
    if (users.reader != nullptr) {
        let_leave(*users.reader);
    }
    if (Fiber* fiber = writer > 0 ? runtime->find(writer) : nullptr) {
        let_leave(*fiber);
    }
    auto is_here = [fd](const Turn& turn) { return turn.fd == fd; };
    for (auto turn = std::find_if(turns.begin(), turns.end(), is_here); turn != turns.end();
         turn = std::find_if(turns.begin(), turns.end(), is_here)) {
        Fiber* fiber = runtime->find(turn->cid);
        turns.erase(turn);
        if (fiber != nullptr) {
            let_leave(*fiber);
        }
    }
}

void cut_use(int fd) {
    if (is_used_by_another(fd)) {
        cut(fd);
        end_use(fd);
    }
}

void forget_uses() {
    for (const auto& state : descriptor_states) {
        if (state != nullptr) {
            state->users = Users();
        }
    }
    turns.clear();
}

}  // namespace stampede::hooks
